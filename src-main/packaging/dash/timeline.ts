import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { hasMedia } from '../playable-tracks.ts';
import { STEP_SEGMENTS } from '../segment-steps.ts';

/**
 * The segments of a period. The open segment is listed too, as soon as it has a part, with the length that it will have most likely: a player may
 * ask for it, and gets its parts as they come.
 */
export function* timeline(
  segments: readonly WindowSegment[],
  window: SegmentWindow,
  timescale: number,
): Generator<void, string> {
  let text = '';
  let expected = Number.NaN;
  const lengths: number[] = [];
  const isGrowing = window.mutability !== 'static' && window.partMs > 0;
  for (let index = 0; index < segments.length; index++) {
    if (index % STEP_SEGMENTS === STEP_SEGMENTS - 1) yield;
    const entry = segments[index] as WindowSegment;
    const { startMs, isComplete, isGap, durationTicks } = entry.segment;
    if (isGap || (!isComplete && !(isGrowing && hasMedia(entry)))) continue;
    const next = segments[index + 1]?.segment;
    const ownMs = Math.max(1, Math.round((durationTicks * 1000) / timescale));
    const duration = next ? next.startMs - startMs : isComplete ? ownMs : Math.max(likelyMs(lengths, window), ownMs);
    lengths.push(duration);
    text += startMs === expected ? `<S d="${duration}"/>` : `<S t="${startMs}" d="${duration}"/>`;
    expected = startMs + duration;
  }
  return text;
}

/** Segments whose lengths say how long the next one will be: the sound of segments of 2 s has the same lengths after four of them. */
const LIKE_SEGMENTS = 4;
/** Longer than the shortest of them by this factor is no usual length. */
const UNUSUAL = 1.5;

/**
 * How long the open segment will most likely be, in milliseconds: the longest of the usual lengths before it. Players look for the next segment where this one
 * is said to end. A frame later finds it; a frame earlier finds the same segment once more, and one that was said to be much longer takes the next one away.
 */
function likelyMs(lengths: readonly number[], { segmentMs }: SegmentWindow): number {
  // Shorter than configured are only those that a splice point, or the end of an input, has cut.
  const usual = lengths.slice(-LIKE_SEGMENTS).filter((ms) => ms > segmentMs / UNUSUAL);
  const most = Math.min(...usual) * UNUSUAL;
  return usual.length === 0 ? segmentMs : Math.max(...usual.filter((ms) => ms < most));
}
