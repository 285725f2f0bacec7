import { frameRateOf, readTime } from '../../modules/archive/time/time-code.ts';

const DAY_MS = 86_400_000;

/** A query that ends with a time, as the archive takes it: `cam1 01:10:07`, `gate -5m`. */
export interface PaletteMoment {
  /** What stands before the time. */
  readonly words: string;
  /** Epoch milliseconds, never after now: a time of the day that is still to come is yesterday's. */
  readonly atMs: number;
}

/** The moment that a query ends with, by the clock of this machine; undefined where it ends with none. */
export function momentOf(query: string, nowMs: number): PaletteMoment | undefined {
  const tokens = query.trim().split(/\s+/);
  for (let at = Math.max(0, tokens.length - 2); at < tokens.length; at++) {
    const atMs = readTime(tokens.slice(at).join(' '), nowMs, frameRateOf(null), 'local');
    if (atMs === undefined) continue;
    return { words: tokens.slice(0, at).join(' '), atMs: atMs > nowMs ? atMs - DAY_MS : atMs };
  }
  return undefined;
}
