import type { Wall } from '../../../../src-preload/contract/wall-calls.ts';

/** Function keys that a wall gets by itself. F5 loads a page again, F11 fills the screen and F12 opens the tools of the browser. */
const GIVEN_KEYS: readonly number[] = [1, 2, 3, 4, 6, 7, 8, 9, 10];

/** The first function key that recalls no wall yet; null where all do. */
export function freeKey(walls: readonly Wall[]): number | null {
  const taken = new Set(walls.map(({ key }) => key));
  return GIVEN_KEYS.find((key) => !taken.has(key)) ?? null;
}

/** The wall that a function key recalls. @param key as the keyboard event names it */
export function wallOfKey(walls: readonly Wall[], key: string): Wall | undefined {
  const number = /^F(\d{1,2})$/.exec(key)?.[1];
  return number === undefined ? undefined : walls.find((one) => one.key === Number(number));
}
