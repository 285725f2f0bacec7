import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstIdOf, printId, printOperationId, readId, SnowflakeIds, timeOfId } from './snowflake.ts';

const START_MS = Date.UTC(2026, 0, 1);

describe('SnowflakeIds', () => {
  it('increase across restarts and clock steps, and follow the clock while it advances', () => {
    const steps = fc.array(fc.record({ byMs: fc.integer({ min: -10_000, max: 10_000 }), isRestart: fc.boolean() }));
    fc.assert(
      fc.property(steps, (all) => {
        let ids = new SnowflakeIds(0n);
        let nowMs = START_MS;
        let [last, newestMs] = [0n, 0];
        for (const { byMs, isRestart } of all) {
          nowMs += byMs;
          if (isRestart) ids = new SnowflakeIds(ids.last);
          const id = ids.next(nowMs);
          expect(id).toBeGreaterThan(last);
          if (nowMs > newestMs) expect(timeOfId(id)).toBe(nowMs);
          [last, newestMs] = [id, Math.max(newestMs, timeOfId(id))];
        }
      }),
    );
  });

  it('are printed as base64 of eight bytes (with - _ and . except for operations), and parsed as printed', () => {
    const ids = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(ids, (id) => {
        const text = printId(id);
        expect(text).toMatch(/^[\w-]{11}\.$/);
        expect(readId(text)).toBe(id);
        const ofOperation = printOperationId(id);
        expect(ofOperation).toBe(Buffer.from(text, 'base64').toString('base64'));
        expect(readId(ofOperation)).toBe(id);
      }),
    );
    expect(printId(0x68a97d496dc00001n)).toBe('aKl9SW3AAAE.');
    expect(printOperationId(0x68a97d496dc00001n)).toBe('aKl9SW3AAAE=');
    for (const text of [
      '',
      'AAAAAAAAAAA',
      'AAAAAAAAAAB.',
      'AAAAAAAAAAB=',
      '__________8.',
      '//////////8=',
      'AAAA+AAAAAA.',
      'AAAA-AAAAAA=',
    ])
      expect(readId(text), text).toBeUndefined();
  });

  it('firstIdOf returns the first id of a time', () => {
    expect(timeOfId(firstIdOf(START_MS))).toBe(START_MS);
    expect(timeOfId(firstIdOf(START_MS) - 1n)).toBe(START_MS - 1);
  });
});
