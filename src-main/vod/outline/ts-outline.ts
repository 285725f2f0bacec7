import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { IndexStore } from '../index/index-store.ts';
import type { IndexedFile } from '../index/source-track.ts';
import type { Outline } from './outline.ts';
import { findPoints } from './ts-points.ts';
import { readRange } from './ts-range.ts';

/**
 * Outline of a transport stream, from a pass over its packet headers. Undefined unless it has exactly one video track with one
 * format.
 */
export async function tsOutline(file: IndexedFile, store?: IndexStore): Promise<Outline | undefined> {
  const found = await findPoints(file, store);
  if (!found) return undefined;
  const { program, tracks, startTicks, points, leftOut } = found;
  const shiftTicks = -startTicks;
  return {
    tracks: tracks.map(({ track }) => {
      const recordings = [{ first: 0, shiftTicks }];
      const transport = { trackId: track.id, programs: [{ first: 0, program }], recordings };
      return { track, timescale: INPUT_TIMESCALE, shiftTicks: 0, file: file.media, transport };
    }),
    points: points.map(({ ptsTicks, offset }, index) => ({
      ptsTicks: ptsTicks + shiftTicks,
      offset: index === 0 ? 0 : offset,
      endOffset: offset,
    })),
    hasDecodeTimes: true,
    leftOut,
    read: async (offset, endOffset) => readRange(file, found, offset, endOffset),
  };
}
