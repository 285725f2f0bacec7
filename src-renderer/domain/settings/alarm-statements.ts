import type { FormStatement } from '../../../src-preload/contract/config-language/block-form.ts';
import { STREAM_ALARMS, type AlarmSeverity, type StreamAlarm } from '../../../src-preload/contract/api/alarm-object.ts';
import {
  applyEdits,
  edit,
  optionOf,
  removal,
  timeIn,
  withOption,
  withUnit,
  type Settings,
  type StatementEdit,
} from './statements.ts';

/** Rule of an alarm as the settings dialog shows it. Times are in seconds; an empty limit means no limit. */
export interface AlarmRule {
  readonly isOn: boolean;
  readonly severity: AlarmSeverity;
  readonly raise: string;
  readonly clear: string;
  readonly min: string;
  readonly max: string;
}

function rule(isOn: boolean, severity: AlarmSeverity, raise: number, clear: number, min = '', max = ''): AlarmRule {
  return { isOn, severity, raise: String(raise), clear: String(clear), min, max };
}

/** Rules that apply if the configuration has none. A test compares them with those of the server. */
export const DEFAULT_ALARMS: Readonly<Record<StreamAlarm, AlarmRule>> = {
  no_input: rule(true, 'critical', 5, 2),
  codec: rule(true, 'major', 0, 5),
  reserve: rule(true, 'major', 2, 5),
  push: rule(true, 'major', 10, 5),
  recording_stopped: rule(true, 'critical', 10, 2),
  bitrate: rule(false, 'major', 10, 5),
  frame_rate: rule(false, 'major', 10, 5),
  format_change: rule(false, 'info', 0, 60),
  stream_errors: rule(false, 'major', 3, 10, '', '0'),
  continuity: rule(false, 'major', 3, 10, '', '0'),
  pcr: rule(false, 'info', 3, 10, '', '0'),
  black: rule(false, 'critical', 10, 2),
  frozen: rule(false, 'major', 30, 2),
  silence: rule(false, 'major', 20, 2, '', '-60'),
  silence_frozen: rule(false, 'critical', 10, 2, '', '-60'),
  level: rule(false, 'major', 10, 5),
  loudness_momentary: rule(false, 'info', 0, 5),
  loudness_short_term: rule(false, 'major', 30, 10),
  loudness_integrated: rule(false, 'major', 60, 10, '-24', '-22'),
  loudness_range: rule(false, 'info', 60, 10, '', '20'),
  true_peak: rule(false, 'major', 0, 10, '', '-1'),
  latency: rule(false, 'major', 10, 5, '', '3000'),
  missing_scte35: rule(false, 'major', 3600, 0),
};

const LOUDNESS = { limits: ['min', 'max'], unit: 'LUFS' } as const;
const PER_SECOND = { limits: ['max'], unit: '/s' } as const;

/** Limits of alarms that compare a value, and their unit. */
export const ALARM_LIMITS: {
  readonly [K in StreamAlarm]?: { readonly limits: readonly ('min' | 'max')[]; readonly unit: string };
} = {
  bitrate: { limits: ['min', 'max'], unit: 'kbit/s' },
  frame_rate: { limits: ['min', 'max'], unit: 'fps' },
  latency: { limits: ['max'], unit: 'ms' },
  stream_errors: PER_SECOND,
  continuity: PER_SECOND,
  pcr: PER_SECOND,
  silence: { limits: ['max'], unit: 'dBFS' },
  silence_frozen: { limits: ['max'], unit: 'dBFS' },
  level: { limits: ['min', 'max'], unit: 'dBFS' },
  loudness_momentary: LOUDNESS,
  loudness_short_term: LOUDNESS,
  loudness_integrated: LOUDNESS,
  loudness_range: { limits: ['min', 'max'], unit: 'LU' },
  true_peak: { limits: ['max'], unit: 'dBTP' },
};

/** Alarms that every operator needs; the settings dialog shows them first. */
export const MAIN_ALARMS: readonly StreamAlarm[] = ['no_input', 'black', 'frozen', 'silence', 'reserve'];
/** All other alarms. */
export const MORE_ALARMS: readonly StreamAlarm[] = STREAM_ALARMS.filter((kind) => !MAIN_ALARMS.includes(kind));

