import type { AlarmSeverity, StreamAlarm } from '../../src-preload/contract/api/alarm-object.ts';
import type { AlarmRule } from './alarms.ts';

/** Configuration of an alarm. A field that is null keeps the value of the rule with lower priority. */
export interface WrittenAlarm {
  readonly kind: StreamAlarm;
  readonly severity: AlarmSeverity | 'off' | null;
  readonly raiseMs: number | null;
  readonly clearMs: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** Alarm rule of a stream. */
interface StreamRule extends AlarmRule {
  readonly isOn: boolean;
  /** Minimum and maximum value without an alarm; null for no limit. */
  readonly min: number | null;
  readonly max: number | null;
}

/** Alarm rules of one stream by kind. */
export type StreamRules = Readonly<Record<StreamAlarm, StreamRule>>;

const OFF = { isOn: false, min: null, max: null } as const;

/** Rules without configuration. Only conditions that are faults in every stream raise alarms. */
const DEFAULT_RULES: StreamRules = {
  no_input: { ...OFF, isOn: true, severity: 'critical', raiseMs: 5000, clearMs: 2000 },
  codec: { ...OFF, isOn: true, severity: 'major', raiseMs: 0, clearMs: 5000 },
  reserve: { ...OFF, isOn: true, severity: 'major', raiseMs: 2000, clearMs: 5000 },
  push: { ...OFF, isOn: true, severity: 'major', raiseMs: 10_000, clearMs: 5000 },
  recording_stopped: { ...OFF, isOn: true, severity: 'critical', raiseMs: 10_000, clearMs: 2000 },
  bitrate: { ...OFF, severity: 'major', raiseMs: 10_000, clearMs: 5000 },
  frame_rate: { ...OFF, severity: 'major', raiseMs: 10_000, clearMs: 5000 },
  format_change: { ...OFF, severity: 'info', raiseMs: 0, clearMs: 60_000 },
  stream_errors: { ...OFF, severity: 'major', raiseMs: 3000, clearMs: 10_000, max: 0 },
  continuity: { ...OFF, severity: 'major', raiseMs: 3000, clearMs: 10_000, max: 0 },
  pcr: { ...OFF, severity: 'info', raiseMs: 3000, clearMs: 10_000, max: 0 },
  black: { ...OFF, severity: 'critical', raiseMs: 10_000, clearMs: 2000 },
  frozen: { ...OFF, severity: 'major', raiseMs: 30_000, clearMs: 2000 },
  silence: { ...OFF, severity: 'major', raiseMs: 20_000, clearMs: 2000, max: -60 },
  silence_frozen: { ...OFF, severity: 'critical', raiseMs: 10_000, clearMs: 2000, max: -60 },
  level: { ...OFF, severity: 'major', raiseMs: 10_000, clearMs: 5000 },
  loudness_momentary: { ...OFF, severity: 'info', raiseMs: 0, clearMs: 5000 },
  loudness_short_term: { ...OFF, severity: 'major', raiseMs: 30_000, clearMs: 10_000 },
  loudness_integrated: { ...OFF, severity: 'major', raiseMs: 60_000, clearMs: 10_000, min: -24, max: -22 },
  loudness_range: { ...OFF, severity: 'info', raiseMs: 60_000, clearMs: 10_000, max: 20 },
  true_peak: { ...OFF, severity: 'major', raiseMs: 0, clearMs: 10_000, max: -1 },
  latency: { ...OFF, severity: 'major', raiseMs: 10_000, clearMs: 5000, max: 3000 },
  missing_scte35: { ...OFF, severity: 'major', raiseMs: 3_600_000, clearMs: 0 },
};

/** Merges alarm rules with the default rules. Each kind takes the fields of the last list that has them. */
export function streamRules(...written: readonly (readonly WrittenAlarm[])[]): StreamRules {
  const rules: Record<StreamAlarm, StreamRule> = { ...DEFAULT_RULES };
  for (const { kind, severity, raiseMs, clearMs, min, max } of written.flat()) {
    const base = rules[kind];
    rules[kind] = {
      isOn: severity !== 'off',
      severity: severity === null || severity === 'off' ? base.severity : severity,
      raiseMs: raiseMs ?? base.raiseMs,
      clearMs: clearMs ?? base.clearMs,
      min: min ?? base.min,
      max: max ?? base.max,
    };
  }
  return rules;
}
