import { MARK_COLOURS, MARK_KINDS, type Mark } from '../../../domain/archive/marks.ts';
import type { LoudnessCurve } from './loudness-curve.ts';
import { drawLoudness } from './loudness-drawing.ts';
import { barsOf } from '../ranges.ts';
import { ticksOf, type Zone } from '../ticks.ts';
import { rootScale } from '../../../ui/theme-choice.ts';
import { xOf, type Range, type TimeScale } from '../time-scale.ts';

/** Data of a timeline drawing. Lengths are drawing units, times epoch milliseconds. */
export interface TimelineView {
  readonly scale: TimeScale;
  readonly width: number;
  readonly height: number;
  readonly zone: Zone;
  readonly lanes: readonly {
    readonly name: string;
    readonly recorded: readonly Range[];
    readonly loudness?: LoudnessCurve | undefined;
  }[];
  readonly marks: readonly Mark[];
  /** In point; null if it is not set. */
  readonly inMs: number | null;
  readonly outMs: number | null;
  readonly atMs: number | undefined;
  readonly nowMs: number;
  /** Label of the line at this moment. */
  readonly nowLabel: string;
  /** Position of the pointer; undefined if it is elsewhere. */
  readonly pointerX: number | undefined;
}

/** CSS pixels of a drawing unit: 1 or more, in half steps, so that most edges are sharp. */
export function drawingUnit(): number {
  return Math.max(1, Math.round(rootScale() * 2) / 2);
}

/** Height of the time ruler, and of the lane of marks above the recordings, in drawing units. */
export const RULER_PX = 22;
const MARKS_PX = 26;
const SEVERITY_COLOURS = { critical: '#ff5a5c', major: '#ffb020', info: '#7dbdff' } as const;
const INK = '#a9b5c0';
const UNRECORDED = '#1b2128';
/** Narrower gaps have no hatching, in pixels. */
const HATCHED_PX = 8;
/** Minimum width of a mark, in pixels. */
const MARK_PX = 3;

/** Height of one recording lane. */
export function laneHeight({ height, lanes }: Pick<TimelineView, 'height' | 'lanes'>): number {
  return (height - RULER_PX - MARKS_PX) / Math.max(1, lanes.length);
}

/** Draws a timeline. Invisible items cost nothing, and visible ones at most one bar per pixel. */
export function drawTimeline(context: CanvasRenderingContext2D, view: TimelineView): void {
  const { width, height, scale } = view;
  context.fillStyle = '#06080a';
  context.fillRect(0, 0, width, height);
  drawLanes(context, view);
  drawRuler(context, view);
  drawMarks(context, view);
  drawSelection(context, view);
  line(context, xOf(scale, view.nowMs), '#3ddc84', view, view.nowLabel);
  if (view.pointerX !== undefined) line(context, view.pointerX, '#ffffff66', view);
  if (view.atMs !== undefined) drawHead(context, view, xOf(scale, view.atMs));
}

function drawLanes(context: CanvasRenderingContext2D, view: TimelineView): void {
  const { lanes, scale, width } = view;
  const high = laneHeight(view);
  const endX = Math.min(width, xOf(scale, view.nowMs));
  for (const [index, { name, recorded, loudness }] of lanes.entries()) {
    const top = RULER_PX + MARKS_PX + index * high;
    const bars = barsOf(recorded, scale, width);
    context.fillStyle = UNRECORDED;
    context.fillRect(0, top + 1, Math.max(0, endX), high - 2);
    // Gaps are hatched, to distinguish an empty lane from a dark one.
    context.fillStyle = hatch(context) ?? UNRECORDED;
    let before = 0;
    for (const { x, width: wide } of [...bars, { x: Math.max(0, endX), width: 0 }]) {
      const gap = Math.min(x, Math.max(0, endX)) - before;
      if (gap >= HATCHED_PX) context.fillRect(before, top + 1, gap, high - 2);
      before = Math.max(before, x + wide);
    }
    context.fillStyle = index === 0 ? '#2f7f9e' : '#28637b';
    for (const bar of bars) {
      // Bars start and end at whole pixels, because soft edges cost more time than the bar.
      const [x, end] = [Math.floor(bar.x), Math.floor(bar.x + bar.width)];
      if (end > x) context.fillRect(x, top + 1, end - x, high - 2);
      else context.fillRect(bar.x, top + 1, bar.width, high - 2);
    }
    if (loudness) drawLoudness(context, loudness, view, { top: top + 1, high: high - 2 });
    if (high < 12) continue;
    context.font = '11px "Roboto Variable", sans-serif';
    context.textBaseline = 'middle';
    context.fillStyle = '#000a';
    context.fillRect(4, top + high / 2 - 8, context.measureText(name).width + 8, 16);
    context.fillStyle = '#f2f5f7';
    context.fillText(name, 8, top + high / 2);
  }
}

