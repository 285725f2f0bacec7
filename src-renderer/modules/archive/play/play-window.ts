import { stretchAt } from '../time/stretches.ts';
import type { Stretch } from '../time/time-scale.ts';

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
  }: { readonly nowMs: number; readonly isOnAir: boolean; readonly recorded: readonly Stretch[] },
): PlayWindow {
  const rewindFrom = nowMs - REWIND_SECONDS * 1000;
  if (isOnAir && ms > rewindFrom + REWIND_MARGIN_MS)
    return { file: `rewind-${REWIND_SECONDS}.m3u8`, from: rewindFrom, to: Infinity, isLive: true };
  // Not so much before it that another stretch comes first: what is loaded first is at the begin.
  const begin = stretchAt(recorded, ms)?.from ?? ms;
  const from = Math.floor(Math.max(0, ms - LEAD_MS, Math.min(begin, ms)) / 1000);
  return {
    file: `archive-${from}-${LENGTH_MS / 1000}.m3u8`,
    ...{ from: from * 1000, to: from * 1000 + LENGTH_MS, isLive: false },
  };
}

/**
 * Nothing live is begun before this, in seconds: sound and pictures begin up to a frame of sound apart, and hls.js takes a start before the first frame of one
 * of them for none: it begins that one at the live edge, the other here, and waits for ever for a place that has both.
 */
const LEAST_LIVE_SECONDS = 0.25;

/**
 * About where a moment lies in what a window plays, in seconds: gaps are not in it, and a live window begins where the recording does. Never behind its end:
 * players wait there for ever.
 */
export function startSeconds(ms: number, { from, isLive }: PlayWindow, recorded: readonly Stretch[]): number {
  const known = recorded.filter((stretch) => stretch.to > from && stretch.from < ms);
  const least = isLive ? LEAST_LIVE_SECONDS : 0;
  if (known.length === 0) return isLive ? least : Math.max(0, (ms - from) / 1000);
  const before = known.reduce((sum, stretch) => sum + Math.min(stretch.to, ms) - Math.max(stretch.from, from), 0);
  return Math.max(least, before / 1000);
}

/** A segment as a player knows it: where it is in the player, in seconds, and its moment. */
export interface PlacedSegment {
  readonly start: number;
  readonly duration: number;
  readonly programDateTime: number | null;
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
