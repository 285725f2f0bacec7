import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ticksOf } from './ticks.ts';
import { xOf } from './time-scale.ts';

const NOW = Date.UTC(2027, 0, 15, 12);
const labelsOf = (msPerPx: number, startMs = NOW): (string | undefined)[] =>
  ticksOf({ startMs, msPerPx }, 400, 'utc').flatMap(({ label }) => label ?? []);

describe('the ticks of the timeline', () => {
  it('have labels from parts of a second to weeks', () => {
    expect(labelsOf(1)).toEqual(['12:00:00.0', '12:00:00.1', '12:00:00.2', '12:00:00.3', '12:00:00.4']);
    expect(labelsOf(10)).toEqual(['12:00:00', '12:00:01', '12:00:02', '12:00:03', '12:00:04']);
    expect(labelsOf(10_000)).toEqual(['12:00', '12:15', '12:30', '12:45', '13:00']);
    expect(labelsOf(400_000)).toEqual(['12:00', '16 Jan', '12:00', '17 Jan']);
    expect(labelsOf(8_000_000)).toHaveLength(1);
  });

  it('never overlap, and are in order and inside the view, at any scale and time zone', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 12_000_000, noNaN: true }),
        fc.integer({ min: 0, max: 2 * NOW }),
        fc.integer({ min: 1, max: 4000 }),
        fc.constantFrom('utc' as const, 'local' as const),
        (msPerPx, startMs, width, zone) => {
          const scale = { startMs, msPerPx };
          const ticks = ticksOf(scale, width, zone);
          const places = ticks.map(({ ms }) => xOf(scale, ms));
          expect(places.every((x, at) => x >= -1e-6 && x <= width + 1e-6 && x > (places[at - 1] ?? -1))).toBe(true);
          const labels = ticks.filter(({ label }) => label !== undefined).map(({ ms }) => xOf(scale, ms));
          // An hour is missing at the start of daylight saving time.
          const least = 84 - 3_600_000 / msPerPx;
          if (zone === 'utc') expect(labels.every((x, at) => at === 0 || x - labels[at - 1]! >= 83.9)).toBe(true);
          else expect(labels.every((x, at) => at === 0 || x - labels[at - 1]! >= Math.max(0, least) - 0.1)).toBe(true);
        },
      ),
    );
  });
});
