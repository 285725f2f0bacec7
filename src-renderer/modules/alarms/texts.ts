import type { AlarmObject, AlarmSeverity } from '../../../src-preload/contract/api/alarm-object.ts';
import { translated } from '../../i18n/translated.ts';
import { FAULT_WORDS, LIMIT_WORDS } from '../../../src-preload/contract/api/alarm-words.ts';
import { ALARM_WORDS_DE, DE, FAULTS_DE, LIMITS_DE, SEVERITY_DE } from './texts-de.ts';

/** The words of alarms. */
export const TEXTS = translated(
  'alarms',
  {
    title: 'Alarms',
    now: 'Now',
    history: 'History',
    loading: 'Waiting for the alarms',
    none: 'No alarm',
    noneHelp:
      'Every stream that should give frames does. What is watched, and from when on, is set with alarm in the configuration.',
    noHistory: 'Nothing was raised in the last 90 days',
    noHistoryFits: 'Nothing that was raised fits the filter',
    search: 'Search',
    searchHelp: 'In stream, kind, words, note and who acknowledged',
    saveAs: 'Save as',
    severity: 'Severity',
    stream: 'Stream',
    alarm: 'Alarm',
    says: 'What is wrong',
    raised: 'Raised',
    state: 'State',
    all: 'All',
    server: 'Server',
    older: 'Older',
    acknowledge: 'Acknowledge',
    acknowledgeAll: 'Acknowledge all',
    note: 'Note',
    noteHelp: 'What was found or done; may be empty',
    more: (count: number) => `${count} more`,
    allowDeletion: 'Allow deletion',
    allowDeletionHelp:
      'Recordings that are past their time or a limit and are not locked will be deleted then, and cannot be brought back. Are the clock and the locks right?',
    confirmKeys: 'Confirm a new key',
    confirmKeysHelp:
      'Restore the file from a backup if there is one: it is used at once. With a new key, what the lost one sealed or signed cannot be read or verified any more.',
    cancel: 'Cancel',
    shelve: 'Shelve …',
    shelveFor: (minutes: number) => (minutes < 60 ? `${minutes} min` : `${minutes / 60} h`),
    unshelve: 'End shelving',
    evidence: 'Evidence',
    noEvidence: 'Nothing is kept of this alarm.',
    evidenceFailed: 'What is kept of this alarm cannot be read.',
    pictureBefore: 'Before',
    pictureAt: 'When it was raised',
    locked: 'Half a minute before and after it is locked in the archive.',
    graphOf: (low: number, high: number) => `Measured value, from ${low} to ${high}`,
    inArchive: 'Show in the archive',
    onWall: 'Show on the wall',
    mute: 'Mute the sound of alarms',
    unmute: 'Let alarms sound',
    failed: 'It could not be done.',
    historyFailed: 'The history cannot be read.',
    shelvedUntil: (time: string) => `Shelved until ${time}`,
    acknowledgedBy: (by: string, note: string | null) => `Acknowledged by ${by}${note === null ? '' : `: ${note}`}`,
    lasting: (span: string) => `Lasts ${span}`,
    over: (span: string) => `Over, lasted ${span}`,
    counts: (critical: number, major: number, info: number) =>
      `Alarms: ${critical} critical, ${major} major, ${info} information`,
  },
  DE,
);

/** Severities as people say them, with a shape of their own. */
export const SEVERITY: { readonly [S in AlarmSeverity]: { readonly word: string; readonly shape: string } } =
  translated(
    'alarmSeverities',
    {
      critical: { word: 'Critical', shape: '✕' },
      major: { word: 'Major', shape: '▲' },
      info: { word: 'Information', shape: '◆' },
    },
    SEVERITY_DE,
  );

/** Kinds of alarms as people say them. */
export const ALARM_WORDS: { readonly [K in AlarmObject['alarm']]: string } = translated(
  'alarmKinds',
  {
    no_input: 'No input',
    bitrate: 'Bitrate',
    frame_rate: 'Frame rate',
    format_change: 'Format changed',
    stream_errors: 'Errors',
    continuity: 'Packets missing',
    pcr: 'PCR errors',
    recording_stopped: 'Not recorded',
    missing_scte35: 'No SCTE-35',
    black: 'Black',
    frozen: 'Frozen',
    silence: 'Silence',
    silence_frozen: 'Silent and frozen',
    level: 'Sound level',
    loudness_momentary: 'Loudness, momentary',
    loudness_short_term: 'Loudness, short-term',
    loudness_integrated: 'Loudness, integrated',
    loudness_range: 'Loudness range',
    true_peak: 'True peak',
    latency: 'Latency',
    certificate: 'Certificate',
    archive: 'Archive',
    disk: 'Disk',
    disk_nearly_full: 'Disk nearly full',
    backend: 'Backend',
    event_sink: 'Event sink',
    server: 'Server',
  },
  ALARM_WORDS_DE,
);

/** What is wrong, by the names of the server, with its facts in braces. */
export const FAULTS = translated('faults', FAULT_WORDS, FAULTS_DE);
/** How limits are said. */
export const LIMITS = translated('limits', LIMIT_WORDS, LIMITS_DE);
