import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ArchivedTimes } from './archived-times.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('ArchivedTimes queries many streams at once, again after five seconds, and keeps old values if a query fails', async () => {
  const clock = new FakeClock();
  const queries: number[] = [];
  let isThere = true;
  const times = new ArchivedTimes({
    clock,
    extents: async (streams) => {
      queries.push(streams.length);
      if (!isThere) throw new Error('no');
      return Promise.resolve(
        streams.map((stream) =>
          stream === 's3' ? undefined : { startMs: 1000, endMs: 2000 + clock.now(), blocks: 1, bytes: 10 },
        ),
      );
    },
    unfinished: (stream) => (stream === 's4' ? { startMs: 2500, endMs: 3000 } : undefined),
  });
  const startMs = clock.now();
  const all = Array.from({ length: 1200 }, (_, index) => times.of(`s${index}`));
  expect(all[0]?.()).toBeUndefined();
  await settled();
  expect(queries).toEqual([500, 500, 200]);
  expect(all[1199]?.()).toEqual({ startMs: 1000, endMs: 2000 + startMs, blocks: 1, bytes: 10 });
  expect(all[3]?.()).toBeUndefined();
  expect(all[4]?.()).toEqual({ startMs: 1000, endMs: 2000 + startMs, blocks: 1, bytes: 10 });
  clock.advance(4999);
  for (const one of all) one();
  await settled();
  expect(queries).toHaveLength(3);
  clock.advance(1);
  all[0]?.();
  await settled();
  expect(queries).toEqual([500, 500, 200, 1]);
  expect(all[0]?.()?.endMs).toBe(2000 + startMs + 5000);
  // The clock is set back.
  clock.step(-3_600_000);
  all[0]?.();
  await settled();
  expect(queries).toHaveLength(5);
  isThere = false;
  clock.advance(5000);
  all[0]?.();
  await settled();
  expect(all[0]?.()?.endMs).toBe(2000 + startMs + 5000 - 3_600_000);
});

it('an archived time does not become shorter when a block is finished but not yet in the catalog', async () => {
  const clock = new FakeClock();
  let open: { startMs: number; endMs: number } | undefined = { startMs: 0, endMs: 59_000 };
  let listedMs: number | undefined;
  const times = new ArchivedTimes({
    clock,
    extents: async (streams) =>
      Promise.resolve(
        streams.map(() => (listedMs === undefined ? undefined : { startMs: 0, endMs: listedMs, blocks: 1, bytes: 1 })),
      ),
    unfinished: () => open,
  });
  const time = times.of('a');
  expect(time()).toMatchObject({ startMs: 0, endMs: 59_000 });
  open = { startMs: 60_000, endMs: 61_000 };
  expect(time()).toMatchObject({ startMs: 0, endMs: 61_000 });
  open = undefined;
  expect(time()).toMatchObject({ endMs: 61_000 });
  listedMs = 61_500;
  clock.advance(5000);
  time();
  await settled();
  expect(time()).toMatchObject({ startMs: 0, endMs: 61_500 });
  // Deleted ranges disappear.
  listedMs = 30_000;
  clock.advance(20_000);
  time();
  await settled();
  expect(time()).toMatchObject({ endMs: 30_000 });
});
