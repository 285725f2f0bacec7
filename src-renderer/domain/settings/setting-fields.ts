import type { FormStatement } from '../../../src-preload/contract/config-language/block-form.ts';
import {
  edit,
  firstOf,
  optionOf,
  removal,
  statementOf,
  timeIn,
  withOption,
  withUnit,
  type Settings,
  type StatementEdit,
} from './statements.ts';

/** Names of existing objects that settings refer to. */
export interface ExistingObjects {
  readonly storages: readonly string[];
  readonly templates: readonly string[];
  /** Addresses of named authorization backends: `auth://north`. */
  readonly backends: readonly string[];
  /** VOD locations. */
  readonly locations: readonly string[];
}

/** Control of a setting; `pick` offers choices and any other text. */
type Control = 'text' | 'number' | 'switch' | 'choice' | 'pick' | 'secret';

/** One setting of the settings dialog. Its value is a text; empty if the block does not contain it. Switches have `true` and `false`. */
export interface SettingField {
  readonly id: string;
  readonly directive: string;
  readonly control: Control;
  /** Range of a number. */
  readonly min?: number;
  readonly max?: number;
  readonly unit?: 'seconds' | 'milliseconds';
  readonly choices?: readonly string[];
  readonly existing?: keyof ExistingObjects;
  /** Value without configuration, for options; directives have it in their help. */
  readonly fallback?: string;
  /** True if the setting has no meaning without its directive. */
  readonly needsDirective?: boolean;
  read(statement: FormStatement | undefined): string;
  write(settings: Settings, value: string): readonly StatementEdit[];
}

type More = Partial<Pick<SettingField, 'min' | 'max' | 'choices' | 'existing' | 'fallback' | 'needsDirective'>>;

/** Field for the first word of a directive; an edit does not change the other words and the options. */
function word(id: string, directive: string, control: Control, more: More = {}): SettingField {
  return {
    id,
    directive,
    control,
    ...more,
    read: (statement) => statement?.words[0] ?? '',
    write: ({ own }, value) => {
      const before = firstOf(own, directive);
      if (value === '') return before ? [removal(directive)] : [];
      return [edit(directive, 0, [value, ...(before?.words.slice(1) ?? [])], before?.options)];
    },
  };
}

/** Field for a time, shown as a number. @param written unit of a number without one in the configuration */
function time(id: string, directive: string, written: 'ms' | 's', more: More): SettingField {
  const base = word(id, directive, 'number', more);
  return {
    ...base,
    unit: written === 's' ? 'seconds' : 'milliseconds',
    read: (statement) => timeIn(base.read(statement), written, written),
    write: (settings, value) => base.write(settings, withUnit(value, written)),
  };
}

const IS_OFF = /^(false|off|no|0)$/;

/** Field for a directive that is a switch. @param isInverted true if the directive switches something off */
function flag(id: string, directive: string, isInverted = false): SettingField {
  return {
    id,
    directive,
    control: 'switch',
    read: (statement) => (statement ? String(IS_OFF.test(statement.words[0] ?? '') === isInverted) : ''),
    write: ({ own }, value) => {
      if (value === '') return firstOf(own, directive) ? [removal(directive)] : [];
      const isSet = (value === 'true') !== isInverted;
      return [{ directive, index: 0, words: isSet ? [] : ['false'] }];
    },
  };
}

/** Field for an option of a directive; an edit does not change the words and the other options. */
function option(id: string, directive: string, key: string, control: Control, more: More = {}): SettingField {
  return {
    id,
    directive,
    control,
    ...more,
    read: (statement) => optionOf(statement, key),
    write: (settings, value) => {
      const before = statementOf(settings, directive);
      if (value === '' && !before) return [];
      return [edit(directive, 0, before?.words ?? [], withOption(before?.options ?? [], key, value))];
    },
  };
}

function timeOption(id: string, directive: string, key: string, more: More): SettingField {
  const base = option(id, directive, key, 'number', more);
  return {
    ...base,
    unit: 'seconds',
    read: (statement) => timeIn(base.read(statement), 's', 's'),
    write: (settings, value) => base.write(settings, withUnit(value, 's')),
  };
}

