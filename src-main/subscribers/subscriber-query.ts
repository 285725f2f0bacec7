import type { Subscriber } from '../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type { OperationType } from '../../src-preload/contract/api/subscribers/operation-object.ts';

/** Start and maximum size of the requested page of a list. */
export interface PageRequest {
  /** Id of the last object of the previous page; undefined for the first page. */
  readonly afterId: string | undefined;
  /** Maximum number of objects. */
  readonly limit: number;
}

/** Filter of operations: all conditions must hold; a list matches any of its values. */
export interface OperationQuery extends PageRequest {
  /** Absent for all. */
  readonly subscriberIds?: readonly string[] | undefined;
  readonly packageId?: string | undefined;
  readonly types?: readonly OperationType[] | undefined;
  /** Start of the period, inclusive, in epoch milliseconds. */
  readonly fromMs?: number | undefined;
  /** End of the period, exclusive, in epoch milliseconds. */
  readonly beforeMs?: number | undefined;
  /** True for newest first. */
  readonly isDescending: boolean;
}

/** Filter of subscribers. */
export interface SubscriberQuery extends PageRequest {
  readonly phoneCountryCode: string | undefined;
  readonly phone: string | undefined;
  readonly packageId: string | undefined;
}

/** Numbers by which another system identifies a subscriber. Empty and absent numbers identify no subscriber. */
export interface SubscriberKey {
  readonly customerNumber?: string | undefined;
  readonly phoneCountryCode?: string | undefined;
  readonly phone?: string | undefined;
}

/** Subscribers that match a key. */
export interface SubscribersOfKey {
  readonly ofNumber: Subscriber | null;
  readonly ofPhone: Subscriber | null;
}

/** Filter of subscriptions. */
export interface SubscriptionQuery extends PageRequest {
  readonly subscriberId: string | undefined;
  readonly packageId: string | undefined;
}

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** True if there are more items after it. */
  readonly hasMore: boolean;
}

/**
 * Position in the search results of subscribers: first matches by name prefix, in order of names, then matches by
 * number prefix, in order of numbers.
 */
export interface SearchPosition {
  readonly by: 'name' | 'phone';
  /** Name or number of the last match. */
  readonly value: string;
  /** Tie-breaker among equal names or numbers: the id, or the country code. */
  readonly rest: string;
}

/** A page of search results. */
export interface FoundPage<T> {
  readonly items: readonly T[];
  /** Start of the next page; undefined on the last page. */
  readonly next: SearchPosition | undefined;
}
