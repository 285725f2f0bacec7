import type { TimeRange } from '../../segment/segment-window.ts';

/** Time of an archive to play, in epoch milliseconds. */
export type ArchiveRequest =
  /**
   * Time range; `toMs` is Infinity for a range without an end. With `isInOrder` it has a single reader who reads in
   * order, and may have any duration.
   */
  | { readonly kind: 'range'; readonly fromMs: number; readonly toMs: number; readonly isInOrder?: boolean }
  /** Live stream, and `depthMs` of the archive before it. */
  | { readonly kind: 'rewind'; readonly depthMs: number }
  /** Live stream with a constant delay. */
  | { readonly kind: 'shifted'; readonly shiftMs: number }
  /** All blocks that overlap the minute that starts at `fromMs`. */
  | { readonly kind: 'minute'; readonly fromMs: number };

/** Maximum duration of a window in milliseconds: its playlist has 43 200 segments of 2 s. */
export const MAX_RANGE_MS = 86_400_000;
export const MINUTE_MS = 60_000;
/** Duration of a window with a delay, in milliseconds and in segments; the longer one applies. */
const SHIFTED_MS = 60_000;
const SHIFTED_SEGMENTS = 10;

/** Duration of a range in milliseconds; without an end, up to now. */
export function lengthOf({ fromMs, toMs }: TimeRange, nowMs: number): number {
  return (toMs === Infinity ? nowMs : toMs) - fromMs;
}

/** Cache key of a window: equal requests share it. */
export function keyOf(stream: string, request: ArchiveRequest): string {
  switch (request.kind) {
    case 'range':
      return `${stream}\nrange ${request.fromMs} ${request.toMs}`;
    case 'rewind':
      return `${stream}\nrewind ${request.depthMs}`;
    case 'shifted':
      return `${stream}\nshifted ${request.shiftMs}`;
    case 'minute':
      return `${stream}\nminute ${request.fromMs}`;
  }
}

/** Time range of a request at present, in epoch milliseconds; of a range at most its first 24 hours. */
export function timeOf(
  request: ArchiveRequest,
  nowMs: number,
  segmentMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  switch (request.kind) {
    case 'range':
      return { fromMs: request.fromMs, toMs: Math.min(request.toMs, request.fromMs + MAX_RANGE_MS) };
    case 'rewind':
      return { fromMs: nowMs - request.depthMs, toMs: Infinity };
    case 'shifted': {
      const toMs = nowMs - request.shiftMs;
      return { fromMs: toMs - Math.max(SHIFTED_MS, SHIFTED_SEGMENTS * segmentMs), toMs };
    }
    case 'minute':
      return { fromMs: request.fromMs, toMs: request.fromMs + MINUTE_MS };
  }
}
