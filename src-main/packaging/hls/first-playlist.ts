import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { isWhole } from '../../segment/segment-list.ts';

/** A window with more complete segments has not just started. */
const MOST_WHOLE = 2;
/** Maximum length in parts of a short segment: tracks may differ by one, a player asks again after one, and half of one is for the network. */
const SHORT_PARTS = 2.5;

/**
 * First playlist of a player when the window has just started, as it does for a viewer with a preroll, and its segments are
 * short: complete segments that every track has, and no open one. All others follow in the next playlist, which is ready at once.
 *
 * Shaka (5.2) moves the parts of its first playlists to their dates, and leaves the segments around them in place. If a track
 * starts a millisecond or more after the other, Shaka keeps the last segment it knew beside its replacement in the next playlist.
 * If that is an open segment, Shaka waits for its next part, which arrives in the replacement, and loads nothing of the track
 * until the player seeks some seconds later. Of a complete segment it loads the parts twice, and continues.
 *
 * @param partTicks maximum length of a part, in ticks of the track
 */
export function firstSegments(
  window: SegmentWindow,
  segments: readonly WindowSegment[],
  partTicks: number,
): readonly WindowSegment[] {
  if (segments.length > MOST_WHOLE + 1) return segments;
  const whole = segments.filter(({ msn }) => isWhole(window, msn));
  const areShort = whole.length > 0 && whole.every(({ segment }) => segment.durationTicks < SHORT_PARTS * partTicks);
  return areShort && whole.length < segments.length ? whole : segments;
}
