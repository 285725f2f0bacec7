import { isComplete } from '../../segment/segment-list.ts';
import { targetDurationOf } from '../../segment/segmenter-options.ts';
import { hasHiddenStart, type Segment, type SegmentWindow, type WindowSegment } from '../../segment/segment-window.ts';
import { decimal } from './attributes.ts';

/** Minimum duration of a hidden start, in milliseconds; a shorter one is the delay of an audio encoder. */
const MIN_HIDDEN_MS = 100;
/** Distance from the live edge at which players start by default, in target durations (RFC 8216, 6.3.3). */
const HOLD_BACK_TARGET_DURATIONS = 3;
/** Range of the newest video segments that is read for the playlist of an audio track, in milliseconds: more than a GOP. */
const NEWEST_MS = 60_000;

/** Maximum number of complete segments of a window that counts as just started. */
const MAX_COMPLETE = 2;
/**
 * Maximum duration of a short segment, in parts: one part for the difference between tracks, one for the interval of
 * requests, and half a part for the network.
 */
const SHORT_PARTS = 2.5;

/**
 * EXT-X-START (RFC 8216bis, 4.4.2.2), where players must not choose the position themselves:
 * - In a file with a hidden start, players start inside the first segment, after the hidden media.
 * - With a preroll, they start at its first segment: a player that is slow to load would otherwise start after the preroll,
 *   near the live edge.
 * - If a GOP is longer than the target duration, they start at the newest complete segment that starts with a key frame. hls.js
 *   does not recover if decoding cannot start with its first segments.
 *
 * @param segments listed segments of a track
 */
export function startLines(window: SegmentWindow, segments: readonly WindowSegment[]): string[] {
  const [first] = segments;
  if (!first) return [];
  if (window.startMsn === first.msn) return ['#EXT-X-START:TIME-OFFSET=0,PRECISE=YES'];
  if (hasHiddenStart(window, first) && first.startMs <= -MIN_HIDDEN_MS)
    return [`#EXT-X-START:TIME-OFFSET=${decimal(-first.startMs / 1000)},PRECISE=YES`];
  if (window.mutability === 'static') return [];
  const startMsn = decodableMsn(videoOf(window, segments), targetDurationOf(window.segmentMs, window.longestSegmentMs));
  const start = segments.findLastIndex(({ msn }) => msn === startMsn);
  if (start < 0) return [];
  const seconds = segments.slice(0, start).reduce((sum, { segment }) => sum + secondsOf(window, segment), 0);
  return [`#EXT-X-START:TIME-OFFSET=${decimal(seconds)}`];
}

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

/** Whether decoding can start with a segment. */
export function canStart({ segment }: WindowSegment): boolean {
  return segment.parts[0]?.isIndependent === true;
}

function secondsOf({ tracks, listedTracks = tracks }: SegmentWindow, { trackId, durationTicks }: Segment): number {
  const timescale = listedTracks.find(({ track }) => track.id === trackId)?.track.timescale ?? Infinity;
  return durationTicks / timescale;
}

/** Newest segments of the video: `segments` if they are of a video track. */
function videoOf(window: SegmentWindow, segments: readonly WindowSegment[]): readonly WindowSegment[] {
  const videos = window.tracks.filter(({ track }) => track.content === 'video');
  const [first] = videos;
  const bounds = window.bounds();
  if (!first || !bounds) return [];
  if (videos.some(({ track }) => track.id === segments.at(-1)?.segment.trackId)) return segments;
  return window.segments(first.track.id, { fromMs: bounds.toMs - NEWEST_MS, toMs: bounds.toMs });
}

/**
 * Number of the newest complete segment with which decoding can start, if it cannot start with every segment near the live edge.
 */
function decodableMsn(video: readonly WindowSegment[], targetSeconds: number): number | undefined {
  const nearMs = (video.at(-1)?.startMs ?? 0) - (HOLD_BACK_TARGET_DURATIONS + 1) * targetSeconds * 1000;
  const near = video.slice(video.findLastIndex(({ startMs }) => startMs < nearMs) + 1);
  if (near.every((entry) => entry.segment.parts.length === 0 || canStart(entry))) return undefined;
  return video.findLast((entry) => entry.segment.isComplete && canStart(entry))?.msn;
}
