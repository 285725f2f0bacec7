import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { isWhole } from '../../segment/segment-list.ts';

/** A window with more complete segments has not just started. */
const MOST_WHOLE = 2;
/** Maximum length in parts of a short segment: tracks may differ by one, a player asks again after one, and half of one is for the network. */
const SHORT_PARTS = 2.5;

/**
 * What the first playlist of a player lists where the window has just begun, as it does for a viewer with a preroll, and its segments are short: those that are whole in
 * every track, and no open one. All follow in the next playlist, which is there at once.
 *
 * Shaka (5.2) moves the parts of its first playlists to the time that their dates say, and leaves the segments around them where they were. A track that begins a
 * millisecond or more behind the other keeps the last one of those that it knew beside the one that the next playlist has in its place, if those before it
 * have left the time that it counts as there. As long as that is an open one, it waits for its next part, which comes in the other: it loads nothing of that track
 * until the player seeks, some seconds later. Of a whole one it loads the parts a second time, and goes on.
 *
 * @param partTicks longest part, in ticks of the track
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