/** Sections of the settings dialog, in order. */
export const SECTIONS = ['general', 'inputs', 'recording', 'access', 'ads', 'alarms', 'outputs'] as const;
export type Section = (typeof SECTIONS)[number];

const SESSIONS = { existing: 'backends' } as const;

/** Fields of each section. Inputs, recording and alarms also have special controls. */
export const FIELDS: Readonly<Record<Section, readonly SettingField[]>> = {
  general: [
    word('title', 'title', 'text'),
    word('template', 'template', 'choice', { existing: 'templates' }),
    word('comment', 'comment', 'text'),
    word('position', 'position', 'number', { min: -1_000_000_000, max: 1_000_000_000 }),
    flag('isOn', 'disabled', true),
  ],
  inputs: [
    word('backup', 'backup', 'text'),
    timeOption('backupAfter', 'backup', 'timeout', { min: 0, max: 86_400, fallback: '3', needsDirective: true }),
    time('sourceTimeout', 'source_timeout', 's', { min: 0.5, max: 86_400 }),
    word('retryLimit', 'retry_limit', 'text'),
    flag('isStatic', 'static'),
    time('clientsTimeout', 'clients_timeout', 's', { min: 0, max: 604_800 }),
  ],
  recording: [],
  access: [
    word('password', 'password', 'secret'),
    word('onPublish', 'on_publish', 'pick', SESSIONS),
    word('publishKey', 'publish_key', 'secret'),
    word('onPlay', 'on_play', 'pick', SESSIONS),
    option('maxSessions', 'on_play', 'max_sessions', 'number', { min: 0, max: 1_000_000, needsDirective: true }),
    word('playKey', 'play_key', 'secret'),
    flag('isDvrProtected', 'dvr_protected'),
  ],
  ads: [
    word('adsBackend', 'on_play', 'pick', SESSIONS),
    option('overrun', 'ad_breaks', 'overrun', 'choice', { choices: ['cut', 'complete'], fallback: 'cut' }),
    option('fill', 'ad_breaks', 'fill', 'pick', { choices: ['repeat', 'programme'], fallback: 'repeat' }),
    option('adsArchive', 'ad_breaks', 'archive', 'choice', { choices: ['programme', 'clips'], fallback: 'programme' }),
    option('adsHls', 'ad_breaks', 'hls', 'choice', { choices: ['stitched', 'interstitials'], fallback: 'stitched' }),
    option('adsDash', 'ad_breaks', 'dash', 'choice', { choices: ['single', 'periods'], fallback: 'single' }),
    word('splicePoints', 'hls_scte35', 'choice', { choices: ['rfc8216', 'aws', 'scte35'] }),
  ],
  alarms: [flag('loudnessLog', 'loudness_log')],
  outputs: [
    time('segmentDuration', 'segment_duration', 's', { min: 0.5, max: 60 }),
    time('chunkDuration', 'chunk_duration', 'ms', { min: 50, max: 10_000 }),
    word('segmentCount', 'segment_count', 'number', { min: 3, max: 1000 }),
    flag('hls', 'hls_off', true),
    flag('dash', 'dash_off', true),
    flag('mpegts', 'mpegts_off', true),
    flag('rtmp', 'rtmp_off', true),
  ],
};

/** Directives with special controls. */
const OTHER_DIRECTIVES = ['input', 'dvr', 'alarm'];
const SHOWN: ReadonlySet<string> = new Set([
  ...OTHER_DIRECTIVES,
  ...Object.values(FIELDS).flatMap((fields) => fields.map(({ directive }) => directive)),
]);

/** Names of directives of the block that the settings dialog does not show. They stay in the text. */
export function moreDirectives(own: readonly FormStatement[]): readonly string[] {
  return [
    ...new Set(own.flatMap(({ directive, isEditable }) => (SHOWN.has(directive) && isEditable ? [] : directive))),
  ];
}

