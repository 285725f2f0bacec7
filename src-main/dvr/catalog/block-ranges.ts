import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import type { BlockHead } from '../block/block-head.ts';
import type { BlockIndex } from '../block/block-index.ts';
import type { TimeRange } from './catalog-store.ts';

/** What follows so closely, in milliseconds, is no hole: tracks do not end and begin at the same moment. */
const JOIN_MS = 500;
/** Longest range of a row: what covers a time begins at most so long before it, in milliseconds. */
export const MAX_STRETCH_MS = 120_000;
/** What a block says beyond this length is damage, in milliseconds. */
export const MAX_BLOCK_MS = 86_400_000;

/** Joins ranges that come ordered by their begin; what is shorter than a hole is none. */
export class RangeJoiner {
  #open: { startMs: number; endMs: number } | undefined;

  /** The next one. @returns the range before it, where there is a hole between them */
  add(startMs: number, endMs: number): TimeRange | undefined {
    const open = this.#open;
    if (open && startMs - open.endMs <= JOIN_MS) {
      if (endMs > open.endMs) open.endMs = endMs;
      return undefined;
    }
    this.#open = { startMs, endMs };
    return open;
  }

  /** The last range; undefined where there was none. */
  end(): TimeRange | undefined {
    const open = this.#open;
    this.#open = undefined;
    return open;
  }
}

/** When a block has media, of any track: ordered, none longer than `MAX_STRETCH_MS`. */
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

/** Names what a block of a stream holds: copies of it on other disks have the same name, though their files may be named otherwise. */
export function contentKey({ startMs, endMs, sizeBytes }: TimeRange & { readonly sizeBytes: number }): string {
  return `${startMs} ${endMs} ${sizeBytes}`;
}

function split({ startMs, endMs }: TimeRange): TimeRange[] {
  const parts: TimeRange[] = [];
  for (let at = startMs; at < endMs; at += MAX_STRETCH_MS)
    parts.push({ startMs: at, endMs: Math.min(endMs, at + MAX_STRETCH_MS) });
  return parts;
}
