import type { AlarmObject, AlarmSeverity } from '../../../src-preload/contract/api/alarm-object.ts';
import { translated } from '../../i18n/translated.ts';
import { FAULT_TEXTS, LIMIT_TEXTS } from '../../../src-preload/contract/api/alarm-faults.ts';
import { ALARM_LABELS_DE, DE, FAULTS_DE, LIMITS_DE, SEVERITY_DE } from './texts-de.ts';

/** Texts of alarms. */
export const TEXTS = translated(
  'alarms',
  {
    title: 'Alarms',
    now: 'Now',
    history: 'History',
    loading: 'Loading alarms',
    none: 'No alarm',
    noneHelp:
      'Every stream that should be running has a picture. To watch for more, open Settings of a stream on the page Streams.',
    noHistory: 'No alarms in the last 90 days',
    noHistoryFits: 'No alarms match the filter',
    search: 'Search',
    searchHelp: 'Stream, kind, text, note or user',
    saveAs: 'Save as',
    severity: 'Severity',
    stream: 'Stream',
    alarm: 'Alarm',
    message: 'Problem',
    raised: 'Raised',
    state: 'State',
    all: 'All',
    from: 'From',
    to: 'To',
    timesSince: (count: number, since: string) => `Raised ${count} times since ${since}. Click for each time.`,
    server: 'Server',
    older: 'Older',
    acknowledge: 'Acknowledge',
    acknowledgeAll: 'Acknowledge all',
    note: 'Note',
    noteHelp: 'What you found or did (optional)',
    more: (count: number) => `${count} more`,
    allowDeletion: 'Allow deletion',
    allowDeletionHelp:
      'Recordings that are past their retention or a limit and not locked are then deleted. This cannot be undone. Check the clock and the locks first.',
    confirmKeys: 'Confirm a new key',
    confirmKeysHelp:
      'Restore the file from a backup if there is one: it is used at once. With a new key, nothing that the lost key sealed or signed can be read or verified any more.',
    cancel: 'Cancel',
    shelve: 'Shelve …',
    shelveFor: (minutes: number) => (minutes < 60 ? `${minutes} min` : `${minutes / 60} h`),
    unshelve: 'Unshelve',
    evidence: 'Evidence',
    noEvidence: 'Nothing was saved for this alarm.',
    evidenceFailed: 'The evidence of this alarm could not be read.',
    pictureBefore: 'Before',
    pictureAt: 'When raised',
    locked: 'The archive is locked from 30 s before to 30 s after the alarm.',
    graphOf: (low: number, high: number) => `Measured value, from ${low} to ${high}`,
    inArchive: 'Show in the archive',
    onWall: 'Show on the wall',
    mute: 'Mute the alarm sound',
    unmute: 'Unmute the alarm sound',
    failed: 'The action failed.',
    factsHidden: 'This login may not see the details.',
    historyFailed: 'The history could not be read.',
    shelvedUntil: (time: string) => `Shelved until ${time}`,
    acknowledgedBy: (by: string, note: string | null) => `Acknowledged by ${by}${note === null ? '' : `: ${note}`}`,
    lasting: (span: string) => `For ${span}`,
    over: (span: string) => `Cleared after ${span}`,
    counts: (critical: number, major: number, info: number) =>
      `Alarms: ${critical} critical, ${major} major, ${info} info`,
  },
  DE,
);

/** Label and icon of each severity. */
export const SEVERITY: { readonly [S in AlarmSeverity]: { readonly word: string; readonly shape: string } } =
  translated(
    'alarmSeverities',
    {
      critical: { word: 'Critical', shape: '✕' },
      major: { word: 'Major', shape: '▲' },
      info: { word: 'Info', shape: '◆' },
    },
    SEVERITY_DE,
  );

/** Titles of alarms. */
export const ALARM_LABELS: { readonly [K in AlarmObject['alarm']]: string } = translated(
  'alarmKinds',
  {
    no_input: 'No input',
    codec: 'Codec not carried',
    reserve: 'Reserve on air',
    push: 'Push failing',
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
    level: 'Audio level',
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
  ALARM_LABELS_DE,
);

/** Descriptions of faults, by code, with facts in braces. */
export const FAULTS = translated('faults', FAULT_TEXTS, FAULTS_DE);
/** Texts of limits. */
export const LIMITS = translated('limits', LIMIT_TEXTS, LIMITS_DE);
