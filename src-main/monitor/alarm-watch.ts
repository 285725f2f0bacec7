/**
 * Durations for which a condition must be faulty before its alarm is raised, and good before it is cleared, in
 * milliseconds.
 */
export interface AlarmThresholds {
  readonly raiseMs: number;
  readonly clearMs: number;
}

/** Measurement of a condition at one moment. */
export interface Reading {
  readonly isFaulty: boolean;
  /** Known start of the fault, in epoch milliseconds, if more exact than the time of the measurement. */
  readonly sinceMs?: number;
  /** End of validity of an earlier measurement, in epoch milliseconds; later time does not count. */
  readonly untilMs?: number;
}

/** State of a condition after the measurements so far. */
export interface AlarmWatch {
  readonly isRaised: boolean;
  /** Start of measurements that contradict `isRaised`, in epoch milliseconds; null while they agree. */
  readonly changingSinceMs: number | null;
}

/** State of a condition before the first measurement. */
export const QUIET: AlarmWatch = { isRaised: false, changingSinceMs: null };

/**
 * State of a condition after a measurement.
 * @param nowMs epoch milliseconds
 */
export function nextWatch(watch: AlarmWatch, reading: Reading, nowMs: number, thresholds: AlarmThresholds): AlarmWatch {
  const { isFaulty } = reading;
  if (isFaulty === watch.isRaised) return watch.changingSinceMs === null ? watch : { ...watch, changingSinceMs: null };
  // The latest known start counts: it may turn out that a fault began later than assumed.
  const known = isFaulty ? (reading.sinceMs ?? watch.changingSinceMs) : (watch.changingSinceMs ?? reading.sinceMs);
  const untilMs = isFaulty ? Math.min(nowMs, reading.untilMs ?? nowMs) : nowMs;
  const sinceMs = Math.min(nowMs, known ?? untilMs);
  const neededMs = isFaulty ? thresholds.raiseMs : thresholds.clearMs;
  return untilMs - sinceMs >= neededMs
    ? { isRaised: isFaulty, changingSinceMs: null }
    : { isRaised: watch.isRaised, changingSinceMs: sinceMs };
}
