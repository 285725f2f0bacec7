import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PTS_WRAP_TICKS, RTMP_WRAP_MS, Unroller } from './unroll.ts';

describe('Unroller', () => {
  it('follows any clock from any start across any number of wraps', () => {
    const steps = fc.array(fc.integer({ min: -900_000, max: 2 ** 31 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: PTS_WRAP_TICKS - 1 }), steps, (start, deltas) => {
        const unroller = new Unroller();
        let truth = start;
        expect(unroller.unroll(start)).toBe(start);
        for (const delta of deltas) {
          truth += delta;
          const wrapped = ((truth % PTS_WRAP_TICKS) + PTS_WRAP_TICKS) % PTS_WRAP_TICKS;
          expect(unroller.unroll(wrapped)).toBe(truth);
        }
      }),
    );
  });

  it('crosses the wrap forwards, and slightly backwards', () => {
    const unroller = new Unroller();
    unroller.unroll(PTS_WRAP_TICKS - 3600);
    expect(unroller.unroll(0)).toBe(PTS_WRAP_TICKS);
    expect(unroller.unroll(PTS_WRAP_TICKS - 1)).toBe(PTS_WRAP_TICKS - 1);
    expect(unroller.peek(100)).toBe(PTS_WRAP_TICKS + 100);
    expect(unroller.last).toBe(PTS_WRAP_TICKS - 1);
  });

  it('supports another wrap length, and resets', () => {
    const unroller = new Unroller(RTMP_WRAP_MS);
    unroller.unroll(0xffff_fff0);
    expect(unroller.unroll(16)).toBe(2 ** 32 + 16);
    unroller.reset();
    expect(unroller.unroll(16)).toBe(16);
  });
});
