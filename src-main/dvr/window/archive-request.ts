import type { TimeRange } from '../../segment/segment-window.ts';

/** Time of an archive to play, in epoch milliseconds. */
export type ArchiveRequest =
  /** Range; the end may be Infinity for now and the future. Any duration is possible for a single reader who reads in order. */
  | { readonly kind: 'range'; readonly fromMs: number; readonly toMs: number; readonly isInOrder?: boolean }
  /** Live stream, and `depthMs` of the archive before it. */
  | { readonly kind: 'rewind'; readonly depthMs: number }
  /** Playback delayed by a constant number of milliseconds. */
  | { readonly kind: 'shifted'; readonly shiftMs: number }
  /** Blocks that overlap a minute. */
  | { readonly kind: 'minute'; readonly fromMs: number };

/** Maximum duration of a window in milliseconds: its playlist has 43 200 segments of 2 s. */
export const MAX_RANGE_MS = 86_400_000;
export const MINUTE_MS = 60_000;
/** Size of a delayed window in milliseconds and in segments. */
const SHIFTED_MS = 60_000;
const SHIFTED_SEGMENTS = 10;

/** Duration of a range; without an end, up to now. */
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

/** Current time range of a request. */
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
