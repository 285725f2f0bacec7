import type { AccessUnit } from '../../media/access-unit.ts';
import { forEachSample, type SampleVisitor } from '../../media/containers/isobmff/chunk-reader.ts';

/** Ticks per second of MPEG-2 systems. */
const SYSTEM_TIMESCALE = 90_000;

/** Access unit that waits to be muxed: a view of the memory of its part. */
export interface QueuedUnit extends AccessUnit {
  readonly dtsTicks: number;
}

/**
 * Converts UTC ticks of a track to UTC in 90 kHz ticks. Seconds and the rest are converted separately, because the
 * product exceeds 2^53.
 */
export function toSystemTicks(ticks: number, timescale: number): number {
  if (timescale === SYSTEM_TIMESCALE) return ticks;
  const seconds = Math.floor(ticks / timescale);
  return seconds * SYSTEM_TIMESCALE + Math.round(((ticks - seconds * timescale) * SYSTEM_TIMESCALE) / timescale);
}

/**
 * Consecutive access units of CMAF chunks, in decoding order.
 * @param shiftTicks offset added to their times, in 90 kHz ticks
 */
export function unitsOf(trackId: string, timescale: number, chunk: Uint8Array, shiftTicks = 0): QueuedUnit[] {
  const units: QueuedUnit[] = [];
  const visit: SampleVisitor = (start, sizeBytes, dtsTicks, ptsTicks, _durationTicks, isSync) => {
    units.push({
      trackId,
      dtsTicks: toSystemTicks(dtsTicks, timescale) + shiftTicks,
      ptsTicks: toSystemTicks(ptsTicks, timescale) + shiftTicks,
      isRandomAccess: isSync,
      data: chunk.subarray(start, start + sizeBytes),
    });
  };
  for (let at = 0; at >= 0 && at < chunk.length;) at = forEachSample(chunk, visit, at);
  return units;
}

/** Merges the units of several tracks, each in decoding order, into one list in decoding order. */
export function mergeByTime(lists: readonly (readonly QueuedUnit[])[]): QueuedUnit[] {
  const all = lists.flat();
  // Sorting is stable: units of one track with the same time keep their order.
  return all.sort((a, b) => a.dtsTicks - b.dtsTicks);
}
