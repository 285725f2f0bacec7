import type { OperationPayload, OperationType } from '../../src-preload/contract/api/subscribers/operation-object.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { isoTime } from '../lib/clock.ts';
import type { Command, PackageContent, PackageFacts, PlanFacts, PortalFacts, SubscriberFacts } from './command.ts';

/** Payload without the caller's identity. */
type Content<Type extends OperationType> =
  OperationPayload<Type> extends infer Payload ? Omit<Payload, 'keyName' | 'managerEmail'> : never;

/** Fields of a subscriber; absent ones are empty. */
type SubscriberContent = Pick<SubscriberFacts, 'name' | 'phoneCountryCode' | 'phone'> & {
  readonly customerNumber?: string | undefined;
  readonly note?: string | undefined;
};

/** An operation to record and apply. */
interface OperationDraft {
  readonly type: OperationType;
  readonly subscriberId: string | null;
  readonly packageId: string | null;
  readonly payload: Content<OperationType>;
}

/** Result of a command. */
export interface Decision {
  /** Operations in order; none if the requested state already exists. */
  readonly operations: readonly OperationDraft[];
  /** Object of the command. */
  readonly subscriberId: string | null;
  readonly packageId: string | null;
  /** True if this command created the object. */
  readonly isNew: boolean;
}

/** Maximum number of packages of a portal. */
const MAX_PACKAGES = 1000;

/**
 * Decides the operations of a command by the table of transitions; changes nothing.
 * @param newId returns an id for a new object
 */
export function decide(command: Command, facts: PortalFacts, newId: () => string): Decision {
  switch (command.type) {
    case 'createSubscriber':
      requireFreePhone(facts, command.phoneCountryCode, command.phone, undefined);
      requireFreeNumber(facts, command.customerNumber ?? '', undefined);
      return created('createSubscriber', command, newId());
    case 'login':
      return login(command, facts, newId);
    case 'updateSubscriber':
      return updateSubscriber(command, facts);
    case 'disableSubscriber':
    case 'enableSubscriber': {
      const subscriber = requireSubscriber(facts, command.subscriberId);
      const isDisabled = command.type === 'disableSubscriber';
      const { reason } = { reason: undefined, ...command };
      const payload = { ...subscriberPayload(subscriber), ...(reason === undefined ? {} : { reason }) };
      const operations =
        subscriber.isDisabled === isDisabled ? [] : [draft(command.type, subscriber.id, null, payload)];
      return { operations, subscriberId: subscriber.id, packageId: null, isNew: false };
    }
    case 'deleteSubscriber':
      return deleteSubscriber(requireSubscriber(facts, command.subscriberId), facts);
    case 'createPackage':
      return createPackage(command, facts, newId);
    case 'updatePackage':
      return updatePackage(command, facts);
    case 'deletePackage': {
      const { id, name } = requirePackage(facts, command.packageId);
      const count = facts.subscriberCount(id);
      if (count > 0)
        throw new AirdeskError(
          'package_in_use',
          `${String(count)} ${count === 1 ? 'subscriber has' : 'subscribers have'} it`,
          {
            count,
          },
        );
      const operations = [draft('deletePackage', null, id, { packageName: name })];
      return { operations, subscriberId: null, packageId: id, isNew: false };
    }
    case 'attach':
      return attach(command, facts);
    case 'detach':
      return detach(command, facts);
    case 'applyPlan':
      return applyPlan(command, facts);
    default:
      return command satisfies never;
  }
}

function created(
  type: 'createSubscriber' | 'autoCreateSubscriber',
  subscriber: SubscriberContent,
  subscriberId: string,
): Decision {
  return {
    operations: [draft(type, subscriberId, null, subscriberPayload(subscriber))],
    subscriberId,
    packageId: null,
    isNew: true,
  };
}

function login(command: Command & { readonly type: 'login' }, facts: PortalFacts, newId: () => string): Decision {
  const known = facts.subscriberOfPhone(command.phoneCountryCode, command.phone);
  if (known) return { operations: [], subscriberId: known.id, packageId: null, isNew: false };
  if (!facts.isAutoRegistration) throw new AirdeskError('subscriber_not_found');
  const subscriberId = newId();
  const creation = created('autoCreateSubscriber', command, subscriberId);
  const holder = { id: subscriberId, name: command.name };
  const attached = facts.freePackages().map((one) => subscription('createPackageSubscriber', holder, one));
  return { ...creation, operations: [...creation.operations, ...attached] };
}

