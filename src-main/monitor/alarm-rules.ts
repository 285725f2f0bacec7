import type { AlarmSeverity, StreamAlarm } from '../../src-preload/contract/api/alarm-object.ts';
import type { AlarmRule } from './alarms.ts';

/** An alarm as it is configured; what is null is left to the rule below it. */
export interface WrittenAlarm {
  readonly kind: StreamAlarm;
  readonly severity: AlarmSeverity | 'off' | null;
  readonly raiseMs: number | null;
  readonly clearMs: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** When an alarm of a stream is raised. */
interface StreamRule extends AlarmRule {
  readonly isOn: boolean;
  /** The smallest and largest value that is good; null for no limit. */
  readonly min: number | null;
  readonly max: number | null;
}

/** The rules of one stream. */
export type StreamRules = Readonly<Record<StreamAlarm, StreamRule>>;

const OFF = { isOn: false, min: null, max: null } as const;

/** What holds where nothing is configured: only what is certain to be a fault is raised. */
const DEFAULT_RULES: StreamRules = {
  no_input: { ...OFF, isOn: true, severity: 'critical', raiseMs: 5000, clearMs: 2000 },
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

/** The rules of a stream: what later lists say holds over what earlier ones say, kind by kind. */
export function streamRules(...written: readonly (readonly WrittenAlarm[])[]): StreamRules {
  const rules: Record<StreamAlarm, StreamRule> = { ...DEFAULT_RULES };
  for (const { kind, severity, raiseMs, clearMs, min, max } of written.flat()) {
    const below = rules[kind];
    rules[kind] = {
      isOn: severity !== 'off',
      severity: severity === null || severity === 'off' ? below.severity : severity,
      raiseMs: raiseMs ?? below.raiseMs,
      clearMs: clearMs ?? below.clearMs,
      min: min ?? below.min,
      max: max ?? below.max,
    };
  }
  return rules;
}
