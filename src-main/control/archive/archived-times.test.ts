import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ArchivedTimes } from './archived-times.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('asks for many streams at once, again after five seconds, and keeps what it knew where no answer comes', async () => {
  const clock = new FakeClock();
  const asked: number[] = [];
  let isThere = true;
  const times = new ArchivedTimes({
    clock,
    extents: async (streams) => {
      asked.push(streams.length);
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
  expect(asked).toEqual([500, 500, 200]);
  expect(all[1199]?.()).toEqual({ startMs: 1000, endMs: 2000 + startMs, blocks: 1, bytes: 10 });
  expect(all[3]?.()).toBeUndefined();
  expect(all[4]?.()).toEqual({ startMs: 1000, endMs: 3000, blocks: 1, bytes: 10 });
  clock.advance(4999);
  for (const one of all) one();
  await settled();
  expect(asked).toHaveLength(3);
  clock.advance(1);
  all[0]?.();
  await settled();
  expect(asked).toEqual([500, 500, 200, 1]);
  expect(all[0]?.()?.endMs).toBe(2000 + startMs + 5000);
  isThere = false;
  clock.advance(5000);
  all[0]?.();
  await settled();
  expect(all[0]?.()?.endMs).toBe(2000 + startMs + 5000);
});
