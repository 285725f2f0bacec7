import { isPartOfBreak, isSameEvent } from '../media/scte35/splice-point.ts';
import type { SegmentWindow, WindowSegment, WindowSplice } from '../segment/segment-window.ts';
import { announcedEndMs } from '../segment/splice-list.ts';

/** How far a cut may be from its splice point, in milliseconds. */
export const CUT_TOLERANCE_MS = 45;
/** What is left of a break has to last so long to be begun, in milliseconds. */
const LEAST_BREAK_MS = 1000;
/** A break without an end lasts so long, in milliseconds. */
const MOST_BREAK_MS = 600_000;

/**
 * Break by splice points that contains a segment of the stream: the one that started last, but an opportunity rather than an advertisement in it.
 *
 * @param doneMs time up to which splice points are done, in milliseconds
 */
export function spliceBreakAt(
  stream: SegmentWindow,
  { startMs }: Pick<WindowSegment, 'startMs'>,
  doneMs: number,
): WindowSplice | undefined {
  return stream
    .splices()
    .filter(({ kind, atMs }) => kind === 'out' && atMs > doneMs && atMs <= startMs + CUT_TOLERANCE_MS)
    .filter((splice) => spliceBreakEnd(stream, splice) >= startMs + LEAST_BREAK_MS)
    .findLast((splice, _at, running) => !running.some((whole) => isPartOfBreak(splice, whole)));
}

/** Up to when splice points are done with where a break is to be joined anew. */
export function beforeSplice({ atMs }: WindowSplice): number {
  return atMs - 1;
}

/** When a break ends: with the next splice point that says so or after the announced time, whichever is earlier, or where it was taken back. */
export function spliceBreakEnd(stream: SegmentWindow, out: WindowSplice): number {
  const { atMs } = out;
  const splices = stream.splices();
  const isStart = (other: WindowSplice): boolean =>
    other === out || isSameEvent(other, out) || (other.eventId === null && out.eventId === null);
  const isKnown = splices.some((other) => other.kind === 'out' && other.atMs === atMs && isStart(other));
  const isKept = atMs >= (stream.bounds()?.fromMs ?? 0);
  if (!isKnown && isKept) return atMs;
  // The return of a break inside this one does not end it. One of no break that is known does: another input may have taken over.
  const isOfOther = (end: WindowSplice): boolean =>
    !isSameEvent(end, out) && splices.some((other) => other.kind === 'out' && isSameEvent(end, other));
  const end = splices.find((other) => other.kind === 'in' && other.atMs > atMs && !isOfOther(other));
  return Math.min(end?.atMs ?? Infinity, announcedEndMs(out), atMs + MOST_BREAK_MS);
}
