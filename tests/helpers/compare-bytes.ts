import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/**
 * Makes `toEqual` compare byte arrays as a whole, because comparing single bytes takes a second for some megabytes. Other values
 * are first compared by Node, which is faster: if Node finds them equal, so does `toEqual`. If Node finds a difference, `toEqual`
 * decides, because it supports `expect.any`.
 */
function compareAtOnce(one: unknown, other: unknown): boolean | undefined {
  if (one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor)
    return Buffer.compare(one, other) === 0;
  return isDeepStrictEqual(one, other) || undefined;
}

/** Marker in the process, so that the tester is added once and not for each test file. */
const ADDED = Symbol.for('airdesk:compares-at-once');
if (!Reflect.has(globalThis, ADDED)) {
  Reflect.set(globalThis, ADDED, true);
  expect.addEqualityTesters([compareAtOnce]);
}
