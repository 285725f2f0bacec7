import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/**
 * Makes `toEqual` compare byte arrays as a whole, because comparing single bytes takes a second for some megabytes.
 * Other values are first compared by Node, which is faster: values that Node finds equal are also equal for `toEqual`.
 */
function compareAtOnce(one: unknown, other: unknown): boolean | undefined {
  if (one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor)
    return Buffer.compare(one, other) === 0;
  return isDeepStrictEqual(one, other) || undefined;
}

/** Marker in the process, so that the tester is added once and not by each test file. */
const ADDED = Symbol.for('airdesk:compares-at-once');
if (!Reflect.has(globalThis, ADDED)) {
  Reflect.set(globalThis, ADDED, true);
  expect.addEqualityTesters([compareAtOnce]);
}
