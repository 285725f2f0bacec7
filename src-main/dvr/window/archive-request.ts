import type { TimeRange } from '../../segment/segment-window.ts';

/** Which time of an archive is to be played, in epoch milliseconds. */
export type ArchiveRequest =
  /** From one time up to another, which may be infinite: up to now, and on. For one reader who takes it in order it may have any length. */
  | { readonly kind: 'range'; readonly fromMs: number; readonly toMs: number; readonly isInOrder?: boolean }
  /** The live stream, and so much before it. */
  | { readonly kind: 'rewind'; readonly depthMs: number }
  /** As if it were on air now, so many milliseconds later than it was. */
  | { readonly kind: 'shifted'; readonly shiftMs: number }
  /** The blocks that have something of a minute, which begins then. */
  | { readonly kind: 'minute'; readonly fromMs: number };

/** Longest time that one window has, in milliseconds: a playlist of it has 43 200 segments of 2 s. */
export const MAX_RANGE_MS = 86_400_000;
/** Length of a minute in milliseconds. */
export const MINUTE_MS = 60_000;
/** How much of a shifted time is in its window, in milliseconds, and in segments. */
const SHIFTED_MS = 60_000;
const SHIFTED_SEGMENTS = 10;

/** How long a time is; one without an end is that up to now. */
export function lengthOf({ fromMs, toMs }: TimeRange, nowMs: number): number {
  return (toMs === Infinity ? nowMs : toMs) - fromMs;
}

/** Names the window of a request: all who ask for the same share it. */
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

/** The time that a request shows now. */
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
