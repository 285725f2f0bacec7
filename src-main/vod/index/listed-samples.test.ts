import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ListCursor, ListedSamples } from './listed-samples.ts';

const ticks = fc.oneof(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: -(2 ** 50), max: 2 ** 50 }));
const size = fc.oneof(fc.nat(3000), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
const sample = fc.record({
  offset: fc.integer({ min: 0, max: 2 ** 50 }),
  sizeBytes: size,
  storedBytes: size,
  dtsTicks: ticks,
  compositionOffsetTicks: ticks,
  durationTicks: size,
  isSync: fc.boolean(),
});

it('ListedSamples returns every sample unchanged from any mark, also after serialization', () => {
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1, maxLength: 60 }), (samples) => {
      const list = new ListedSamples();
      for (const one of samples) list.add(one);
      const cursor = new ListCursor(structuredClone(list.pack()));
      const marks = samples.map((one) => {
        expect(cursor.next()).toBe(true);
        expect(cursor).toMatchObject(one);
        return cursor.mark();
      });
      expect(cursor.next()).toBe(false);
      for (const [index, one] of [...samples.entries()].reverse()) {
        cursor.goTo(marks[index] ?? []);
        expect(cursor).toMatchObject(one);
        expect(cursor.next()).toBe(index + 1 < samples.length);
        if (index + 1 < samples.length) expect(cursor).toMatchObject(samples[index + 1] ?? {});
      }
      expect(cursor.minOffsetTicks).toBe(
        Math.min(0, ...samples.map(({ compositionOffsetTicks }) => compositionOffsetTicks)),
      );
    }),
  );
});

it('ListedSamples clamps impossible times', () => {
  const list = new ListedSamples();
  const bad = { offset: Infinity, sizeBytes: 1, dtsTicks: NaN, compositionOffsetTicks: -Infinity };
  list.add({ ...bad, durationTicks: 2 ** 60, isSync: true });
  const cursor = list.cursor();
  expect(cursor.next()).toBe(true);
  expect([cursor.offset, cursor.dtsTicks, cursor.durationTicks].every((value) => value > 2 ** 48)).toBe(true);
});

it('ListedSamples needs a few bytes per sample', () => {
  const list = new ListedSamples();
  for (let index = 0; index < 10_000; index++)
    list.add({
      offset: index * 2000,
      sizeBytes: 1200 + (index % 300),
      dtsTicks: index * 1024,
      durationTicks: 1024,
      compositionOffsetTicks: (index % 3) * 512,
      isSync: index % 50 === 0,
    });
  expect(list.pack().bytes.length / 10_000).toBeLessThan(8);
});
