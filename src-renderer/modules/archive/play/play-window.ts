import { gapAt, rangeAt, type Gap } from '../ranges.ts';
import type { Range } from '../time-scale.ts';

/** Part of an archive that one address plays, or the live stream with its recent past. */
export interface PlayWindow {
  /** File below the name of the stream. */
  readonly file: string;
  /** Range of the window; the end is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly isLive: boolean;
}

/** Part of the window before the requested moment, and after it, in milliseconds. */
const LEAD_MS = 240_000;
const LENGTH_MS = 900_000;
/** Length of the recent past in a live window, in seconds; moments in its first part are played from the archive. */
const REWIND_SECONDS = 600;
const REWIND_MARGIN_MS = 60_000;

/** State of a stream; `isOnAir`: whether it has frames, because the archive alone is some seconds late. */
interface StreamState {
  readonly nowMs: number;
  readonly isOnAir: boolean;
  readonly recorded: readonly Range[];
}

const rewindStart = (nowMs: number): number => nowMs - REWIND_SECONDS * 1000;
const isInRewind = (ms: number, nowMs: number): boolean => ms > rewindStart(nowMs) + REWIND_MARGIN_MS;

/** Gap of a stream at a moment; undefined if it can be played there. The list of ranges is some seconds late. */
export function gapOf(ms: number, { nowMs, isOnAir, recorded }: StreamState): Gap | undefined {
  const gap = gapAt(recorded, ms);
  return gap?.to === null && isOnAir && isInRewind(ms, nowMs) ? undefined : gap;
}

/** Window that contains a moment. */
export function windowOf(ms: number, { nowMs, isOnAir, recorded }: StreamState): PlayWindow {
  const rewindFrom = rewindStart(nowMs);
  if (isOnAir && isInRewind(ms, nowMs))
    return { file: `rewind-${REWIND_SECONDS}.m3u8`, from: rewindFrom, to: Infinity, isLive: true };
  // The window must not start in an earlier range, but a page that was just opened may not know the ranges yet.
  const recordedFrom = rangeAt(recorded, ms)?.from ?? 0;
  const from = Math.floor(Math.max(0, ms - LEAD_MS, Math.min(recordedFrom, ms)) / 1000);
  return {
    file: `archive-${from}-${LENGTH_MS / 1000}.m3u8`,
    from: from * 1000,
    to: from * 1000 + LENGTH_MS,
    isLive: false,
  };
}

/** Segment of the player: its range in player seconds, and its moment. */
export interface TimedSegment {
  readonly start: number;
  readonly duration: number;
  readonly programDateTime: number | null;
  /** Discontinuity counter; changes after a gap or a switch of inputs. */
  readonly cc: number;
}

/**
 * Minimum distance of a start position from the start of its playlist or discontinuity, in seconds. Sound and pictures
 * start there up to one audio frame apart. At an earlier position, hls.js may load sound from before a switch and
 * pictures from after it, or find no segment of one of them, and then waits forever.
 */
export const DISCONTINUITY_SECONDS = 0.25;
/** Maximum distance between a position in a gap and the picture that is shown for it, in seconds. */
const MAX_GAP_SECONDS = 2;
/**
 * Offset into loaded data, in seconds; less than the duration of a picture. Browsers round positions to microseconds: at the
 * exact start of a picture they may show the previous one, which after a gap belongs to another time.
 */
const INSIDE_SECONDS = 0.004;

/** Segment at a position, if it starts at a discontinuity. */
function discontinuityAt(segments: readonly TimedSegment[], seconds: number): TimedSegment | undefined {
  const at = segments.findLastIndex(({ start }) => start <= seconds + 0.0005);
  return segments[at]?.cc === segments[at - 1]?.cc ? undefined : segments[at];
}

/** First seek position for a position that is not loaded: the position itself, but never the exact start of a discontinuity. */
export function firstSeekPosition(segments: readonly TimedSegment[], seconds: number): number {
  const discontinuity = discontinuityAt(segments, seconds);
  return discontinuity
    ? Math.max(seconds, discontinuity.start + Math.min(DISCONTINUITY_SECONDS, discontinuity.duration / 2))
    : seconds;
}

/** True if a position is loaded. */
export function isLoaded(buffered: TimeRanges, seconds: number): boolean {
  for (let at = 0; at < buffered.length; at++)
    if (buffered.start(at) <= seconds && seconds < buffered.end(at)) return true;
  return false;
}

/**
 * Loaded position to show for a requested position: the requested position itself, or, at the start of a discontinuity,
 * a position inside the first picture at which sound has started too, because nothing earlier is ever shown. Undefined
 * if there is none.
 *
 * @param isComplete whether the segment is completely loaded: then the picture next to a gap is shown, because nothing more will
 * arrive
 */
export function loadedPosition(
  buffered: TimeRanges,
  segments: readonly TimedSegment[],
  seconds: number,
  isComplete: boolean,
): number | undefined {
  const isDiscontinuity = firstSeekPosition(segments, seconds) > seconds;
  const inside = Math.max(seconds, (discontinuityAt(segments, seconds)?.start ?? -Infinity) + INSIDE_SECONDS);
  let nearest: number | undefined;
  for (let at = 0; at < buffered.length; at++) {
    const [start, end] = [buffered.start(at), buffered.end(at)];
    if (start <= inside && inside < end) return inside;
    if (isDiscontinuity && start > seconds && start - seconds < DISCONTINUITY_SECONDS) return start + INSIDE_SECONDS;
    const place = start > seconds ? start + INSIDE_SECONDS : Math.max(start, end - INSIDE_SECONDS);
    const off = Math.abs(place - seconds);
    if (off < MAX_GAP_SECONDS && off < Math.abs((nearest ?? Infinity) - seconds)) nearest = place;
  }
  return isComplete ? nearest : undefined;
}

/** Moment at a player position, in epoch milliseconds; undefined if unknown. */
export function momentOf(segments: readonly TimedSegment[], seconds: number): number | undefined {
  const found = segments.findLast(({ start }) => start <= seconds + 0.0005) ?? segments[0];
  if (!found || found.programDateTime === null) return undefined;
  return found.programDateTime + (seconds - found.start) * 1000;
}

/** Player position of a moment, in seconds; in a gap the start of the next segment. Undefined if there is neither. */
export function positionOf(segments: readonly TimedSegment[], ms: number): number | undefined {
  for (const { start, duration, programDateTime } of segments) {
    if (programDateTime === null) continue;
    const offset = (ms - programDateTime) / 1000;
    if (offset < duration) return start + Math.max(0, offset);
  }
  return undefined;
}

/** Tolerance: moments are rounded to milliseconds. */
const ROUNDED_MS = 1;

/** Start of the picture at a moment, counted in pictures from the start of its segment. Undefined outside all segments. */
export function frameOf(segments: readonly TimedSegment[], ms: number, frameMs: number): number | undefined {
  const place = positionOf(segments, ms);
  const found = place === undefined ? undefined : segments.findLast(({ start }) => start <= place + 0.0005);
  if (!found || found.programDateTime === null) return undefined;
  const offsetMs = Math.max(0, ms - found.programDateTime);
  return found.programDateTime + Math.floor((offsetMs + ROUNDED_MS) / frameMs) * frameMs;
}

/** End of the last segment; 0 without one. */
export function endMsOf(segments: readonly TimedSegment[]): number {
  const last = segments.at(-1);
  return last ? (last.programDateTime ?? 0) + last.duration * 1000 : 0;
}
