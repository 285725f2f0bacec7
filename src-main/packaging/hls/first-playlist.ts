import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { isComplete } from '../../segment/segment-list.ts';

/** Maximum number of complete segments of a window that counts as just started. */
const MAX_COMPLETE = 2;
/**
 * Maximum duration of a short segment, in parts: one part for the difference between tracks, one for the interval of
 * requests, and half a part for the network.
 */
const SHORT_PARTS = 2.5;

/**
 * Segments of the first playlist that a player gets. If the window has just started and has short segments, as for a
 * viewer with a preroll, the playlist lists only segments that are complete in every track. The other segments follow
 * in the next playlist, which is available at once. The reason is Shaka Player (5.2), which an open segment in the
 * first playlist can stop. Shaka moves the parts of its first playlists to the times of their dates, but not the
 * segments. If one track starts a millisecond or more after the other, Shaka then has the last segment twice: at the
 * old time, and at the new time from the next playlist. If this segment is open, Shaka waits for its next part at the
 * old time and loads nothing of the track until the player seeks. If the segment is complete, Shaka loads its parts
 * twice and continues.
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
