import { expect, it } from 'vitest';
import { testMedia } from '../../tests/helpers/test-media.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import { MAX_CACHE_BYTES } from '../stream/unit-cache.ts';
import { CatchUp } from './catch-up.ts';

const { video: track } = testMedia();
const FREE = { bytes: 0, lagMs: 0, progressMs: 0 };

function unitAt(ms: number, bytes = 10): StreamUnit {
  const ticks = (ms * track.timescale) / 1000;
  const data = new Uint8Array(bytes);
  return { track, dtsTicks: ticks, ptsTicks: ticks, lastsTicks: 0, isRandomAccess: ms === 0, data, arrivedMs: ms };
}

it('CatchUp waits for a busy target, and reports when more waits than may be stored', () => {
  const catchUp = new CatchUp([unitAt(0), unitAt(40)], 0);
  expect(catchUp.take(0, { ...FREE, bytes: 2 * 1024 * 1024 })).toBeUndefined();
  expect(catchUp.take(0, { ...FREE, lagMs: 3000 })).toBeUndefined();
  expect(catchUp.take(0, FREE)).toMatchObject({ arrivedMs: 0 });
  expect([catchUp.waiting, catchUp.lagMs, catchUp.isTooLong]).toEqual([1, 0, false]);
  catchUp.add(unitAt(80, MAX_CACHE_BYTES));
  expect([catchUp.waiting, catchUp.lagMs, catchUp.isTooLong]).toEqual([2, 40, true]);
});
