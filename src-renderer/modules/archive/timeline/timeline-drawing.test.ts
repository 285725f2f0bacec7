import { expect, it } from 'vitest';
import type { Mark } from '../../../domain/archive/marks.ts';
import { drawTimeline, laneHeight, type TimelineView } from './timeline-drawing.ts';

/** Records drawing calls. */
function aContext(): { context: CanvasRenderingContext2D; rects: number[][]; texts: string[] } {
  const rects: number[][] = [];
  const texts: string[] = [];
  const context = {
    fillRect: (...place: number[]) => rects.push(place),
    fillText: (text: string) => texts.push(text),
    measureText: () => ({ width: 10 }),
    createPattern: () => null,
    beginPath() {},
    moveTo() {},
    lineTo() {},
    fill() {},
    // Without layout, the canvas of this document draws nothing.
  } as unknown as CanvasRenderingContext2D;
  return { context, rects, texts };
}

const DAY = 86_400_000;
const NOW = Date.UTC(2027, 0, 15);
const view = (more: Partial<TimelineView> = {}): TimelineView => ({
  scale: { startMs: NOW - DAY, msPerPx: DAY / 1000 },
  width: 1000,
  height: 300,
  zone: 'utc',
  lanes: [],
  marks: [],
  inMs: null,
  outMs: null,
  atMs: undefined,
  nowMs: NOW,
  nowLabel: 'now',
  pointerX: undefined,
  ...more,
});

it('drawTimeline draws a day of 25 streams with 100 000 marks in a number of steps limited by its pixels', () => {
  const recorded = Array.from({ length: 40_000 }, (_, at) => ({
    from: NOW - DAY + at * 2160,
    to: NOW - DAY + at * 2160 + 2000,
  }));
  const lanes = Array.from({ length: 25 }, (_, at) => ({ name: `cam${at}`, recorded }));
  const marks = Array.from({ length: 100_000 }, (_, at): Mark => ({
    kind: 'note',
    id: `${at}`,
    name: 'cam0',
    from: NOW - DAY + at * 864,
    to: null,
    text: '',
  }));
  const { context, rects, texts } = aContext();
  drawTimeline(context, view({ lanes, marks, height: 700 }));
  expect(rects.length).toBeLessThan(25 * 1002 + 1500);
  expect(texts).toContain('cam24');
});

it('drawTimeline draws loudness over recorded ranges', () => {
  const { context, rects } = aContext();
  const loudness = { from: NOW - DAY / 2, step_ms: DAY / 10, low: [-59, null], high: [-32, null] };
  const lanes = [{ name: 'cam', recorded: [], loudness }];
  drawTimeline(context, view({ lanes, height: 150 }));
  const high = laneHeight({ height: 150, lanes }) - 2;
  expect(rects).toContainEqual([500, 49 + high / 2, 100, high / 2]);
});

it('drawTimeline draws selection, position and current time, and nothing outside the view', () => {
  const { context, rects, texts } = aContext();
  drawTimeline(context, view({ inMs: NOW - DAY / 2, outMs: NOW - DAY / 4, atMs: NOW - DAY / 2, pointerX: 10 }));
  expect(rects).toContainEqual([500, 22, 250, 278]);
  expect(texts).toContain('now');
  const before = rects.length;
  drawTimeline(context, view({ inMs: 0, outMs: 1, atMs: 2, nowMs: 3 }));
  expect(rects.length).toBeLessThan(2 * before);
  expect(texts.filter((text) => text === 'now')).toHaveLength(1);
});

it('laneHeight divides the height among the streams', () => {
  expect(laneHeight(view({ lanes: [] }))).toBe(252);
  expect(
    laneHeight(
      view({
        lanes: [
          { name: 'a', recorded: [] },
          { name: 'b', recorded: [] },
        ],
      }),
    ),
  ).toBe(126);
});
