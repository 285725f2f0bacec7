import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SampleCount } from './sample-count.ts';

const TIMESCALE = 90_000;
const FRAME_TICKS = 1920;
const MAX_LATE_TICKS = 0.06 * TIMESCALE;

/** Largest deviation of the output times from the true times, in ticks. All frames of a packet have the same jitter. */
function largestDeviation(jitter: readonly number[], framesPerPacket: number, packets: number): number {
  const count = new SampleCount(TIMESCALE);
  let next = 0;
  let largest = 0;
  for (let packet = 0; packet < packets; packet++)
    for (let frame = 0; frame < framesPerPacket; frame++) {
      const trueTicks = (packet * framesPerPacket + frame) * FRAME_TICKS;
      const actual = trueTicks + (jitter[packet % jitter.length] ?? 0);
      const placed = packet + frame === 0 ? actual : count.outputTicks(actual, next, FRAME_TICKS);
      count.record(actual, FRAME_TICKS);
      next = placed + FRAME_TICKS;
      largest = Math.max(largest, Math.abs(placed - trueTicks));
    }
  return largest;
}

it('SampleCount keeps lip sync if packets with jitter follow packets without jitter', () => {
  const shifts = fc.array(fc.integer({ min: -2700, max: 2700 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      shifts,
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 0, max: 40 }),
      (shiftsTicks, frames, quiet) => {
        const jitter = [...Array.from({ length: quiet }, () => 0), ...shiftsTicks.flatMap((ticks) => [ticks, -ticks])];
        expect(largestDeviation(jitter, frames, 1500)).toBeLessThan(MAX_LATE_TICKS);
      },
    ),
    { numRuns: Number(process.env['AIRDESK_RUNS'] ?? 100) },
  );
});
