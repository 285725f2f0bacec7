import { expect, it } from 'vitest';
import { PictureTimes, type PictureTime } from './picture-times.ts';

const STEP = 3600;

/** Times of pictures, one in each PES packet, with a reorder depth. Times are in pictures. */
function timesOf(
  depth: number,
  packets: readonly (readonly [pts: number, dts?: number])[],
): (PictureTime | undefined)[] {
  const times = new PictureTimes({ orderOf: () => undefined, reorderDepth: depth, orderStep: 1 });
  return packets.map(([pts, dts], index) => {
    times.packet(index * 100, pts * STEP, dts === undefined ? undefined : dts * STEP);
    const time = times.next({
      startPosition: index * 100,
      endPosition: index * 100 + 100,
      isRandomAccess: index === 0,
      bytes: new Uint8Array(0),
      sliceStart: 0,
      sliceEnd: 0,
      unitRate: 25,
    });
    return time && { ptsTicks: time.ptsTicks / STEP, dtsTicks: time.dtsTicks / STEP };
  });
}

it('moves decoding times back that are late from the first picture on', () => {
  const times = timesOf(1, [[0], [3, 1], [1, 2], [2, 3], [6, 4], [4, 5], [5, 6], [9, 7]]);
  expect(times).toEqual([0, 3, 1, 2, 6, 4, 5, 9].map((ptsTicks, index) => ({ ptsTicks, dtsTicks: index - 1 })));
});

it('keeps decoding times that follow the computed one, and those of pictures that state none because both are equal', () => {
  const times = timesOf(1, [[0], [3, 0], [1], [2], [6, 3], [4], [5], [9, 6]]);
  expect(times.map((time) => time?.dtsTicks)).toEqual([-1, 0, 1, 2, 3, 4, 5, 6]);
});

it('computes decoding times while none are stated', () => {
  const times = timesOf(1, [[0], [3], [1], [2], [6], [4], [5]]);
  expect(times.map((time) => time?.dtsTicks)).toEqual([-1, 0, 1, 2, 3, 4, 5]);
});
