import { xOf, type TimeScale } from '../time-scale.ts';
import { loudnessBars, type LoudnessBar, type LoudnessCurve } from './loudness-curve.ts';

/** Part of a lane for the curve, in CSS pixels. */
interface LanePlace {
  readonly top: number;
  readonly high: number;
}

/** Drawn curve. */
interface DrawnCurve {
  readonly canvas: HTMLCanvasElement;
  readonly msPerPx: number;
  readonly high: number;
  readonly ratio: number;
}

const AREA = '#8fe0c866';
const EDGE = '#c9f7e9';
/** Maximum width of a cached curve, in CSS pixels; a wider curve has few visible bars, which are drawn each time. */
const MAX_PX = 4096;

const drawn = new WeakMap<LoudnessCurve, DrawnCurve>();

/**
 * Draws the loudness over recorded ranges, from minimum to maximum of each step, with a weaker colour below, so that silence
 * differs from sound. A curve is drawn once per scale and only moved while the timeline scrolls or plays.
 */
export function drawLoudness(
  context: CanvasRenderingContext2D,
  curve: LoudnessCurve,
  { scale, width }: { readonly scale: TimeScale; readonly width: number },
  { top, high }: LanePlace,
): void {
  const curvePx = Math.ceil((curve.low.length * curve.step_ms) / scale.msPerPx);
  const cached = curvePx <= MAX_PX && high >= 1 ? cachedCurve(curve, scale.msPerPx, curvePx, high) : undefined;
  if (!cached) drawBars(context, loudnessBars(curve, scale, width), { top, high });
  else context.drawImage(cached, Math.round(xOf(scale, curve.from)), top, curvePx, high);
}

function cachedCurve(
  curve: LoudnessCurve,
  msPerPx: number,
  width: number,
  high: number,
): HTMLCanvasElement | undefined {
  const ratio = window.devicePixelRatio || 1;
  const known = drawn.get(curve);
  if (known?.msPerPx === msPerPx && known.high === high && known.ratio === ratio) return known.canvas;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.max(1, Math.round(width * ratio)), Math.round(high * ratio)];
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawBars(context, loudnessBars(curve, { startMs: curve.from, msPerPx }, width), { top: 0, high });
  drawn.set(curve, { canvas, msPerPx, high, ratio });
  return canvas;
}

/** Draws all bars of one colour before the next: changing the colour costs more than a bar. */
function drawBars(context: CanvasRenderingContext2D, bars: readonly LoudnessBar[], { top, high }: LanePlace): void {
  context.fillStyle = AREA;
  for (const bar of bars) context.fillRect(bar.x, top + high * (1 - bar.high), bar.width, high * bar.high);
  context.fillStyle = EDGE;
  for (const bar of bars) {
    const y = top + high * (1 - bar.high);
    context.fillRect(bar.x, y, bar.width, Math.max(1, high * (bar.high - bar.low)));
  }
}
