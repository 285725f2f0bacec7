import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testMedia } from '../../tests/helpers/test-media.ts';
import { MAX_BACKLOG_BYTES, MAX_LAG_MS, UnitGate } from './unit-gate.ts';

const { video, audio } = testMedia();

describe('the gate of a push', () => {
  const anyUnit = fc.record({
    track: fc.constantFrom(video, audio),
    isRandomAccess: fc.boolean(),
    bytes: fc.nat(2 * MAX_BACKLOG_BYTES),
    lagMs: fc.nat(2 * MAX_LAG_MS),
  });

  it('passes pictures from a key frame on, without a gap up to the next drop, and never above the limits', () => {
    fc.assert(
      fc.property(fc.array(anyUnit, { maxLength: 60 }), (units) => {
        const gate = new UnitGate();
        gate.close(video.id);
        let wasOpen = false;
        let dropped = 0;
        for (const { track, isRandomAccess, bytes, lagMs } of units) {
          const isTaken = gate.takes({ track, isRandomAccess }, { bytes, lagMs, progressMs: 0 });
          const isKeyFrame = track === video && isRandomAccess;
          const isAbove = bytes > MAX_BACKLOG_BYTES || lagMs > MAX_LAG_MS;
          if (isTaken) expect(isAbove).toBe(false);
          if (isTaken && !wasOpen) expect(isKeyFrame).toBe(true);
          if (!isTaken && wasOpen) expect(isAbove).toBe(true);
          if (!isTaken && gate.isSlow) dropped++;
          wasOpen = isTaken;
        }
        expect(gate.droppedUnits).toBe(dropped);
      }),
    );
  });
});