const SEVERITIES: readonly string[] = ['critical', 'major', 'info'] satisfies readonly AlarmSeverity[];
const isOfKind = ({ directive, words }: FormStatement, kind: string): boolean =>
  directive === 'alarm' && words[0] === kind;
const alarmsOf = (statements: readonly FormStatement[]): readonly FormStatement[] =>
  statements.filter(({ directive }) => directive === 'alarm');

/** Rule that applies to the block: its own `alarm` directives, or those of its template if it has none, then the top level. */
export function alarmRule({ own, inherited, file }: Omit<Settings, 'help'>, kind: StreamAlarm): AlarmRule {
  const ofBlock = alarmsOf(own).length > 0 ? own : inherited;
  return [...file, ...ofBlock].filter((one) => isOfKind(one, kind)).reduce(withStatement, DEFAULT_ALARMS[kind]);
}

function withStatement(base: AlarmRule, statement: FormStatement): AlarmRule {
  const severity = statement.words[1];
  const time = (key: string): string => timeIn(optionOf(statement, key), 's', 'ms');
  return {
    isOn: severity !== 'off',
    severity: severity !== undefined && SEVERITIES.includes(severity) ? (severity as AlarmSeverity) : base.severity,
    raise: time('raise') || base.raise,
    clear: time('clear') || base.clear,
    min: optionOf(statement, 'min') || base.min,
    max: optionOf(statement, 'max') || base.max,
  };
}

/** Statement of the block for an alarm; undefined if only the template or the top level configures it. */
export function ownAlarm(settings: Pick<Settings, 'own'>, kind: StreamAlarm): FormStatement | undefined {
  return settings.own.findLast((one) => isOfKind(one, kind));
}

/**
 * Changes a part of an alarm rule. A block with `alarm` directives of its own ignores those of its template, so the first change
 * copies these.
 */
export function writeAlarm(
  settings: Settings,
  kind: StreamAlarm,
  part: keyof AlarmRule,
  value: string | boolean,
): readonly StatementEdit[] {
  const own = alarmsOf(settings.own);
  const copied = own.length > 0 ? [] : alarmsOf(settings.inherited);
  const list = own.length > 0 ? own : copied;
  const copies = copied.map((one, index) => edit('alarm', index, one.words, one.options));
  const before = list.findLast((one) => isOfKind(one, kind));
  const index = before?.index ?? list.length;
  const options = before?.options ?? [];
  if (part === 'isOn') {
    const without = {
      ...settings,
      own: settings.own.filter((one) => !isOfKind(one, kind) || one.index !== before?.index),
    };
    const isDefault = alarmRule(without, kind).isOn === value && (value === false || options.length === 0);
    // If the block had no alarms of its own, all alarms of its template would apply.
    const isAlone = own.length === 1 && alarmsOf(settings.inherited).length > 0;
    if (isDefault && !isAlone) return before && own.length > 0 ? [removal('alarm', before.index)] : [];
    return [...copies, edit('alarm', index, value === true ? [kind] : [kind, 'off'], options)];
  }
  const text = String(value);
  const [, severity] = before?.words ?? [];
  if (part === 'severity') return [...copies, edit('alarm', index, [kind, text], options)];
  const isTime = part === 'raise' || part === 'clear';
  const words = severity === undefined ? [kind] : [kind, severity];
  return [...copies, edit('alarm', index, words, withOption(options, part, isTime ? withUnit(text, 's') : text))];
}

/** Faults that a viewer sees or hears. */
const PICTURE_ALARMS = ['black', 'frozen', 'silence'] as const;

/** Edits that switch on the alarms for a black picture, a frozen picture and silence; empty if they are on. */
export function watchPicture(settings: Settings): readonly StatementEdit[] {
  return PICTURE_ALARMS.reduce<readonly StatementEdit[]>((edits, kind) => {
    const now = { ...settings, own: applyEdits(settings.own, edits, settings.help) };
    return alarmRule(now, kind).isOn ? edits : [...edits, ...writeAlarm(now, kind, 'isOn', true)];
  }, []);
}
