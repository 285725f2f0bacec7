import type { OperationType } from '../../src-preload/contract/api/operation-object.ts';

/** A place in a list and how much of it is wanted. */
export interface Portion {
  /** Id of the object that it begins behind; undefined for the first portion. */
  readonly afterId: string | undefined;
  /** Most objects. */
  readonly limit: number;
}

/** Which operations are wanted: all conditions hold together, and a list matches any of its values. */
export interface OperationQuery extends Portion {
  /** Undefined for all. */
  readonly subscriberIds: readonly string[] | undefined;
  readonly packageId: string | undefined;
  readonly types: readonly OperationType[] | undefined;
  /** Not before it, in epoch milliseconds. */
  readonly fromMs: number | undefined;
  /** Before it, in epoch milliseconds. */
  readonly beforeMs: number | undefined;
  /** Whether the newest come first. */
  readonly isDescending: boolean;
}

/** Which subscribers are wanted. */
export interface SubscriberQuery extends Portion {
  readonly phoneCountryCode: string | undefined;
  readonly phone: string | undefined;
  readonly packageId: string | undefined;
}

/** Which subscriptions are wanted. */
export interface SubscriptionQuery extends Portion {
  readonly subscriberId: string | undefined;
  readonly packageId: string | undefined;
}

/** A portion of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Whether there are more behind it. */
  readonly hasMore: boolean;
}

/** A place in the subscribers that a text finds: first those whose name begins with it, by name, then those whose number does, by number. */
export interface FoundPlace {
  readonly by: 'name' | 'phone';
  /** Name or number of the last one. */
  readonly value: string;
  /** What parts it from others of the same name or number: its id, or its country code. */
  readonly rest: string;
}

/** A portion of the subscribers that a text finds. */
export interface FoundPage<T> {
  readonly items: readonly T[];
  /** Where the next one begins; undefined behind the last one. */
  readonly next: FoundPlace | undefined;
}
