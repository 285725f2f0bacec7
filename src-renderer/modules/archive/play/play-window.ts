import { rangeAt } from '../time/ranges.ts';
import type { Range } from '../time/time-scale.ts';

/** What one address plays: a time of the archive, or the live stream with what was shortly before. */
export interface PlayWindow {
  /** File below the name of the stream. */
  readonly file: string;
  /** What it has; its end is not in it. */
  readonly from: number;
  readonly to: number;
  readonly isLive: boolean;
}

/** So much before the moment that is wanted is in a window too, and so much behind it, in milliseconds. */
const LEAD_MS = 240_000;
const LENGTH_MS = 900_000;
/** The live stream is played with so much before it, in seconds; what is within the first part of that is better played from the archive. */
const REWIND_SECONDS = 600;
const REWIND_MARGIN_MS = 60_000;

/**
 * The window that plays a moment.
 *
 * @param isOnAir whether the stream gives frames: the archive alone is some seconds behind
 */
export function windowOf(
  ms: number,
  {
    nowMs,
    isOnAir,
    recorded,
  }: { readonly nowMs: number; readonly isOnAir: boolean; readonly recorded: readonly Range[] },
): PlayWindow {
  const rewindFrom = nowMs - REWIND_SECONDS * 1000;
  if (isOnAir && ms > rewindFrom + REWIND_MARGIN_MS)
    return { file: `rewind-${REWIND_SECONDS}.m3u8`, from: rewindFrom, to: Infinity, isLive: true };
  // Not so much before it that another range comes first, as far as that is known: a page that has just been opened may not know it yet.
  const begin = rangeAt(recorded, ms)?.from ?? 0;
  const from = Math.floor(Math.max(0, ms - LEAD_MS, Math.min(begin, ms)) / 1000);
  return {
    file: `archive-${from}-${LENGTH_MS / 1000}.m3u8`,
    from: from * 1000,
    to: from * 1000 + LENGTH_MS,
    isLive: false,
  };
}

/** A segment as a player knows it: where it is in the player, in seconds, and its moment. */
export interface PlacedSegment {
  readonly start: number;
  readonly duration: number;
  readonly programDateTime: number | null;
  /** Another one behind a gap or a switch of inputs. */
  readonly cc: number;
}

/**
 * A player starts at least so much behind the begin of a playlist, and of what begins anew, in seconds: there sound and picture begin up to a frame of sound
 * apart. hls.js waits for ever where it takes one of them from before a switch and the other from behind it, or one at the live edge because it has none before.
 */
export const ANEW_SECONDS = 0.25;
/** A picture as near to a hole is shown in its place, in seconds. */
const HOLE_SECONDS = 2;
/**
 * So much inside of what is loaded, in seconds: less than a picture lasts. Browsers round what they play to microseconds: at the very begin of a picture they may show
 * the one before it, which behind a gap is of another time.
 */
const INSIDE_SECONDS = 0.004;

/** The segment of a place, where that begins anew. */
function anewAt(segments: readonly PlacedSegment[], seconds: number): PlacedSegment | undefined {
  const at = segments.findLastIndex(({ start }) => start <= seconds + 0.0005);
  return segments[at]?.cc === segments[at - 1]?.cc ? undefined : segments[at];
}

/** Where a player goes first for a place that it has not loaded: that place, but not the very begin of what begins anew. */
export function firstPlace(segments: readonly PlacedSegment[], seconds: number): number {
  const anew = anewAt(segments, seconds);
  return anew ? Math.max(seconds, anew.start + Math.min(ANEW_SECONDS, anew.duration / 2)) : seconds;
}

/** Whether a place is loaded. */
export function isLoaded(buffered: TimeRanges, seconds: number): boolean {
  for (let at = 0; at < buffered.length; at++)
    if (buffered.start(at) <= seconds && seconds < buffered.end(at)) return true;
  return false;
}

/**
 * A place that is loaded: this one, or for the begin of what begins anew inside of its first picture, where sound has begun too; before that nothing is ever shown. Undefined where
 * none is.
 *
 * @param isWhole whether all that belongs there was loaded: then the picture next to a hole is shown, for nothing more comes
 */
export function loadedPlace(
  buffered: TimeRanges,
  segments: readonly PlacedSegment[],
  seconds: number,
  isWhole: boolean,
): number | undefined {
  const isAnew = firstPlace(segments, seconds) > seconds;
  const inside = Math.max(seconds, (anewAt(segments, seconds)?.start ?? -Infinity) + INSIDE_SECONDS);
  let nearest: number | undefined;
  for (let at = 0; at < buffered.length; at++) {
    const [start, end] = [buffered.start(at), buffered.end(at)];
    if (start <= inside && inside < end) return inside;
    if (isAnew && start > seconds && start - seconds < ANEW_SECONDS) return start + INSIDE_SECONDS;
    const place = start > seconds ? start + INSIDE_SECONDS : Math.max(start, end - INSIDE_SECONDS);
    const off = Math.abs(place - seconds);
    if (off < HOLE_SECONDS && off < Math.abs((nearest ?? Infinity) - seconds)) nearest = place;
  }
  return isWhole ? nearest : undefined;
}

/** The moment of a place in the player, in epoch milliseconds; undefined where that is not known. */
export function momentOf(segments: readonly PlacedSegment[], seconds: number): number | undefined {
  const found = segments.findLast(({ start }) => start <= seconds + 0.0005) ?? segments[0];
  if (!found || found.programDateTime === null) return undefined;
  return found.programDateTime + (seconds - found.start) * 1000;
}

/** The place of a moment in the player, in seconds; in a gap the begin of what comes next. Undefined where it has neither. */
export function placeOf(segments: readonly PlacedSegment[], ms: number): number | undefined {
  for (const { start, duration, programDateTime } of segments) {
    if (programDateTime === null) continue;
    const behind = (ms - programDateTime) / 1000;
    if (behind < duration) return start + Math.max(0, behind);
  }
  return undefined;
}

/** A hair: moments are rounded to milliseconds. */
const ROUNDED_MS = 1;

/** When the picture of a moment begins: pictures of a segment follow its begin. Undefined where it is in no segment. */
export function frameOf(segments: readonly PlacedSegment[], ms: number, frameMs: number): number | undefined {
  const place = placeOf(segments, ms);
  const found = place === undefined ? undefined : segments.findLast(({ start }) => start <= place + 0.0005);
  if (!found || found.programDateTime === null) return undefined;
  const behindMs = Math.max(0, ms - found.programDateTime);
  return found.programDateTime + Math.floor((behindMs + ROUNDED_MS) / frameMs) * frameMs;
}

/** When the last segment ends; 0 without one. */
export function endMsOf(segments: readonly PlacedSegment[]): number {
  const last = segments.at(-1);
  return last ? (last.programDateTime ?? 0) + last.duration * 1000 : 0;
}