function drawRuler(context: CanvasRenderingContext2D, { scale, width, zone, height }: TimelineView): void {
  context.font = '11px "Roboto Variable", sans-serif';
  context.textBaseline = 'top';
  for (const { ms, label } of ticksOf(scale, width, zone)) {
    const x = Math.round(xOf(scale, ms)) + 0.5;
    context.fillStyle = label === undefined ? '#2b343d' : '#46525e';
    context.fillRect(x, label === undefined ? RULER_PX - 5 : 2, 1, label === undefined ? 5 : height);
    if (label === undefined) continue;
    context.fillStyle = INK;
    context.fillText(label, x + 4, 4);
  }
}

function drawMarks(context: CanvasRenderingContext2D, { marks, scale, width }: TimelineView): void {
  const endMs = scale.startMs + width * scale.msPerPx;
  // Of overlapping marks in a lane, the first is drawn.
  const drawn = [-1, -1, -1, -1];
  const byColour = new Map<string, { readonly x: number; readonly width: number; readonly top: number }[]>();
  for (const { kind, from, to, severity } of marks) {
    if (from > endMs) break;
    const x = Math.floor(xOf(scale, from));
    const end = to === null ? x : Math.min(width, Math.floor(xOf(scale, to)));
    if (end < 0) continue;
    const lane = MARK_KINDS.indexOf(kind);
    if (end <= (drawn[lane] ?? -1)) continue;
    const left = Math.max(0, x);
    drawn[lane] = Math.max(end, left + MARK_PX - 1);
    const colour = severity === undefined ? MARK_COLOURS[kind] : SEVERITY_COLOURS[severity];
    const same = byColour.get(colour) ?? [];
    same.push({ x: left, width: Math.max(MARK_PX, end - left), top: RULER_PX + 1 + lane * 6 });
    byColour.set(colour, same);
  }
  for (const [colour, rects] of byColour) {
    context.fillStyle = colour;
    for (const rect of rects) context.fillRect(rect.x, rect.top, rect.width, 5);
  }
}

function drawSelection(context: CanvasRenderingContext2D, view: TimelineView): void {
  const { inMs, outMs, scale, height, width } = view;
  if (inMs !== null && outMs !== null) {
    const [x, end] = [Math.max(0, xOf(scale, inMs)), Math.min(width, xOf(scale, outMs))];
    context.fillStyle = '#ffd84d33';
    if (end > x) context.fillRect(x, RULER_PX, end - x, height - RULER_PX);
  }
  for (const [ms, direction] of [
    [inMs, 1],
    [outMs, -1],
  ] as const) {
    if (ms === null) continue;
    const x = xOf(scale, ms);
    if (x < -10 || x > width + 10) continue;
    context.fillStyle = '#ffd84d';
    context.fillRect(x - 1, RULER_PX, 2, height - RULER_PX);
    context.fillRect(direction > 0 ? x : x - 8, RULER_PX, 8, 3);
    context.fillRect(direction > 0 ? x : x - 8, height - 3, 8, 3);
  }
}

function line(
  context: CanvasRenderingContext2D,
  x: number,
  colour: string,
  { width, height }: TimelineView,
  label = '',
): void {
  if (x < 0 || x > width) return;
  context.fillStyle = colour;
  context.fillRect(Math.round(x), 0, 1, height);
  if (label === '') return;
  context.font = '10px "Roboto Variable", sans-serif';
  context.textBaseline = 'bottom';
  context.fillText(label, Math.round(x) + 3, height - 2);
}

function drawHead(context: CanvasRenderingContext2D, { height, width }: TimelineView, x: number): void {
  if (x < -8 || x > width + 8) return;
  context.fillStyle = '#ffffff';
  context.fillRect(Math.round(x) - 1, 0, 2, height);
  context.beginPath();
  context.moveTo(x - 6, 0);
  context.lineTo(x + 6, 0);
  context.lineTo(x, 8);
  context.fill();
}

let pattern: CanvasPattern | null | undefined;

/** Hatching pattern, created once. */
function hatch(context: CanvasRenderingContext2D): CanvasPattern | null {
  if (pattern !== undefined) return pattern;
  const tile = document.createElement('canvas');
  [tile.width, tile.height] = [8, 8];
  const small = tile.getContext('2d');
  if (small) {
    small.fillStyle = '#14181d';
    small.fillRect(0, 0, 8, 8);
    small.strokeStyle = '#2b343d';
    for (const shift of [-8, 0, 8]) {
      small.moveTo(shift, 8);
      small.lineTo(shift + 8, 0);
    }
    small.stroke();
  }
  pattern = context.createPattern(tile, 'repeat');
  return pattern;
}
