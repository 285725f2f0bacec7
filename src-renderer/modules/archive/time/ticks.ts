import { msAt, type TimeScale } from './time-scale.ts';
import { TEXTS } from '../texts.ts';

/** In which time the desk shows moments. */
export type Zone = 'utc' | 'local';

/** A line of the timeline with its moment, and what is written there; undefined for a line between. */
export interface Tick {
  readonly ms: number;
  readonly label: string | undefined;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps between labels, each with the step of the lines between. */
const STEPS: readonly (readonly [labelMs: number, lineMs: number])[] = [
  [100, 20],
  [500, 100],
  [SECOND, 200],
  [2 * SECOND, SECOND],
  [5 * SECOND, SECOND],
  [10 * SECOND, 2 * SECOND],
  [30 * SECOND, 5 * SECOND],
  [MINUTE, 10 * SECOND],
  [2 * MINUTE, 30 * SECOND],
  [5 * MINUTE, MINUTE],
  [15 * MINUTE, 5 * MINUTE],
  [30 * MINUTE, 5 * MINUTE],
  [HOUR, 15 * MINUTE],
  [3 * HOUR, HOUR],
  [6 * HOUR, HOUR],
  [12 * HOUR, 3 * HOUR],
  [DAY, 6 * HOUR],
  [2 * DAY, DAY],
  [7 * DAY, DAY],
  [28 * DAY, 7 * DAY],
];
/** Room of a label, in pixels. */
const LABEL_PX = 84;
/** More lines than this are a mistake in the steps. */
const MAX_TICKS = 2000;

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
export function offsetOf(ms: number, zone: Zone): number {
  return zone === 'utc' ? 0 : -new Date(ms).getTimezoneOffset() * MINUTE;
}

/** The lines of a timeline of so many pixels, in the time of a zone: at most one label on 84 pixels. */
export function ticksOf(scale: TimeScale, widthPx: number, zone: Zone): Tick[] {
  const [labelMs, lineMs] = STEPS.find(([step]) => step / scale.msPerPx >= LABEL_PX) ?? ([28 * DAY, 7 * DAY] as const);
  const endMs = msAt(scale, widthPx);
  const ticks: Tick[] = [];
  // Lines of hours and more stand at hours of the zone: its offset is looked up at each line.
  let at = Math.floor((scale.startMs + offsetOf(scale.startMs, zone)) / lineMs) * lineMs;
  for (let count = 0; count < MAX_TICKS; count++, at += lineMs) {
    const ms = at - offsetOf(at - offsetOf(at, zone), zone);
    if (ms > endMs) break;
    if (ms < scale.startMs || ms <= (ticks.at(-1)?.ms ?? -Infinity)) continue;
    ticks.push({ ms, label: at % labelMs === 0 ? tickLabel(at, labelMs) : undefined });
  }
  return ticks;
}

/** @param zonedMs milliseconds of the zone, as if it were UTC */
function tickLabel(zonedMs: number, stepMs: number): string {
  const date = new Date(zonedMs);
  const clock = date.toISOString().slice(11, stepMs < SECOND ? 23 : stepMs < MINUTE ? 19 : 16);
  if (zonedMs % DAY !== 0) return stepMs < SECOND ? clock.slice(0, 10) : clock;
  return `${date.getUTCDate()} ${TEXTS.months[date.getUTCMonth()] ?? ''}`;
}
