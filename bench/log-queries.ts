import { OPERATION_TYPES } from '../src-preload/contract/api/subscribers/operation-object.ts';
import { readListRequest } from '../src-main/api/endpoints/list-request.ts';
import {
  START_MS,
  operationId,
  packageId,
  PACKAGES,
  PORTAL_ID,
  STEP_MS,
  subscriberId,
  SUBSCRIBERS,
} from './synthetic-log.ts';

/** A query of the log: names of filters with their values. */
type Query = readonly (readonly [name: string, value: string])[];

const DAY_MS = 86_400_000;
/** Filters by name: true if a filter may have several values. */
const NAMES = {
  subscriberId: true,
  type: true,
  packageId: false,
  created_at_gte: false,
  created_at_lt: false,
  order: false,
};

/** Random numbers that are the same in each run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Filters of the log by name. Each call of a filter returns different values.
 *
 * @param count number of operations in the log
 */
export function logFilters(count: number, random: () => number): Readonly<Record<string, () => Query>> {
  const below = (end: number): number => Math.floor(random() * end);
  const oneSubscriber = (): Query => [['subscriberId', subscriberId(1 + below(SUBSCRIBERS - 1))]];
  const hundredSubscribers = (): Query => Array.from({ length: 100 }, oneSubscriber).flat();
  const onePackage = (): Query => [['packageId', packageId(below(PACKAGES))]];
  const type = (): Query => [['type', OPERATION_TYPES[below(OPERATION_TYPES.length)] ?? '']];
  const types = (): Query => [...type(), ...type(), ...type()];
  const period = (): Query => {
    const days = Math.max(1, Math.floor((count * STEP_MS) / DAY_MS));
    const [from, length] = [below(days), 1 + below(days)];
    return [
      ['created_at_gte', dayOf(START_MS + from * DAY_MS)],
      ['created_at_lt', dayOf(START_MS + (from + length) * DAY_MS)],
    ];
  };
  const busy: Query = [['subscriberId', subscriberId(0)]];
  return {
    none: () => [],
    'one type': type,
    'three types': types,
    'one subscriber': oneSubscriber,
    '100 subscribers': hundredSubscribers,
    '100 subscribers, three types': () => [...hundredSubscribers(), ...types()],
    'a package': onePackage,
    'a package, three types': () => [...onePackage(), ...types()],
    'a subscriber, a package, a type': () => [...oneSubscriber(), ...onePackage(), ...type()],
    'a period': period,
    'a period, a package, a type': () => [...period(), ...onePackage(), ...type()],
    'a subscriber with a tenth of the log': () => busy,
    'the same, a type that they do not have': () => [...busy, ['type', 'deleteSubscriber']],
    'the same, a package that they do not have': () => [...busy, ...onePackage()],
  };
}

/**
 * Prints the query string of one page of operations: its filter, order and cursor.
 *
 * @param at number of the operation before the page; undefined for the first page
 */
export function pageQuery(filter: Query, order: 'asc' | 'desc', at: number | undefined): string {
  const query: Query = [...filter, ['order', order]];
  const list = readListRequest(
    { query: query.map(([name, value]) => ({ name, value })) },
    PORTAL_ID,
    'operations',
    NAMES,
  );
  const cursor = at === undefined ? null : list.cursorAfter(operationId(at));
  return printQuery(cursor === null ? query : [...query, ['cursor', cursor]]);
}

function printQuery(query: Query): string {
  return query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
