import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationRow } from '../../subscriber-rows.ts';
import { packRows, unpackRows } from './packed-rows.ts';

const PORTAL = 7n;
/** SQLite stores integers of 64 bits, which a number of JSON cannot represent. */
const id = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const row: fc.Arbitrary<OperationRow> = fc.record({
  portal_id: fc.constant(PORTAL),
  id,
  type: fc.bigInt({ min: 0n, max: 99n }),
  subscriber_id: fc.option(id),
  package_id: fc.option(id),
  sequence: id,
  payload: fc.string({ unit: 'grapheme' }),
  hash: fc.uint8Array({ maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
});

describe('packed operations', () => {
  it('are unpacked to the same operations', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), fc.constantFrom('quick', 'small'), (rows, packing) => {
        expect(unpackRows(PORTAL, packRows(rows, packing))).toEqual(rows);
      }),
      { numRuns: 30 },
    );
  });
});
