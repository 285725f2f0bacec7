/** What a timeline shows: the moment at its left edge, and how much time a pixel is. Times are epoch milliseconds. */
export interface TimeScale {
  readonly startMs: number;
  readonly msPerPx: number;
}

/** A range of time. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The finest scale: a frame of 40 ms is 40 pixels wide. The coarsest: a month on 300 pixels. */
const FINEST_MS_PER_PX = 1;
const COARSEST_MS_PER_PX = 12_000_000;

/** Where a moment lies, in pixels from the left edge. */
export function xOf({ startMs, msPerPx }: TimeScale, ms: number): number {
  return (ms - startMs) / msPerPx;
}

/** The moment at a place. */
export function msAt({ startMs, msPerPx }: TimeScale, x: number): number {
  return startMs + x * msPerPx;
}

/** What is shown on so many pixels. */
export function shownOf({ startMs, msPerPx }: TimeScale, widthPx: number): Range {
  return { from: startMs, to: startMs + widthPx * msPerPx };
}

/** A scale on which a range fills so many pixels. */
export function scaleOf({ from, to }: Range, widthPx: number): TimeScale {
  const msPerPx = bounded((to - from) / Math.max(1, widthPx));
  return { startMs: (from + to) / 2 - (msPerPx * widthPx) / 2, msPerPx };
}

/** A scale in which everything is so many times as long; the moment at `x` stays where it is. */
export function zoomed(scale: TimeScale, factor: number, x: number): TimeScale {
  const msPerPx = bounded(scale.msPerPx / factor);
  return { startMs: msAt(scale, x) - x * msPerPx, msPerPx };
}

/** A scale that is moved by so many pixels. */
export function moved({ startMs, msPerPx }: TimeScale, px: number): TimeScale {
  return { startMs: startMs + px * msPerPx, msPerPx };
}

/** The same scale, moved so far that some of `all` stays in the middle of what is shown. */
export function kept(scale: TimeScale, all: Range, widthPx: number): TimeScale {
  const half = (widthPx * scale.msPerPx) / 2;
  const middle = Math.max(all.from, Math.min(all.to, scale.startMs + half));
  return { startMs: middle - half, msPerPx: scale.msPerPx };
}

/** The same scale with a moment in sight: moved only where it is within `marginPx` of an edge, or beyond. */
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
