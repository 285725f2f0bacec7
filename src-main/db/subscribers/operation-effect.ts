import type { Operation, OperationPayload } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import type { Connection } from '../database.ts';
import { rowId } from '../subscriber-rows.ts';

/**
 * Payload of an operation. The contract ensures that it matches the type of the operation, but the compiler cannot
 * know this.
 */
type SubscriberPayload = OperationPayload<'createSubscriber'>;
type PackagePayload = OperationPayload<'createPackage'>;
type PlanPayload = OperationPayload<'planPackageSubscriber'>;

/**
 * Applies operations to the tables of subscribers, packages and subscriptions, which are a projection of the log. Call inside a
 * transaction.
 */
export function operationEffect(connection: Connection): (operation: Operation) => void {
  const addSubscriber = connection.prepare(
    `INSERT INTO subscriber (portal_id, id, name, phone_country_code, phone, customer_number, note, is_disabled)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
  );
  const changeSubscriber = connection.prepare(
    `UPDATE subscriber SET name = ?, phone_country_code = ?, phone = ?, customer_number = ?, note = ?
     WHERE portal_id = ? AND id = ?`,
  );
  const disable = connection.prepare('UPDATE subscriber SET is_disabled = ? WHERE portal_id = ? AND id = ?');
  const removeTokens = connection.prepare('DELETE FROM viewer_token WHERE portal_id = ? AND subscriber_id = ?');
  const removeSubscriber = connection.prepare('DELETE FROM subscriber WHERE portal_id = ? AND id = ?');
  const attach = connection.prepare(
    'INSERT INTO subscription (portal_id, subscriber_id, package_id, id) VALUES (?, ?, ?, ?)',
  );
  const detach = connection.prepare(
    'DELETE FROM subscription WHERE portal_id = ? AND subscriber_id = ? AND package_id = ?',
  );
  const addPlan = connection.prepare(
    `INSERT INTO subscription_plan (portal_id, subscriber_id, package_id, id, starts_ms, ends_ms, next_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const endPlan = connection.prepare(
    'UPDATE subscription_plan SET next_ms = NULL WHERE portal_id = ? AND subscriber_id = ? AND package_id = ?',
  );
  const removePlan = connection.prepare(
    'DELETE FROM subscription_plan WHERE portal_id = ? AND subscriber_id = ? AND package_id = ?',
  );
  const removePlansOf = connection.prepare('DELETE FROM subscription_plan WHERE portal_id = ? AND subscriber_id = ?');
  const removePlansTo = connection.prepare('DELETE FROM subscription_plan WHERE portal_id = ? AND package_id = ?');
  const addPackage = connection.prepare(
    'INSERT INTO package (portal_id, id, name, is_free, streams, max_sessions) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const changePackage = connection.prepare(
    'UPDATE package SET name = ?, is_free = ?, streams = ?, max_sessions = ? WHERE portal_id = ? AND id = ?',
  );
  const removePackage = connection.prepare('DELETE FROM package WHERE portal_id = ? AND id = ?');
  return (operation) => {
    const portal = rowId(operation.portalId);
    const subscriber = rowId(operation.subscriberId ?? '');
    const packageId = rowId(operation.packageId ?? '');
    switch (operation.type) {
      case 'createSubscriber':
      case 'autoCreateSubscriber': {
        const {
          name,
          phoneCountryCode,
          phone,
          customerNumber = '',
          note = '',
        } = operation.payload as SubscriberPayload;
        addSubscriber.run(portal, subscriber, name, phoneCountryCode, phone, customerNumber, note);
        return;
      }
      case 'updateSubscriber': {
        const {
          name,
          phoneCountryCode,
          phone,
          customerNumber = '',
          note = '',
        } = operation.payload as SubscriberPayload;
        changeSubscriber.run(name, phoneCountryCode, phone, customerNumber, note, portal, subscriber);
        return;
      }
      case 'disableSubscriber':
      case 'enableSubscriber':
        disable.run(operation.type === 'disableSubscriber' ? 1 : 0, portal, subscriber);
        return;
      case 'deleteSubscriber':
        removeTokens.run(portal, subscriber);
        removePlansOf.run(portal, subscriber);
        removeSubscriber.run(portal, subscriber);
        return;
      case 'createPackageSubscriber':
      case 'planPackageSubscriber': {
        const id = rowId(operation.operationId);
        const { startsAt, endsAt } = operation.payload as PlanPayload;
        const [startsMs, endsMs] = [startsAt, endsAt].map((time) => (time === undefined ? null : Date.parse(time)));
        const isStarted = operation.type === 'createPackageSubscriber';
        if (isStarted) attach.run(portal, subscriber, packageId, id);
        removePlan.run(portal, subscriber, packageId);
        const nextMs = isStarted ? endsMs : (startsMs ?? endsMs);
        if (nextMs !== null) addPlan.run(portal, subscriber, packageId, id, startsMs, endsMs, nextMs);
        return;
      }
      case 'deletePackageSubscriber': {
        const { endsAt } = operation.payload as PlanPayload;
        detach.run(portal, subscriber, packageId);
        (endsAt === undefined ? removePlan : endPlan).run(portal, subscriber, packageId);
        return;
      }
      case 'createPackage': {
        const { packageName, isFree, streams, maxSessions } = operation.payload as PackagePayload;
        addPackage.run(portal, packageId, packageName, isFree ? 1 : 0, JSON.stringify(streams), maxSessions);
        return;
      }
      case 'updatePackage': {
        const { packageName, isFree, streams, maxSessions } = operation.payload as PackagePayload;
        changePackage.run(packageName, isFree ? 1 : 0, JSON.stringify(streams), maxSessions, portal, packageId);
        return;
      }
      case 'deletePackage':
        removePlansTo.run(portal, packageId);
        removePackage.run(portal, packageId);
        return;
      default:
        operation.type satisfies never;
    }
  };
}