function updateSubscriber(command: Command & { readonly type: 'updateSubscriber' }, facts: PortalFacts): Decision {
  const before = requireSubscriber(facts, command.subscriberId);
  const { name = before.name, phoneCountryCode = before.phoneCountryCode, phone = before.phone } = command;
  const { customerNumber = before.customerNumber, note = before.note } = command;
  requireFreePhone(facts, phoneCountryCode, phone, before.id);
  requireFreeNumber(facts, customerNumber, before.id);
  const after = subscriberPayload({ name, phoneCountryCode, phone, customerNumber, note });
  const isSame = JSON.stringify(after) === JSON.stringify(subscriberPayload(before));
  const operations = isSame ? [] : [draft('updateSubscriber', before.id, null, after)];
  return { operations, subscriberId: before.id, packageId: null, isNew: false };
}

/** Deletes a subscriber. Each subscription ends with an operation of its own, because its paid period ends. */
function deleteSubscriber(subscriber: SubscriberFacts, facts: PortalFacts): Decision {
  const ended = facts.packagesOf(subscriber.id).map((one) => subscription('deletePackageSubscriber', subscriber, one));
  return {
    operations: [...ended, draft('deleteSubscriber', subscriber.id, null, subscriberPayload(subscriber))],
    subscriberId: subscriber.id,
    packageId: null,
    isNew: false,
  };
}

function createPackage(
  command: Command & { readonly type: 'createPackage' },
  facts: PortalFacts,
  newId: () => string,
): Decision {
  requireFreeName(facts, command.name, undefined);
  if (facts.packageCount() >= MAX_PACKAGES)
    throw new AirdeskError('too_many_packages', `A portal has at most ${MAX_PACKAGES} packages`);
  const packageId = newId();
  const operations = [draft('createPackage', null, packageId, packagePayload(command))];
  return { operations, subscriberId: null, packageId, isNew: true };
}

function updatePackage(command: Command & { readonly type: 'updatePackage' }, facts: PortalFacts): Decision {
  const before = requirePackage(facts, command.packageId);
  const { name = before.name, isFree = before.isFree, streams = before.streams } = command;
  const { maxSessions = before.maxSessions } = command;
  requireFreeName(facts, name, before.id);
  const after = packagePayload({ name, isFree, streams, maxSessions });
  const isSame = JSON.stringify(after) === JSON.stringify(packagePayload(before));
  const operations = isSame ? [] : [draft('updatePackage', null, before.id, after)];
  return { operations, subscriberId: null, packageId: before.id, isNew: false };
}

function attach(command: Command & { readonly type: 'attach' }, facts: PortalFacts): Decision {
  const subscriber = requireSubscriber(facts, command.subscriberId);
  const found = requirePackage(facts, command.packageId);
  const isAttached = facts.isAttached(subscriber.id, found.id);
  const plan = facts.plan(subscriber.id, found.id);
  const startsMs = timeOf(command.startsAt);
  const isLater = startsMs !== null && startsMs > facts.nowMs;
  if (isLater && isAttached)
    throw new AirdeskError('bad_request', 'The subscription has already started', { pointer: '/startsAt' });
  const endsMs = command.endsAt === undefined ? (plan?.endsMs ?? null) : timeOf(command.endsAt);
  if (endsMs !== null && endsMs <= (isLater ? startsMs : facts.nowMs))
    throw new AirdeskError('bad_request', 'A subscription must end after its start, and in the future', {
      pointer: '/endsAt',
    });
  const period = { startsMs: isLater ? startsMs : null, endsMs };
  const isStarted = !isAttached && !isLater;
  const isSame = !isStarted && (isAttached || period.startsMs === plan?.startsMs) && endsMs === (plan?.endsMs ?? null);
  const type = isStarted ? 'createPackageSubscriber' : 'planPackageSubscriber';
  const operations = isSame ? [] : [subscription(type, subscriber, found, period)];
  return { operations, subscriberId: subscriber.id, packageId: found.id, isNew: !isAttached && (isStarted || !plan) };
}

/**
 * Ends a subscription. A planned subscription that has not started is cancelled by a plan without times, because no
 * paid period has started.
 */
