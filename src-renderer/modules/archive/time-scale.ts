/** Visible part of a timeline: moment at the left edge, and time per pixel. Times are epoch milliseconds. */
export interface TimeScale {
  readonly startMs: number;
  readonly msPerPx: number;
}

/** Time range. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Finest scale: a frame of 40 ms is 40 pixels wide. Coarsest: a month on 300 pixels. */
const FINEST_MS_PER_PX = 1;
const COARSEST_MS_PER_PX = 12_000_000;

/** Position of a moment, in pixels from the left edge. */
export function xOf({ startMs, msPerPx }: TimeScale, ms: number): number {
  return (ms - startMs) / msPerPx;
}

/** Moment at a position. */
export function msAt({ startMs, msPerPx }: TimeScale, x: number): number {
  return startMs + x * msPerPx;
}

/** Visible range for a width. */
export function shownOf({ startMs, msPerPx }: TimeScale, widthPx: number): Range {
  return { from: startMs, to: startMs + widthPx * msPerPx };
}

/** Scale at which a range fills a width. */
export function scaleOf({ from, to }: Range, widthPx: number): TimeScale {
  const msPerPx = bounded((to - from) / Math.max(1, widthPx));
  return { startMs: (from + to) / 2 - (msPerPx * widthPx) / 2, msPerPx };
}

/** Scale zoomed by a factor around `x`, whose moment stays in place. */
export function zoomed(scale: TimeScale, factor: number, x: number): TimeScale {
  const msPerPx = bounded(scale.msPerPx / factor);
  return { startMs: msAt(scale, x) - x * msPerPx, msPerPx };
}

/** Scale moved by a number of pixels. */
export function moved({ startMs, msPerPx }: TimeScale, px: number): TimeScale {
  return { startMs: startMs + px * msPerPx, msPerPx };
}

/** Scale limited so that a part of `all` stays in the middle. */
export function clamped(scale: TimeScale, all: Range, widthPx: number): TimeScale {
  const half = (widthPx * scale.msPerPx) / 2;
  const middle = Math.max(all.from, Math.min(all.to, scale.startMs + half));
  return { startMs: middle - half, msPerPx: scale.msPerPx };
}

/** Scale that shows a moment; moved only if the moment is within `marginPx` of an edge, or outside. */
export function following(scale: TimeScale, ms: number, widthPx: number, marginPx: number): TimeScale {
  const x = xOf(scale, ms);
  if (x >= marginPx && x <= widthPx - marginPx) return scale;
  const isFar = x < -widthPx || x > 2 * widthPx;
  const to = isFar ? widthPx / 2 : x < marginPx ? widthPx - marginPx * 2 : marginPx * 2;
  return moved(scale, x - to);
}

function bounded(msPerPx: number): number {
  return Math.max(FINEST_MS_PER_PX, Math.min(COARSEST_MS_PER_PX, msPerPx));
}
