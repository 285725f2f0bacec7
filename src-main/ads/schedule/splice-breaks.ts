import { isPartOfBreak, isSameEvent } from '../../media/scte35/splice-point.ts';
import type { SegmentWindow, WindowSegment, WindowSplice } from '../../segment/segment-window.ts';
import { announcedEndMs } from '../../segment/splice-list.ts';

/** Maximum distance between a cut and its splice point, in milliseconds. */
export const CUT_TOLERANCE_MS = 45;
/** Minimum remaining duration of a break for a viewer to join it, in milliseconds. */
const MIN_BREAK_MS = 1000;
/** Maximum length of a break without an announced end, in milliseconds. */
const MAX_BREAK_MS = 600_000;

/**
 * Break at a splice point that contains a segment of the stream. If there are several, it is the latest one, but an
 * advertisement inside an opportunity does not replace the opportunity.
 * @param doneMs time up to which splice points are handled, in milliseconds
 */
export function spliceBreakAt(
  stream: SegmentWindow,
  { startMs }: Pick<WindowSegment, 'startMs'>,
  doneMs: number,
): WindowSplice | undefined {
  return stream
    .splices()
    .filter(({ kind, atMs }) => kind === 'out' && atMs > doneMs && atMs <= startMs + CUT_TOLERANCE_MS)
    .filter((splice) => spliceBreakEnd(stream, splice) >= startMs + MIN_BREAK_MS)
    .findLast((splice, _at, running) => !running.some((outer) => isPartOfBreak(splice, outer)));
}

/** Value of `doneMs` with which a break can be joined again. */
export function beforeSplice({ atMs }: WindowSplice): number {
  return atMs - 1;
}

/**
 * End of a break: the next splice point that ends it or the announced time, whichever is earlier; its start if it was
 * cancelled.
 */
export function spliceBreakEnd(stream: SegmentWindow, out: WindowSplice): number {
  const { atMs } = out;
  const splices = stream.splices();
  const isStart = (other: WindowSplice): boolean =>
    other === out || isSameEvent(other, out) || (other.eventId === null && out.eventId === null);
  const isKnown = splices.some((other) => other.kind === 'out' && other.atMs === atMs && isStart(other));
  const isRetained = atMs >= (stream.bounds()?.fromMs ?? 0);
  if (!isKnown && isRetained) return atMs;
  // The return of a nested break does not end the outer break. A return without a break does, because it may come from another
  // input.
  const isOfOther = (end: WindowSplice): boolean =>
    !isSameEvent(end, out) && splices.some((other) => other.kind === 'out' && isSameEvent(end, other));
  const end = splices.find((other) => other.kind === 'in' && other.atMs > atMs && !isOfOther(other));
  return Math.min(end?.atMs ?? Infinity, announcedEndMs(out), atMs + MAX_BREAK_MS);
}
