import { msAt, type TimeScale } from './time-scale.ts';
import { TEXTS } from './texts.ts';

/** Time zone in which the desk shows times. */
export type Zone = 'utc' | 'local';

/** Line of the timeline; the label is undefined for a minor line. */
export interface Tick {
  readonly ms: number;
  readonly label: string | undefined;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps between labels, each with the step of minor lines. */
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
/** Width of a label, in pixels. */
const LABEL_PX = 84;
/** Maximum number of lines; more would be an error in the steps. */
const MAX_TICKS = 2000;

/** Offset of a time zone from UTC at a moment, in milliseconds. */
export function offsetOf(ms: number, zone: Zone): number {
  return zone === 'utc' ? 0 : -new Date(ms).getTimezoneOffset() * MINUTE;
}

/** Lines of a timeline in a time zone, with at most one label per 84 pixels. */
export function ticksOf(scale: TimeScale, widthPx: number, zone: Zone): Tick[] {
  const [labelMs, lineMs] = STEPS.find(([step]) => step / scale.msPerPx >= LABEL_PX) ?? ([28 * DAY, 7 * DAY] as const);
  const endMs = msAt(scale, widthPx);
  const ticks: Tick[] = [];
  // Lines of an hour or more align with local hours: the offset is determined for each line.
  let at = Math.floor((scale.startMs + offsetOf(scale.startMs, zone)) / lineMs) * lineMs;
  for (let count = 0; count < MAX_TICKS; count++, at += lineMs) {
    const ms = at - offsetOf(at - offsetOf(at, zone), zone);
    if (ms > endMs) break;
    if (ms < scale.startMs || ms <= (ticks.at(-1)?.ms ?? -Infinity)) continue;
    ticks.push({ ms, label: at % labelMs === 0 ? tickLabel(at, labelMs) : undefined });
  }
  return ticks;
}

/** @param zonedMs local time of the zone, as if it were UTC */
function tickLabel(zonedMs: number, stepMs: number): string {
  const date = new Date(zonedMs);
  const clock = date.toISOString().slice(11, stepMs < SECOND ? 23 : stepMs < MINUTE ? 19 : 16);
  if (zonedMs % DAY !== 0) return stepMs < SECOND ? clock.slice(0, 10) : clock;
  return `${date.getUTCDate()} ${TEXTS.months[date.getUTCMonth()] ?? ''}`;
}
