import { expect } from 'vitest';

/** Has `toEqual` compare bytes at once instead of one by one, which takes a second for some megabytes. */
expect.addEqualityTesters([
  (one: unknown, other: unknown): boolean | undefined =>
    one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor
      ? Buffer.compare(one, other) === 0
      : undefined,
]);
