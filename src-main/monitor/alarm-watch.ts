/** How long a condition lasts before its alarm is raised, and how long it must be over before that is cleared, in milliseconds. */
export interface AlarmThresholds {
  readonly raiseMs: number;
  readonly clearMs: number;
}

/** What is measured of a condition at one moment. */
export interface Reading {
  readonly isFaulty: boolean;
  /** Since when, epoch milliseconds, where that is known better than by looking. */
  readonly sinceMs?: number;
  /** Until when it is known to last, epoch milliseconds, where it was measured before now: what comes after that counts for nothing. */
  readonly untilMs?: number;
}

/** A condition as it was up to now. */
export interface AlarmWatch {
  readonly isRaised: boolean;
  /** Since when its measurements say otherwise, epoch milliseconds; null while they agree. */
  readonly changingSinceMs: number | null;
}

/** A condition before anything is measured. */
export const QUIET: AlarmWatch = { isRaised: false, changingSinceMs: null };

/** A condition after a measurement. @param nowMs epoch milliseconds */
export function nextWatch(watch: AlarmWatch, reading: Reading, nowMs: number, thresholds: AlarmThresholds): AlarmWatch {
  const { isFaulty } = reading;
  if (isFaulty === watch.isRaised) return watch.changingSinceMs === null ? watch : { ...watch, changingSinceMs: null };
  // What is known better counts as it is now: that a fault lasts may turn out to be less sure than it was.
  const known = isFaulty ? (reading.sinceMs ?? watch.changingSinceMs) : (watch.changingSinceMs ?? reading.sinceMs);
  const untilMs = isFaulty ? Math.min(nowMs, reading.untilMs ?? nowMs) : nowMs;
  const sinceMs = Math.min(nowMs, known ?? untilMs);
  const neededMs = isFaulty ? thresholds.raiseMs : thresholds.clearMs;
  return untilMs - sinceMs >= neededMs
    ? { isRaised: isFaulty, changingSinceMs: null }
    : { isRaised: watch.isRaised, changingSinceMs: sinceMs };
}
