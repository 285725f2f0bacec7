import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/**
 * Has `toEqual` compare bytes at once instead of one by one, which takes a second for some megabytes, and all else as Node does first: what Node finds
 * equal is so for `toEqual` too, which takes several times as long to see it. Where it finds a difference `toEqual` looks itself: it knows `expect.any`.
 */
function compareAtOnce(one: unknown, other: unknown): boolean | undefined {
  if (one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor)
    return Buffer.compare(one, other) === 0;
  return isDeepStrictEqual(one, other) || undefined;
}

/** Marks the process: this is read for each file, and each comparison calls all added testers. */
const ADDED = Symbol.for('airdesk:compares-at-once');
if (!Reflect.has(globalThis, ADDED)) {
  Reflect.set(globalThis, ADDED, true);
  expect.addEqualityTesters([compareAtOnce]);
}
