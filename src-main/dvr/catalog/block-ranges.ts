import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import type { BlockHead } from '../block/block-head.ts';
import type { BlockIndex } from '../block/block-index.ts';
import type { TimeRange } from './catalog-store.ts';

/** Maximum duration of a gap that is ignored, in milliseconds: tracks do not end and start at the same moment. */
const JOIN_MS = 500;
/** Maximum duration of a stored range, in milliseconds, so that a search for a time looks back no further. */
export const MAX_RANGE_MS = 120_000;
/** Maximum duration of a block in milliseconds; more means damage. */
export const MAX_BLOCK_MS = 86_400_000;

/** Joins ranges ordered by start, ignoring gaps that are too short to count. */
export class RangeJoiner {
  #open: { startMs: number; endMs: number } | undefined;

  /** Adds the next range. @returns the previous range, if there is a gap between the two */
  add(startMs: number, endMs: number): TimeRange | undefined {
    const open = this.#open;
    if (open && startMs - open.endMs <= JOIN_MS) {
      if (endMs > open.endMs) open.endMs = endMs;
      return undefined;
    }
    this.#open = { startMs, endMs };
    return open;
  }

  /** Returns the last range; undefined if there was none. */
  end(): TimeRange | undefined {
    const open = this.#open;
    this.#open = undefined;
    return open;
  }
}

/** Ranges in which any track of a block has media: ordered, none longer than `MAX_RANGE_MS`. */
export function rangesOf(head: BlockHead, index: BlockIndex): readonly TimeRange[] {
  const timescales = new Map(head.tracks.map(({ id, timescale }) => [trackNumber(id), timescale]));
  const times: TimeRange[] = [];
  for (const { trackNumber: number, startTicks, durationTicks, isGap } of index.segments) {
    const timescale = timescales.get(number);
    if (timescale === undefined || isGap) continue;
    const startMs = Math.round(ticksToMs(startTicks, timescale));
    const endMs = Math.round(ticksToMs(startTicks + durationTicks, timescale));
    if (Math.abs(startMs - head.startMs) <= MAX_BLOCK_MS)
      times.push({ startMs, endMs: Math.min(endMs, startMs + MAX_BLOCK_MS) });
  }
  times.sort((a, b) => a.startMs - b.startMs);
  const joiner = new RangeJoiner();
  const joined: TimeRange[] = [];
  for (const time of times) {
    const before = joiner.add(time.startMs, time.endMs);
    if (before) joined.push(before);
  }
  const last = joiner.end();
  if (last) joined.push(last);
  return joined.flatMap(split);
}

/** Identity of a block's content: copies on other disks have the same key, though their files may have other names. */
export function contentKey({ startMs, endMs, sizeBytes }: TimeRange & { readonly sizeBytes: number }): string {
  return `${startMs} ${endMs} ${sizeBytes}`;
}

function split({ startMs, endMs }: TimeRange): TimeRange[] {
  const parts: TimeRange[] = [];
  for (let at = startMs; at < endMs; at += MAX_RANGE_MS)
    parts.push({ startMs: at, endMs: Math.min(endMs, at + MAX_RANGE_MS) });
  return parts;
}
