import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { isComplete } from '../../segment/segment-list.ts';

/** Maximum number of complete segments of a window that counts as just started. */
const MAX_COMPLETE = 2;
/**
 * Maximum duration of a short segment, in parts: one by which tracks may differ, one after which a player requests again, and
 * half a part for the network.
 */
const SHORT_PARTS = 2.5;

/**
 * Segments in the first playlist of a player if the window has just started, as for a viewer with a preroll, and its segments are
 * short: the segments that are complete in every track. All other segments follow in the next playlist, which is available at
 * once. An open segment in the first playlist can stop Shaka Player (5.2). It moves the parts of its first playlists to the times
 * of their dates, but not the segments. If one track starts a millisecond or more after the other, Shaka then has the last
 * segment twice: at the old time, and at the new time from the next playlist. If that segment is open, Shaka waits for its next
 * part at the old time and loads nothing of the track until the player seeks. If it is complete, Shaka loads its parts twice and
 * continues.
 *
 * @param partTicks longest part, in ticks of the track
 */
export function firstSegments(
  window: SegmentWindow,
  segments: readonly WindowSegment[],
  partTicks: number,
): readonly WindowSegment[] {
  if (segments.length > MAX_COMPLETE + 1) return segments;
  const complete = segments.filter(({ msn }) => isComplete(window, msn));
  const areShort =
    complete.length > 0 && complete.every(({ segment }) => segment.durationTicks < SHORT_PARTS * partTicks);
  return areShort && complete.length < segments.length ? complete : segments;
}
