import type { SegmentWindow, WindowSegment, WindowTrack } from '../segment/segment-window.ts';

/** Reports whether a segment has loadable media. */
export function hasMedia({ segment }: WindowSegment): boolean {
  return segment.parts.length > 0;
}

/** Number of newest segments examined for random access points at their start. */
const RECENT_SEGMENTS = 32;

/** Reports whether the newest segments of a track start with random access points. */
export function startsIndependent(window: SegmentWindow, trackId: string): boolean {
  let entry = window.lastSegment(trackId);
  for (let count = 0; entry && count < RECENT_SEGMENTS; count++) {
    if (entry.segment.parts[0]?.isIndependent === false) return false;
    entry = window.segmentByMsn(trackId, entry.msn - 1);
  }
  return true;
}

/**
 * Tracks that can be played; none before the first part of every track, because players read the tracks once. After the first
 * complete segment, a track without media is ignored.
 */
export function playableTracks(window: SegmentWindow): readonly WindowTrack[] {
  const playable = window.tracks.filter(({ track }) => hasAnyMedia(window, track.id));
  const isWaiting =
    playable.length < window.tracks.length &&
    !playable.some(({ track }) => window.segments(track.id).some(({ segment }) => segment.isComplete));
  return isWaiting ? [] : playable;
}

/**
 * Whether any segment of a track has media. Checks the newest segment first, because listing a long window is
 * expensive.
 */
function hasAnyMedia(window: SegmentWindow, trackId: string): boolean {
  const last = window.lastSegment(trackId);
  return last !== undefined && (hasMedia(last) || window.segments(trackId).some(hasMedia));
}

/** Reports whether there is a complete segment of every track that has started. */
export function hasCompleteSegment(window: SegmentWindow): boolean {
  // Checks the newest segments first, because listing a long window is expensive.
  const isComplete = ({ segment }: WindowSegment): boolean => segment.isComplete && !segment.isGap;
  const others = window.tracks.filter(({ track }) => {
    const last = window.lastSegment(track.id);
    return !last || !hasMedia(last) || !isComplete(last);
  });
  const started = others.map(({ track }) => window.segments(track.id)).filter((one) => one.some(hasMedia));
  return others.length < window.tracks.length && started.length === 0
    ? true
    : started.length > 0 && started.every((one) => one.some(isComplete));
}
