import type { Statement } from 'better-sqlite3';
import type { Connection } from '../database.ts';
import type { PackageFacts, PortalFacts, SubscriberFacts } from '../../subscribers/command.ts';
import { packageOf, rowId, subscriberOf, type PackageRow, type SubscriberRow } from '../subscriber-rows.ts';

const SUBSCRIBER =
  'SELECT id, name, phone_country_code, phone, is_disabled, customer_number, note FROM subscriber WHERE portal_id = ?';
const PACKAGE = 'SELECT id, name, is_free, streams, max_sessions FROM package WHERE portal_id = ?';

/** Reads the facts of a portal for the rules. @returns facts of a portal by its id */
export function factsOf(connection: Connection): (portalId: bigint, nowMs: number) => PortalFacts {
  const prepare = <Row>(sql: string): Statement<(bigint | string)[], Row> =>
    connection.prepare<(bigint | string)[], Row>(sql).safeIntegers();
  const autoRegistration = prepare<{ readonly is: bigint }>(
    'SELECT is_auto_registration AS "is" FROM portal WHERE id = ?',
  );
  const subscriber = prepare<SubscriberRow>(`${SUBSCRIBER} AND id = ?`);
  const ofPhone = prepare<SubscriberRow>(`${SUBSCRIBER} AND phone_country_code = ? AND phone = ? AND phone <> ''`);
  const ofNumber = prepare<SubscriberRow>(`${SUBSCRIBER} AND customer_number = ? AND customer_number <> ''`);
  const onePackage = prepare<PackageRow>(`${PACKAGE} AND id = ?`);
  const ofName = prepare<PackageRow>(`${PACKAGE} AND name = ?`);
  const count = prepare<{ readonly count: bigint }>('SELECT count(*) AS count FROM package WHERE portal_id = ?');
  const free = prepare<PackageRow>(`${PACKAGE} AND is_free = 1 ORDER BY id`);
  const attached = prepare<object>(
    'SELECT 1 FROM subscription WHERE portal_id = ? AND subscriber_id = ? AND package_id = ?',
  );
  const packagesOf = prepare<PackageRow>(
    `${PACKAGE} AND id IN (SELECT package_id FROM subscription WHERE portal_id = ? AND subscriber_id = ?) ORDER BY id`,
  );
  const holders = prepare<{ readonly count: bigint }>(
    'SELECT count(*) AS count FROM subscription WHERE portal_id = ? AND package_id = ?',
  );
  const planned = prepare<{ readonly count: bigint }>(
    `SELECT count(*) AS count FROM subscription_plan WHERE portal_id = ? AND package_id = ? AND next_ms = starts_ms`,
  );
  const plan = prepare<{ readonly starts_ms: bigint | null; readonly ends_ms: bigint | null }>(
    `SELECT starts_ms, ends_ms FROM subscription_plan
     WHERE portal_id = ? AND subscriber_id = ? AND package_id = ? AND next_ms IS NOT NULL`,
  );
  return (portalId, nowMs) => ({
    nowMs,
    isAutoRegistration: autoRegistration.get(portalId)?.is === 1n,
    subscriber: (id) => subscriberFacts(subscriber.get(portalId, rowId(id))),
    subscriberOfPhone: (countryCode, phone) => subscriberFacts(ofPhone.get(portalId, countryCode, phone)),
    subscriberOfNumber: (customerNumber) => subscriberFacts(ofNumber.get(portalId, customerNumber)),
    package: (id) => packageFacts(onePackage.get(portalId, rowId(id))),
    packageOfName: (name) => packageFacts(ofName.get(portalId, name)),
    packageCount: () => Number(count.get(portalId)?.count ?? 0),
    freePackages: () => free.all(portalId).map(factsOfPackage),
    isAttached: (subscriberId, packageId) =>
      attached.get(portalId, rowId(subscriberId), rowId(packageId)) !== undefined,
    plan: (subscriberId, packageId) => {
      const row = plan.get(portalId, rowId(subscriberId), rowId(packageId));
      return row && { startsMs: msOf(row.starts_ms), endsMs: msOf(row.ends_ms) };
    },
    packagesOf: (subscriberId) => packagesOf.all(portalId, portalId, rowId(subscriberId)).map(factsOfPackage),
    subscriberCount: (packageId) =>
      Number(holders.get(portalId, rowId(packageId))?.count ?? 0) +
      Number(planned.get(portalId, rowId(packageId))?.count ?? 0),
  });
}

function subscriberFacts(row: SubscriberRow | undefined): SubscriberFacts | undefined {
  if (!row) return undefined;
  const {
    subscriberId: id,
    name,
    phoneCountryCode,
    phone,
    customerNumber,
    note,
    isDisabled,
  } = subscriberOf(row, [], []);
  return { id, name, phoneCountryCode, phone, customerNumber, note, isDisabled };
}

function msOf(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}

function packageFacts(row: PackageRow | undefined): PackageFacts | undefined {
  return row && factsOfPackage(row);
}

function factsOfPackage(row: PackageRow): PackageFacts {
  const { packageId: id, name, isFree, streams, maxSessions } = packageOf(row);
  return { id, name, isFree, streams, maxSessions };
}
