import type { SegmentWindow, WindowSegment, WindowSplice } from '../segment/segment-window.ts';
import { announcedEndMs } from '../segment/splice-list.ts';

/** How far a cut may be from its splice point, in milliseconds. */
export const CUT_TOLERANCE_MS = 45;
/** What is left of a break has to last so long to be begun, in milliseconds. */
const LEAST_BREAK_MS = 1000;
/** A break without an end lasts so long, in milliseconds. */
const MOST_BREAK_MS = 600_000;

/**
 * The break by splice points that a segment of the stream lies in.
 *
 * @param doneMs splice points up to this time are done with
 */
export function spliceBreakAt(
  stream: SegmentWindow,
  { startMs }: Pick<WindowSegment, 'startMs'>,
  doneMs: number,
): WindowSplice | undefined {
  return stream
    .splices()
    .filter(({ kind, atMs }) => kind === 'out' && atMs > doneMs && atMs <= startMs + CUT_TOLERANCE_MS)
    .findLast((splice) => spliceBreakEnd(stream, splice) >= startMs + LEAST_BREAK_MS);
}

/** Up to when splice points are done with where a break is to be joined anew. */
export function beforeSplice({ atMs }: WindowSplice): number {
  return atMs - 1;
}

/** When a break ends: with the next splice point that says so or after the announced time, whichever is earlier, or where it was taken back. */
export function spliceBreakEnd(stream: SegmentWindow, out: WindowSplice): number {
  const { atMs, eventId } = out;
  const splices = stream.splices();
  const isKnown = splices.some((other) => other.kind === 'out' && other.atMs === atMs && other.eventId === eventId);
  const isKept = atMs >= (stream.bounds()?.fromMs ?? 0);
  if (!isKnown && isKept) return atMs;
  // The return of a break inside this one does not end it. One of no break that is known does: another input may have taken over.
  const isOfOther = (id: number | null): boolean =>
    id !== null && id !== eventId && splices.some((other) => other.kind === 'out' && other.eventId === id);
  const end = splices.find((other) => other.kind === 'in' && other.atMs > atMs && !isOfOther(other.eventId));
  return Math.min(end?.atMs ?? Infinity, announcedEndMs(out), atMs + MOST_BREAK_MS);
}
