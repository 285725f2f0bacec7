import { isoTime } from '../../lib/clock.ts';
import type { SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { initName, prefixOf } from '../address.ts';
import { decimal } from './attributes.ts';
import { canStart } from './start-position.ts';

/**
 * Number of segments listed before the first segment of a stream that has just started. They are as long as a part, and have no
 * media. Their address is the address of the init segment, because players that ignore gaps load them (VLC never plays if one
 * does not exist). Without them a new stream would list only parts, and players take a playlist without segments for an empty
 * one. Each of the three serves a player:
 * - The last one has a part: hls.js loads parts only after a part of an earlier segment.
 * - The last one is also the only one that is not marked as a gap. Shaka Player takes the type of the media from the address of
 *   a segment in the middle, or of the next segment if that is a gap, and fails on a segment without an address. Without low
 *   latency it ignores parts: it stops at a gap that is the last segment, and continues after another segment only.
 * - The first one moves the second into the middle.
 */
export const LEAD_IN_SEGMENTS = 3;

/**
 * Duration of the playlist at which the lead-in is removed, in target durations: from this duration on a segment may leave (RFC
 * 8216bis 6.2.2). The lead-in stays until a segment is complete: the first complete segment determines the target duration, so
 * EXT-X-MEDIA-SEQUENCE never decreases.
 */
const STAYS_TARGET_DURATIONS = 3;

/** Lines before the first segment of a stream that has just started. */
export interface LeadIn {
  /** Media sequence number of the first segment of the lead-in. */
  readonly firstMsn: number;
  readonly lines: readonly string[];
}

/**
 * Lead-in of a track while it needs one.
 * @param segments listed segments of the track
 * @param timescale timescale of the track
 */
export function leadInOf(
  window: SegmentWindow,
  segments: readonly WindowSegment[],
  targetSeconds: number,
  timescale: number,
): LeadIn | undefined {
  const [first] = segments;
  const { partMs, epochMs } = window;
  const count = LEAD_IN_SEGMENTS;
  if (partMs <= 0 || !first || first.msn !== window.firstMsn || first.msn < count) return undefined;
  const ticks = segments.reduce((sum, { segment }) => sum + segment.durationTicks, 0);
  const hasComplete = segments.some(({ segment }) => segment.isComplete);
  if (hasComplete && ticks >= STAYS_TARGET_DURATIONS * targetSeconds * timescale) return undefined;
  const duration = decimal(partMs / 1000);
  // Start position: at the usual distance from the live edge there would be only the lead-in, where hls.js without
  // low latency finds no media. Players start with the newest complete segment with which decoding can start.
  const complete = segments.findLastIndex((entry) => entry.segment.isComplete && canStart(entry));
  const start = complete >= 0 ? complete : segments.findIndex(canStart);
  const lines: string[] = [];
  if (start >= 0) {
    const beforeTicks = segments.slice(0, start).reduce((sum, { segment }) => sum + segment.durationTicks, 0);
    lines.push(`#EXT-X-START:TIME-OFFSET=${decimal((count * partMs) / 1000 + beforeTicks / timescale)}`);
  }
  const init = initName(first.segment.initId, prefixOf(first));
  lines.push(`#EXT-X-MAP:URI="${init}"`);
  for (let index = 0; index < count; index++) {
    const dateMs = first.startMs - (count - index) * partMs;
    if (epochMs !== undefined) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${isoTime(epochMs + dateMs)}`);
    lines.push(index < count - 1 ? '#EXT-X-GAP' : `#EXT-X-PART:DURATION=${duration},URI="${init}"`);
    lines.push(`#EXTINF:${duration},`, init);
  }
  return { firstMsn: first.msn - count, lines };
}
