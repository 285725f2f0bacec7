import { ticksToMsUp } from '../media/timing/ticks.ts';
import type { SegmentWindow, WindowSegment } from '../segment/segment-window.ts';
import { isWhole } from '../segment/segment-list.ts';

/** Complete segments that a viewer begins with where there are no parts. */
const BEGIN_SEGMENTS = 3;
/** What players that load segments whole are behind the stream at least, besides two segments of it, in milliseconds. */
const WHOLE_BEHIND_MS = 1000;

/**
 * The segment of the stream that a preroll begins with: it is seen from its begin, and as much of it is there at once as the player keeps behind the stream. Where
 * there are parts players begin near the live edge: with the last segment that is complete in every track, because they take a playlist that has an
 * open one alone for an empty one, or fail.
 *
 * @param segments those of the leading track
 * @param loadsWhole whether the player loads segments whole, also where there are parts
 * @returns undefined where no segment is complete
 */
export function prerollBegin(
  stream: SegmentWindow,
  segments: readonly WindowSegment[],
  loadsWhole = false,
): WindowSegment | undefined {
  const complete = segments.filter(({ segment }) => segment.isComplete);
  if (stream.partMs === 0) return complete.at(-BEGIN_SEGMENTS) ?? complete[0];
  const fromMs = endOfListed(stream) - stream.segmentMs * 2 - WHOLE_BEHIND_MS;
  const farther = loadsWhole ? complete.find(({ startMs }) => startMs >= fromMs) : undefined;
  return farther ?? complete.findLast(({ msn }) => isWhole(stream, msn)) ?? complete.at(-1);
}

/** End of what is listed of the stream, in milliseconds: its last complete segment, or its last part. */
export function endOfListed(stream: SegmentWindow): number {
  const leader = stream.tracks[0];
  const isListed = ({ segment }: WindowSegment): boolean => segment.isComplete || stream.partMs > 0;
  const last = leader && stream.segments(leader.track.id).findLast(isListed);
  return last ? last.startMs + ticksToMsUp(last.segment.durationTicks, leader.track.timescale) : 0;
}
