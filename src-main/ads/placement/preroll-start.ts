import { ticksToMsUp } from '../../media/timing/ticks.ts';
import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { isComplete } from '../../segment/segment-list.ts';

/** Number of complete segments with which a viewer starts if there are no parts. */
const START_SEGMENTS = 3;
/**
 * Minimum distance from the live edge of players that load complete segments, on top of two segments, in
 * milliseconds.
 */
const COMPLETE_LAG_MS = 1000;

/**
 * Segment of the stream at which a preroll starts. The first seconds of the preroll are available at once, as many as
 * the player buffers. With parts, players start near the live edge. The preroll then starts at the last segment that
 * is complete in every track, because players treat a playlist with only an open segment as empty, or fail.
 * @param segments segments of the leading track
 * @param loadsFullSegments true if the player loads complete segments even when there are parts
 * @returns undefined if no segment is complete
 */
export function prerollStart(
  stream: SegmentWindow,
  segments: readonly WindowSegment[],
  loadsFullSegments = false,
): WindowSegment | undefined {
  const complete = segments.filter(({ segment }) => segment.isComplete);
  if (stream.partMs === 0) return complete.at(-START_SEGMENTS) ?? complete[0];
  const fromMs = endOfListed(stream) - stream.segmentMs * 2 - COMPLETE_LAG_MS;
  const farther = loadsFullSegments ? complete.find(({ startMs }) => startMs >= fromMs) : undefined;
  return farther ?? complete.findLast(({ msn }) => isComplete(stream, msn)) ?? complete.at(-1);
}

/** End of the listed part of the stream, in milliseconds: its last complete segment, or its last part. */
export function endOfListed(stream: SegmentWindow): number {
  const leader = stream.tracks[0];
  const isListed = ({ segment }: WindowSegment): boolean => segment.isComplete || stream.partMs > 0;
  const last = leader && stream.segments(leader.track.id).findLast(isListed);
  return last ? last.startMs + ticksToMsUp(last.segment.durationTicks, leader.track.timescale) : 0;
}
