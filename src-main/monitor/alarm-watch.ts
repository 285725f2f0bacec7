/**
 * Time that a condition must be faulty before its alarm is raised, and good before the alarm is cleared, in
 * milliseconds.
 */
export interface AlarmThresholds {
  readonly raiseMs: number;
  readonly clearMs: number;
}

/** Measurement of a condition at one moment. */
export interface Reading {
  readonly isFaulty: boolean;
  /** Start of the fault, in epoch milliseconds, if it is known more exactly than the time of the measurement. */
  readonly sinceMs?: number;
  /** Time in epoch milliseconds up to which the measurement is valid. Later time does not count for the fault. */
  readonly untilMs?: number;
}

/** State of a condition after the measurements so far. */
export interface AlarmWatch {
  readonly isRaised: boolean;
  /** Time since which measurements contradict `isRaised`, in epoch milliseconds; null while they agree with it. */
  readonly changingSinceMs: number | null;
}

/** State of a condition before the first measurement. */
export const QUIET: AlarmWatch = { isRaised: false, changingSinceMs: null };

/**
 * Applies a measurement to the state of a condition.
 * @param nowMs epoch milliseconds
 */
export function nextWatch(watch: AlarmWatch, reading: Reading, nowMs: number, thresholds: AlarmThresholds): AlarmWatch {
  const { isFaulty } = reading;
  if (isFaulty === watch.isRaised) return watch.changingSinceMs === null ? watch : { ...watch, changingSinceMs: null };
  // The last reported start counts, because the fault may have started later than assumed before.
  const startMs = isFaulty ? (reading.sinceMs ?? watch.changingSinceMs) : (watch.changingSinceMs ?? reading.sinceMs);
  const untilMs = isFaulty ? Math.min(nowMs, reading.untilMs ?? nowMs) : nowMs;
  const sinceMs = Math.min(nowMs, startMs ?? untilMs);
  const neededMs = isFaulty ? thresholds.raiseMs : thresholds.clearMs;
  return untilMs - sinceMs >= neededMs
    ? { isRaised: isFaulty, changingSinceMs: null }
    : { isRaised: watch.isRaised, changingSinceMs: sinceMs };
}
