import type { SegmentWindow, WindowSegment, WindowTrack } from '../segment/segment-window.ts';

/** Whether a segment has media. */
export function hasMedia({ segment }: WindowSegment): boolean {
  return segment.parts.length > 0;
}

/**
 * Tracks with media; none before the first part of every track, because players learn the tracks once. A track that stays silent
 * is not waited for once the first segment is complete.
 */
export function playableTracks(window: SegmentWindow): readonly WindowTrack[] {
  const playable = window.tracks.filter(({ track }) => hasAnyMedia(window, track.id));
  const isWaiting =
    playable.length < window.tracks.length &&
    !playable.some(({ track }) => window.segments(track.id).some(({ segment }) => segment.isComplete));
  return isWaiting ? [] : playable;
}

/** Mostly the newest segment has media, so a long window need not be listed. */
function hasAnyMedia(window: SegmentWindow, trackId: string): boolean {
  const last = window.lastSegment(trackId);
  return last !== undefined && (hasMedia(last) || window.segments(trackId).some(hasMedia));
}

/** Whether every started track has a complete segment. */
export function hasCompleteSegment(window: SegmentWindow): boolean {
  // Mostly the newest segment is one, so a long window need not be listed.
  const isWhole = ({ segment }: WindowSegment): boolean => segment.isComplete && !segment.isGap;
  const others = window.tracks.filter(({ track }) => {
    const last = window.lastSegment(track.id);
    return !last || !hasMedia(last) || !isWhole(last);
  });
  const begun = others.map(({ track }) => window.segments(track.id)).filter((one) => one.some(hasMedia));
  return others.length < window.tracks.length && begun.length === 0
    ? true
    : begun.length > 0 && begun.every((one) => one.some(isWhole));
}
