import type { Operation } from '../../src-preload/contract/api/subscribers/operation-object.ts';
import type { SubscriptionPlan } from '../../src-preload/contract/api/subscribers/subscriber-objects.ts';

/** State of a portal, derived only from its log: a second implementation of the operations, without a database. */
export interface ReplayedPortal {
  readonly subscribers: ReadonlyMap<string, object>;
  readonly packages: ReadonlyMap<string, object>;
  /** Subscriptions as `subscriber package`, by both ids. */
  readonly subscriptions: ReadonlyMap<string, string>;
  /** Planned periods, by both ids. */
  readonly plans: ReadonlyMap<string, ReplayedPlan>;
}

type ReplayedPlan = Pick<SubscriptionPlan, 'startsAt' | 'endsAt' | 'state'>;

/** Fields that are omitted in a payload if they are empty. */
const EMPTY = { customerNumber: '', note: '' };

/** Replays a log from its first operation. Throws if an operation contradicts the state before it. */
export function replay(operations: readonly Operation[]): ReplayedPortal {
  const subscribers = new Map<string, object>();
  const packages = new Map<string, object>();
  const subscriptions = new Map<string, string>();
  const plans = new Map<string, ReplayedPlan>();
  const ensure = (isMet: boolean, { operationId, type }: Operation): void => {
    if (!isMet) throw new Error(`${type} ${operationId} does not fit the state before it`);
  };
  for (const operation of operations) {
    const { type, payload, createdAt } = operation;
    const [subscriberId, packageId] = [operation.subscriberId ?? '', operation.packageId ?? ''];
    const {
      keyName: _key,
      managerEmail: _manager,
      reason: _reason,
      packageName,
      subscriberName: _name,
      ...rest
    } = payload;
    const link = `${subscriberId} ${packageId}`;
    const linksOf = (id: string): boolean => [...subscriptions.keys()].some((key) => key.split(' ').includes(id));
    const before = type.endsWith('Package') ? packages.get(packageId) : subscribers.get(subscriberId);
    switch (operation.type) {
      case 'createSubscriber':
      case 'autoCreateSubscriber':
        ensure(!before, operation);
        subscribers.set(subscriberId, { ...EMPTY, ...rest, isDisabled: false });
        break;
      case 'updateSubscriber':
        ensure(before !== undefined, operation);
        subscribers.set(subscriberId, { ...before, ...EMPTY, ...rest });
        break;
      case 'disableSubscriber':
      case 'enableSubscriber': {
        const isDisabled = type === 'disableSubscriber';
        ensure(before !== undefined && 'isDisabled' in before && before.isDisabled === !isDisabled, operation);
        subscribers.set(subscriberId, { ...before, isDisabled });
        break;
      }
      case 'deleteSubscriber':
        ensure(before !== undefined && !linksOf(subscriberId), operation);
        subscribers.delete(subscriberId);
        for (const key of [...plans.keys()]) if (key.startsWith(`${subscriberId} `)) plans.delete(key);
        break;
      case 'createPackageSubscriber':
        ensure(before !== undefined && packages.has(packageId) && !subscriptions.has(link), operation);
        subscriptions.set(link, createdAt);
        plans.delete(link);
        if (payload['endsAt'] !== undefined) plans.set(link, { ...times(operation), state: 'active' });
        break;
      case 'deletePackageSubscriber': {
        ensure(subscriptions.delete(link), operation);
        const plan = plans.get(link);
        plans.delete(link);
        ensure(payload['endsAt'] === undefined || plan?.endsAt === payload['endsAt'], operation);
        if (plan && payload['endsAt'] !== undefined) plans.set(link, { ...plan, state: 'ended' });
        break;
      }
      case 'planPackageSubscriber': {
        const isActive = subscriptions.has(link);
        const { startsAt, endsAt } = times(operation);
        ensure(before !== undefined && packages.has(packageId) && !(isActive && startsAt !== null), operation);
        plans.delete(link);
        if (startsAt !== null || endsAt !== null)
          plans.set(link, { startsAt, endsAt, state: isActive ? 'active' : 'planned' });
        break;
      }
      case 'createPackage':
      case 'updatePackage':
        ensure((type === 'createPackage') === (before === undefined), operation);
        packages.set(packageId, { ...rest, name: packageName });
        break;
      case 'deletePackage':
        ensure(before !== undefined && !linksOf(packageId), operation);
        packages.delete(packageId);
        for (const [key, { state }] of [...plans])
          if (key.endsWith(` ${packageId}`)) {
            ensure(state === 'ended', operation);
            plans.delete(key);
          }
        break;
      default:
        operation.type satisfies never;
    }
  }
  return { subscribers, packages, subscriptions, plans };
}

function times({ payload }: Operation): Pick<ReplayedPlan, 'startsAt' | 'endsAt'> {
  const time = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { startsAt: time(payload['startsAt']), endsAt: time(payload['endsAt']) };
}
