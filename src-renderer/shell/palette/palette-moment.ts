import { frameRateOf, readTime } from '../../modules/archive/time-code.ts';

const DAY_MS = 86_400_000;

/** Query that ends with a time, in the notation of the archive: `cam1 01:10:07`, `gate -5m`. */
export interface PaletteMoment {
  /** Text before the time. */
  readonly text: string;
  /** Epoch milliseconds, never in the future: a time of day that is still to come means yesterday. */
  readonly atMs: number;
}

/** Moment at the end of a query, by the clock of this machine; undefined if there is none. */
export function momentOf(query: string, nowMs: number): PaletteMoment | undefined {
  const tokens = query.trim().split(/\s+/);
  for (let at = Math.max(0, tokens.length - 2); at < tokens.length; at++) {
    const atMs = readTime(tokens.slice(at).join(' '), nowMs, frameRateOf(null), 'local');
    if (atMs === undefined) continue;
    return { text: tokens.slice(0, at).join(' '), atMs: atMs > nowMs ? atMs - DAY_MS : atMs };
  }
  return undefined;
}
