import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { isComplete } from '../../segment/segment-list.ts';

/** Maximum number of complete segments of a window that has just started. */
const MAX_WHOLE = 2;
/**
 * Maximum duration of a short segment, in parts: tracks may differ by one, a player asks again after one, and half of
 * one is for the network.
 */
const SHORT_PARTS = 2.5;

/**
 * Segments in the first playlist of a player if the window has just started, as for a viewer with a preroll, and its segments are
 * short: segments that are complete in every track. All other segments follow in the next playlist, which is available at once.
 * Shaka (5.2) moves the parts of its first playlists to the times of their dates, and leaves the segments around them in place.
 * If a track starts a millisecond or more after the other, it keeps its last known segment beside the one that replaces it in the
 * next playlist, provided that the earlier ones have left the time at which it counts. If that is an open segment, Shaka waits
 * for its next part, which arrives in the other one: it loads nothing of that track until the player seeks, some seconds later.
 * Of a complete one it loads the parts a second time, and continues.
 *
 * @param partTicks longest part, in ticks of the track
 */
export function firstSegments(
  window: SegmentWindow,
  segments: readonly WindowSegment[],
  partTicks: number,
): readonly WindowSegment[] {
  if (segments.length > MAX_WHOLE + 1) return segments;
  const complete = segments.filter(({ msn }) => isComplete(window, msn));
  const areShort =
    complete.length > 0 && complete.every(({ segment }) => segment.durationTicks < SHORT_PARTS * partTicks);
  return areShort && complete.length < segments.length ? complete : segments;
}
