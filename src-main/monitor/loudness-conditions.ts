import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import type { StreamRules } from './alarm-rules.ts';
import { isOutside } from './limits.ts';
import type { LoudnessFigures } from './loudness/loudness-tally.ts';
import type { LoudnessNow } from './loudness/recent-loudness.ts';

/** Kinds of loudness alarms. */
export const LOUDNESS_ALARMS = [
  'loudness_momentary',
  'loudness_short_term',
  'loudness_integrated',
  'loudness_range',
  'true_peak',
] as const;

/** Condition of one loudness alarm. */
interface LoudnessCondition extends Fault {
  readonly alarm: (typeof LOUDNESS_ALARMS)[number];
  readonly isFaulty: boolean;
  readonly untilMs: number;
  readonly value: number | null;
}

/** Measured time after which the figures of the last hour are used, in milliseconds; shorter if the alarm is raised sooner. */
const SETTLED_MS = 60_000;

const UNITS = {
  loudness_momentary: 'LUFS',
  loudness_short_term: 'LUFS',
  loudness_integrated: 'LUFS',
  loudness_range: 'LU',
  true_peak: 'dBTP',
} as const;

/**
 * Enabled loudness conditions.
 * @param now null if loudness was not measured
 * @param untilMs end of the validity of `now`, in epoch milliseconds
 */
export function* loudnessConditions(
  now: LoudnessNow | null,
  rules: StreamRules,
  untilMs: number,
): Generator<LoudnessCondition> {
  const hour = (alarm: 'loudness_integrated' | 'loudness_range'): LoudnessFigures | null =>
    now && now.hour.measuredMs >= Math.min(SETTLED_MS, rules[alarm].raiseMs) ? now.hour : null;
  const values = {
    loudness_momentary: now?.momentary ?? null,
    loudness_short_term: now?.shortTerm ?? null,
    loudness_integrated: hour('loudness_integrated')?.integrated ?? null,
    loudness_range: hour('loudness_range')?.range ?? null,
    true_peak: now?.truePeak ?? null,
  };
  for (const alarm of LOUDNESS_ALARMS) {
    const { isOn, min, max } = rules[alarm];
    if (!isOn) continue;
    const value = values[alarm];
    const isFaulty = value !== null && isOutside(value, min, max);
    const tenths = value === null ? null : Math.round(value * 10) / 10;
    const facts = { value: tenths, unit: UNITS[alarm], min, max };
    yield { alarm, isFaulty, untilMs, value, fault: 'loudness_out_of_range', facts };
  }
}