function detach(ids: { readonly subscriberId: string; readonly packageId: string }, facts: PortalFacts): Decision {
  const subscriber = requireSubscriber(facts, ids.subscriberId);
  const found = requirePackage(facts, ids.packageId);
  const isAttached = facts.isAttached(subscriber.id, found.id);
  if (!isAttached && !facts.plan(subscriber.id, found.id)) throw new AirdeskError('subscription_not_found');
  const type = isAttached ? 'deletePackageSubscriber' : 'planPackageSubscriber';
  const operations = [subscription(type, subscriber, found)];
  return { operations, subscriberId: subscriber.id, packageId: found.id, isNew: false };
}

/**
 * Applies planned times that have passed. If both start and end passed while the server was stopped, both are
 * recorded.
 */
function applyPlan(ids: { readonly subscriberId: string; readonly packageId: string }, facts: PortalFacts): Decision {
  const subscriber = requireSubscriber(facts, ids.subscriberId);
  const found = requirePackage(facts, ids.packageId);
  const isAttached = facts.isAttached(subscriber.id, found.id);
  const { startsMs = null, endsMs = null } = facts.plan(subscriber.id, found.id) ?? {};
  const isStarted = !isAttached && startsMs !== null && startsMs <= facts.nowMs;
  const isEnded = (isAttached || isStarted) && endsMs !== null && endsMs <= facts.nowMs;
  const operations = [
    ...(isStarted ? [subscription('createPackageSubscriber', subscriber, found, { startsMs, endsMs })] : []),
    ...(isEnded ? [subscription('deletePackageSubscriber', subscriber, found, { startsMs: null, endsMs })] : []),
  ];
  return { operations, subscriberId: subscriber.id, packageId: found.id, isNew: false };
}

function subscription(
  type: 'createPackageSubscriber' | 'deletePackageSubscriber' | 'planPackageSubscriber',
  subscriber: Pick<SubscriberFacts, 'id' | 'name'>,
  { id, name }: PackageFacts,
  { startsMs, endsMs }: PlanFacts = { startsMs: null, endsMs: null },
): OperationDraft {
  return draft(type, subscriber.id, id, {
    packageName: name,
    subscriberName: subscriber.name,
    ...(startsMs === null ? {} : { startsAt: isoTime(startsMs) }),
    ...(endsMs === null ? {} : { endsAt: isoTime(endsMs) }),
  });
}

/** Epoch milliseconds of an ISO 8601 time. */
function timeOf(text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : Date.parse(text);
}

function draft<Type extends OperationType>(
  type: Type,
  subscriberId: string | null,
  packageId: string | null,
  payload: Content<Type>,
): OperationDraft {
  return { type, subscriberId, packageId, payload };
}

function subscriberPayload({
  name,
  phoneCountryCode,
  phone,
  customerNumber = '',
  note = '',
}: SubscriberContent): Content<'createSubscriber'> {
  return {
    name,
    phoneCountryCode,
    phone,
    ...(customerNumber === '' ? {} : { customerNumber }),
    ...(note === '' ? {} : { note }),
  };
}

function packagePayload({ name, isFree, streams, maxSessions }: PackageContent): Content<'createPackage'> {
  return { packageName: name, isFree, streams: [...streams], maxSessions };
}

function requireSubscriber(facts: PortalFacts, id: string): SubscriberFacts {
  const found = facts.subscriber(id);
  if (!found) throw new AirdeskError('subscriber_not_found');
  return found;
}

function requirePackage(facts: PortalFacts, id: string): PackageFacts {
  const found = facts.package(id);
  if (!found) throw new AirdeskError('package_not_found');
  return found;
}

function requireFreePhone(facts: PortalFacts, countryCode: string, phone: string, ownId: string | undefined): void {
  if (phone === '') return;
  const other = facts.subscriberOfPhone(countryCode, phone);
  if (other && other.id !== ownId) throw new AirdeskError('subscriber_exists', undefined, { pointer: '/phone' });
}

function requireFreeNumber(facts: PortalFacts, customerNumber: string, ownId: string | undefined): void {
  if (customerNumber === '') return;
  const other = facts.subscriberOfNumber(customerNumber);
  if (other && other.id !== ownId)
    throw new AirdeskError('subscriber_exists', undefined, { pointer: '/customerNumber' });
}

function requireFreeName(facts: PortalFacts, name: string, ownId: string | undefined): void {
  const other = facts.packageOfName(name);
  if (other && other.id !== ownId) throw new AirdeskError('package_exists', undefined, { pointer: '/name' });
}
