import type { SegmentWindow, TimeRange, WindowSegment } from './segment-window.ts';

/*
 * Queries of ordered lists of segments and periods; single items are found by binary search. Segments of one track start in order,
 * on the timeline of the window and in each period.
 */

/**
 * Index of the segment with an address; -1 if there is none. All segments must belong to one period, in which
 * addresses are start times.
 * @param prefixLength characters before the time in all addresses
 */
export function indexByAddress(segments: readonly WindowSegment[], address: string, prefixLength = 0): number {
  const startMs = Number(address.slice(prefixLength));
  const index = firstIndex(segments.length, (at) => (segments[at]?.segment.startMs ?? Infinity) >= startMs);
  return segments[index]?.address === address ? index : -1;
}

/** Binary search: first index below `count` that matches; `count` if none does. All indexes after the first match must match. */
export function firstIndex(count: number, matches: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Items of an ordered list that overlap a range. Each item lasts until the next one starts. */
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

/** Whether segment `msn` is complete in every continuing track of a window. */
export function isComplete(window: SegmentWindow, msn: number): boolean {
  return window.tracks.every(({ track }) => {
    const last = window.lastSegment(track.id);
    return !last || last.msn > msn || (last.msn === msn && last.segment.isComplete);
  });
}
