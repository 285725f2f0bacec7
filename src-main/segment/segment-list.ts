import type { SegmentWindow, TimeRange, WindowSegment } from './segment-window.ts';

/*
 * Questions to ordered lists of segments and periods, those to a single one answered by halving. Segments of one track begin one after the other, on the
 * timeline of the window as in each period.
 */

/**
 * Index of the segment with an address; -1 where there is none. For the media of one period, whose addresses are its start times.
 *
 * @param prefixLength characters that stand before the time in all addresses
 */
export function indexByAddress(segments: readonly WindowSegment[], address: string, prefixLength = 0): number {
  const startMs = Number(address.slice(prefixLength));
  const index = firstIndex(segments.length, (at) => (segments[at]?.segment.startMs ?? Infinity) >= startMs);
  return segments[index]?.address === address ? index : -1;
}

/** The first of so many indexes at which something holds, which holds at all later ones too; `count` where it never does. */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Those of an ordered list that have a moment of a range: each lasts until the next one begins. */
export function inRange<T extends { readonly startMs: number }>(
  list: readonly T[],
  { fromMs, toMs }: TimeRange,
): readonly T[] {
  const startAt = (index: number): number => list[index]?.startMs ?? Infinity;
  const after = firstIndex(list.length, (index) => startAt(index) > fromMs);
  return list.slice(
    Math.max(0, after - 1),
    firstIndex(list.length, (index) => startAt(index) >= toMs),
  );
}

/** Whether every track of a window that goes on has a segment to its end. */
export function isWhole(window: SegmentWindow, msn: number): boolean {
  return window.tracks.every(({ track }) => {
    const last = window.lastSegment(track.id);
    return !last || last.msn > msn || (last.msn === msn && last.segment.isComplete);
  });
}
