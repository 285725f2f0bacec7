import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextWatch, QUIET, type AlarmWatch } from './alarm-watch.ts';

const THRESHOLDS = fc.record({
  raiseMs: fc.integer({ min: 0, max: 5000 }),
  clearMs: fc.integer({ min: 0, max: 5000 }),
});
const STEPS = fc.array(fc.record({ isFaulty: fc.boolean(), afterMs: fc.integer({ min: 1, max: 2000 }) }), {
  maxLength: 60,
});

describe('AlarmWatch', () => {
  it('raises and clears an alarm exactly after the configured durations', () => {
    fc.assert(
      fc.property(THRESHOLDS, STEPS, (thresholds, steps) => {
        let nowMs = 1_000_000;
        let watch: AlarmWatch = QUIET;
        let runStartMs = nowMs;
        let last: boolean | undefined;
        for (const { isFaulty, afterMs } of steps) {
          nowMs += afterMs;
          if (isFaulty !== last) runStartMs = nowMs;
          last = isFaulty;
          const before = watch.isRaised;
          watch = nextWatch(watch, { isFaulty }, nowMs, thresholds);
          const neededMs = isFaulty ? thresholds.raiseMs : thresholds.clearMs;
          const isDue = isFaulty !== before && nowMs - runStartMs >= neededMs;
          expect(watch.isRaised).toBe(isDue ? isFaulty : before);
        }
      }),
    );
  });

  it('counts from the known start of a fault', () => {
    const thresholds = { raiseMs: 5000, clearMs: 0 };
    expect(nextWatch(QUIET, { isFaulty: true, sinceMs: 1000 }, 6000, thresholds).isRaised).toBe(true);
    expect(nextWatch(QUIET, { isFaulty: true, sinceMs: 1001 }, 6000, thresholds).isRaised).toBe(false);
    expect(nextWatch(QUIET, { isFaulty: true, sinceMs: 9000 }, 6000, thresholds).changingSinceMs).toBe(6000);
  });
});
