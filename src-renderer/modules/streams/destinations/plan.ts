import { i18n } from '../../../i18n/i18n.ts';
import { TEXTS } from './texts.ts';

/** Planned start and end of a destination, in epoch milliseconds; null for none. */
export interface Plan {
  readonly startAtMs: number | null;
  readonly stopAtMs: number | null;
}

/** Mistakes in a plan. */
interface PlanProblems {
  readonly start: string | undefined;
  readonly stop: string | undefined;
}

/** Finds the mistakes in a plan. @param isOn whether the destination sends already */
export function planProblems({ startAtMs, stopAtMs }: Plan, isOn: boolean, nowMs: number): PlanProblems {
  return { start: startProblem(startAtMs, stopAtMs, isOn, nowMs), stop: stopProblem(startAtMs, stopAtMs, nowMs) };
}

function startProblem(startAtMs: number | null, stopAtMs: number | null, isOn: boolean, nowMs: number) {
  if (startAtMs !== null) return startAtMs <= nowMs ? TEXTS.planPast : undefined;
  // Without a start, a stopped destination would send at once, which nobody planned.
  if (!isOn) return TEXTS.planNoStart;
  return stopAtMs === null ? TEXTS.planNothing : undefined;
}

function stopProblem(startAtMs: number | null, stopAtMs: number | null, nowMs: number) {
  if (stopAtMs === null) return undefined;
  if (stopAtMs <= nowMs) return TEXTS.planPast;
  return startAtMs !== null && stopAtMs <= startAtMs ? TEXTS.planOrder : undefined;
}

/** Time zone of the desk: `Europe/Berlin (GMT+1)`. */
export function timeZoneText(nowMs: number): string {
  const format = new Intl.DateTimeFormat(i18n.global.locale.value, { timeZoneName: 'shortOffset' });
  const offset = format.formatToParts(nowMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const { timeZone } = format.resolvedOptions();
  return timeZone === offset ? timeZone : `${timeZone} (${offset})`;
}
