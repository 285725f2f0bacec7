import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime, systemClock, timeInFileName, turnClock } from './clock.ts';

/** Times up to the end of the year 9999. */
const times = fc.integer({ min: 0, max: Date.UTC(10_000, 0) - 1 });

it('isoTime and timeInFileName print times that can be parsed and sorted', () => {
  fc.assert(
    fc.property(times, times, (one, other) => {
      expect(Date.parse(isoTime(one))).toBe(one);
      for (const print of [isoTime, timeInFileName]) expect(print(one) < print(other)).toBe(one < other);
      expect(timeInFileName(one)).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/);
    }),
  );
});

it('isoTime prints the same text as Date, for times close to each other', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e15, max: 8e15 }), fc.array(fc.nat(120_000)), (start, steps) => {
      for (const step of [0, ...steps]) expect(isoTime(start + step)).toBe(new Date(start + step).toISOString());
    }),
  );
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
});

it('turnClock reads the time once per turn of the event loop', async () => {
  let ms = 1000;
  const clock = turnClock({ ...systemClock, now: () => ms++, elapsed: () => ms });
  expect([clock.now(), clock.elapsed?.(), clock.now()]).toEqual([1000, 1001, 1000]);
  await Promise.resolve();
  expect([clock.now(), clock.elapsed?.()]).toEqual([1001, 1002]);
});