/** Value that applies if the block does not contain the setting: the value of its template, or the default. */
export function inheritedValue({ inherited, help }: Settings, field: SettingField): string {
  const fromTemplate = field.read(firstOf(inherited, field.directive));
  if (fromTemplate !== '' || field.fallback !== undefined) return fromTemplate || (field.fallback ?? '');
  const known = help.find(({ name }) => name === field.directive);
  const written = known?.default ?? (known?.form === 'flag' ? 'false' : null);
  if (written === null) return '';
  return field.read({
    directive: field.directive,
    index: 0,
    words: [written],
    options: [],
    help: known,
    isEditable: true,
  });
}

/** Value of the setting that applies at present. */
export function valueOf(settings: Settings, field: SettingField): string {
  return field.read(firstOf(settings.own, field.directive)) || inheritedValue(settings, field);
}

/** Edits for a switch. Its directive is removed if it would repeat the inherited value. */
export function writeSwitch(settings: Settings, field: SettingField, isOn: boolean): readonly StatementEdit[] {
  return field.write(settings, String(isOn) === inheritedValue(settings, field) ? '' : String(isOn));
}

/** Input of a stream. */
export interface InputValue {
  readonly index: number;
  readonly address: string;
  readonly priority: string;
  /** Time without frames in seconds; empty for the default. */
  readonly framesTimeout: string;
  readonly sourceTimeout: string;
  /** Options that only the text shows. */
  readonly more: readonly string[];
  /** Options of the reader with their values. */
  readonly options: Readonly<Record<string, string>>;
}

const INPUT_KEYS = { priority: 'priority', framesTimeout: 'frames_timeout', sourceTimeout: 'source_timeout' } as const;

/** Part of an input that the settings dialog can change. */
export type InputPart = 'address' | keyof typeof INPUT_KEYS;

/** Inputs of the block, or of its template if it has none. */
export function inputsOf({ own, inherited }: Pick<Settings, 'own' | 'inherited'>): readonly InputValue[] {
  const isInput = ({ directive }: FormStatement): boolean => directive === 'input';
  const list = own.some(isInput) ? own : inherited;
  const known: readonly string[] = Object.values(INPUT_KEYS);
  return list.filter(isInput).map((one) => ({
    index: one.index,
    address: one.words[0] ?? '',
    priority: optionOf(one, 'priority'),
    framesTimeout: timeIn(optionOf(one, 'frames_timeout'), 's', 's'),
    sourceTimeout: timeIn(optionOf(one, 'source_timeout'), 's', 's'),
    more: one.options.flatMap(([key]) => (known.includes(key) ? [] : key)),
    options: Object.fromEntries(one.options.filter(([key]) => !known.includes(key))),
  }));
}

/** Changes a part of an input. The first change of a block without inputs copies those of its template. */
export function writeInput(
  settings: Settings,
  index: number,
  part: InputPart,
  value: string,
): readonly StatementEdit[] {
  const { statements, copies } = inputStatements(settings);
  const before = statements[index];
  const words = part === 'address' ? [value, ...(before?.words.slice(1) ?? [])] : (before?.words ?? []);
  const options = before?.options ?? [];
  if (part === 'address') return [...copies, edit('input', index, words, options)];
  const text = part === 'priority' ? value : withUnit(value, 's');
  return [...copies, edit('input', index, words, withOption(options, INPUT_KEYS[part], text))];
}

/** Removes an input. */
export function removeInput(settings: Settings, index: number): readonly StatementEdit[] {
  return [...inputStatements(settings).copies, removal('input', index)];
}

function inputStatements({ own, inherited }: Settings): {
  readonly statements: readonly FormStatement[];
  readonly copies: readonly StatementEdit[];
} {
  const isInput = ({ directive }: FormStatement): boolean => directive === 'input';
  const ofBlock = own.filter(isInput);
  if (ofBlock.length > 0) return { statements: ofBlock, copies: [] };
  const statements = inherited.filter(isInput);
  return { statements, copies: statements.map((one, index) => edit('input', index, one.words, one.options)) };
}
