import { offsetOf, type Zone } from './ticks.ts';

/** Frame counting of a time code: frames per second, with drop frame (SMPTE ST 12-1) at 29.97 and 59.94. */
export interface FrameRate {
  /** Frames per second of time code: 25, 30, 50, 60 … */
  readonly nominal: number;
  /** Duration of a frame, in milliseconds. */
  readonly frameMs: number;
  readonly isDrop: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Frame counting for a frame rate; 25 if unknown. */
export function frameRateOf(fps: number | null | undefined): FrameRate {
  const rate = fps !== null && fps !== undefined && fps >= 1 && fps <= 240 ? fps : 25;
  const nominal = Math.max(1, Math.round(rate));
  const isNtsc = [24, 30, 48, 60, 120].includes(nominal) && Math.abs(rate - (nominal * 1000) / 1001) < 0.01;
  return { nominal, frameMs: isNtsc ? 1001 / nominal : 1000 / nominal, isDrop: isNtsc && nominal % 30 === 0 };
}

/** Number of frame numbers dropped at the start of each minute except every tenth. */
function droppedOf({ nominal, isDrop }: FrameRate): number {
  return isDrop ? nominal / 15 : 0;
}

/** Time code of a moment: `14:03:22:07`, with drop frame `14:03:22;07`. */
export function printTimeCode(ms: number, rate: FrameRate, zone: Zone): string {
  const dayMs = modulo(ms + offsetOf(ms, zone), DAY);
  // Tolerance: moments are rounded to milliseconds, and a frame starts at its moment.
  const frame = Math.floor((dayMs + 1) / rate.frameMs);
  const dropped = droppedOf(rate);
  let number = frame;
  if (dropped > 0) {
    const framesOfTenMinutes = rate.nominal * 600 - 9 * dropped;
    const framesOfMinute = rate.nominal * 60 - dropped;
    const rest = frame % framesOfTenMinutes;
    number += 9 * dropped * Math.floor(frame / framesOfTenMinutes);
    if (rest >= rate.nominal * 60) number += dropped * (1 + Math.floor((rest - rate.nominal * 60) / framesOfMinute));
  }
  const parts = [
    Math.floor(number / (rate.nominal * 3600)) % 24,
    Math.floor(number / (rate.nominal * 60)) % 60,
    Math.floor(number / rate.nominal) % 60,
  ];
  const frames = String(number % rate.nominal).padStart(2, '0');
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}${dropped > 0 ? ';' : ':'}${frames}`;
}

/** Milliseconds since midnight of a time code; undefined if no such frame exists. */
function msOfFrame(
  hours: number,
  minutes: number,
  seconds: number,
  frames: number,
  rate: FrameRate,
): number | undefined {
  const dropped = droppedOf(rate);
  if (frames >= rate.nominal) return undefined;
  if (dropped > 0 && seconds === 0 && minutes % 10 !== 0 && frames < dropped) return undefined;
  const all = hours * 60 + minutes;
  const number = (all * 60 + seconds) * rate.nominal + frames - dropped * (all - Math.floor(all / 10));
  return Math.round(number * rate.frameMs);
}

/**
 * Parses a typed time: `14:03:22`, `14:03:22:07`, `14:03:22;07`, `14:03:22.250`, each with an optional date before it
 * (`2027-01-15`); an ISO time; or an offset from the current moment: `-5m`, `+30s`, `-2h`, `-10f`.
 *
 * @param aroundMs current moment: a time without a date is on its day
 * @returns undefined for invalid text
 */
export function readTime(text: string, aroundMs: number, rate: FrameRate, zone: Zone): number | undefined {
  const typed = text.trim();
  const step = /^([+-])\s*(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h|d|f)?$/.exec(typed);
  if (step) {
    const unit = { ms: 1, s: 1000, m: MINUTE, h: HOUR, d: DAY, f: rate.frameMs }[step[3] ?? 's'] ?? 1000;
    return valid(aroundMs + (step[1] === '-' ? -1 : 1) * Number(step[2]) * unit);
  }
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(typed)) return valid(Date.parse(typed));
  const found =
    /^(?:(\d{4})-(\d\d)-(\d\d)[ T])?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,3})|([:;])(\d\d{1,2}|\d))?)?$/.exec(typed);
  if (!found) return undefined;
  const [hours, minutes, seconds] = [Number(found[4]), Number(found[5]), Number(found[6] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const clockMs =
    found[9] === undefined
      ? ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number((found[7] ?? '0').padEnd(3, '0'))
      : msOfFrame(hours, minutes, seconds, Number(found[9]), rate);
  if (clockMs === undefined) return undefined;
  const day =
    found[1] === undefined
      ? Math.floor((aroundMs + offsetOf(aroundMs, zone)) / DAY) * DAY
      : dayOf(Number(found[1]), Number(found[2]), Number(found[3]));
  return day === undefined ? undefined : valid(unzoned(day + clockMs, zone));
}

/** Moment at which the clock of a zone shows a time. @param zonedMs local time of the zone, as if it were UTC */
export function unzoned(zonedMs: number, zone: Zone): number {
  return zonedMs - offsetOf(zonedMs - offsetOf(zonedMs, zone), zone);
}

function dayOf(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}

function valid(ms: number): number | undefined {
  return Number.isFinite(ms) && ms >= 0 && ms < 253_402_300_799_000 ? ms : undefined;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
