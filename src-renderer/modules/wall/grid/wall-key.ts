import type { Wall } from '../../../../src-preload/contract/operations/wall-calls.ts';

/** Function keys assigned to walls by default. F5 reloads a page, F11 is full screen, F12 opens the developer tools. */
const DEFAULT_KEYS: readonly number[] = [1, 2, 3, 4, 6, 7, 8, 9, 10];

/** First function key without a wall; null if all are taken. */
export function freeKey(walls: readonly Wall[]): number | null {
  const taken = new Set(walls.map(({ key }) => key));
  return DEFAULT_KEYS.find((key) => !taken.has(key)) ?? null;
}

/** Wall recalled by a function key. @param key `key` of the keyboard event */
export function wallOfKey(walls: readonly Wall[], key: string): Wall | undefined {
  const number = /^F(\d{1,2})$/.exec(key)?.[1];
  return number === undefined ? undefined : walls.find((one) => one.key === Number(number));
}
