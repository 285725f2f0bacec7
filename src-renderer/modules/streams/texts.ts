import type { StreamCondition } from '../../domain/streams/stream-condition.ts';
import type { InputState } from '../../../src-preload/contract/index.ts';
import type { Column } from './stream-rows.ts';
import { formatFixed } from '../../i18n/i18n.ts';
import { translated } from '../../i18n/translated.ts';
import { DE, COLUMN_LABELS_DE, STATE_LABELS_DE, PHASE_LABELS_DE } from './texts-de.ts';

/** Column headings. */
export const COLUMN_LABELS: Readonly<Record<Column | 'picture', string>> = translated(
  'streamColumns',
  {
    picture: 'Picture',
    name: 'Stream',
    condition: 'State',
    input: 'Input',
    format: 'Format',
    bitrate: 'Bitrate',
    fps: 'FPS',
    viewers: 'Viewers',
    errors: 'Errors',
    uptime: 'Uptime',
  },
  COLUMN_LABELS_DE,
);

/** Labels of stream conditions. */
export const STATE_LABELS: Readonly<Record<StreamCondition, string>> = translated(
  'streamStates',
  {
    live: 'Live',
    late: 'Late',
    partial: 'Incomplete',
    lost: 'Lost',
    failed: 'No signal',
    refused: 'Refused',
    waiting: 'Waiting',
    starting: 'Starting',
    disabled: 'Disabled',
    archived: 'Archive only',
  },
  STATE_LABELS_DE,
);

/** Labels of input phases. */
export const PHASE_LABELS: Readonly<Record<InputState['phase'], string>> = translated(
  'inputPhases',
  {
    standby: 'Standby',
    waiting: 'Waiting for encoder',
    opening: 'Opening',
    running: 'Running',
    silent: 'No frames',
    error: 'Failed, retrying',
    given_up: 'Gave up',
  },
  PHASE_LABELS_DE,
);

/** Texts of the streams page. */
export const TEXTS = translated(
  'streamPage',
  {
    title: 'Streams',
    loading: 'Loading streams',
    failed: 'Could not load the streams',
    again: 'Try again',
    none: 'No streams yet',
    noneFits: (count: number): string => `None of ${count} streams match`,
    showAll: 'Show all',
    search: 'Search',
    state: 'State',
    all: 'All',
    trouble: 'With problems',
    count: (shown: number, all: number): string => (shown === all ? `${all}` : `${shown} of ${all}`),
    csv: 'CSV',
    csvTitle: 'Save the table as a file',
    chooseAll: 'Select all shown',
    choose: (name: string): string => `Select ${name}`,
    chosen: (count: number): string => `${count} selected`,
    watchPicture: 'Watch for black, frozen, silent',
    chooseNone: 'Clear selection',
    close: 'Close',
    onWall: 'On the wall',
    settings: 'Settings',
    inLog: 'Log',
    sessions: 'Viewers',
    inputs: 'Inputs',
    onAir: 'On air',
    take: 'Take',
    inputUnseen: 'No picture: the server reads this input only while it is on air or being tried.',
    takeTitle: 'Put this input on air and keep it there',
    automatic: 'Back to automatic',
    selected: 'An operator selected this input',
    backup: 'The backup file is on air',
    switches: (count: number): string => `${count} ${count === 1 ? 'switch' : 'switches'} since start`,
    lastFrame: (ms: number): string => `last frame ${formatFixed(ms / 1000, 1)} s ago`,
    tracks: 'Tracks',
    addresses: 'Addresses',
    pictureOf: (time: string): string => `Picture of ${time}`,
    pictureOld: 'Picture of unknown time',
    pictureNone: 'No picture',
    pictureNoVideo: 'No video',
    pictureLoading: 'Loading',
    player: 'Player',
    picture: 'Picture',
    publish: 'For the encoder',
    needsPassword: 'The encoder must add ?password=… to the address.',
    problems: 'Problems',
    recorded: 'Recording',
    recording: {
      title: 'Recording and marks',
      notRecorded: 'Not recorded',
      notLive: 'Not recording: the stream is not live',
      archiveOnly: 'The encoder disconnected. The archive can still be played.',
      ofLastDay: (span: string): string => `${span} of the last 24 hours`,
      show: 'In the archive',
      marks: 'Marks of the last 24 hours',
    },
    loudness: {
      title: 'Loudness (EBU R 128), days in UTC',
      day: 'Day',
      integrated: 'LUFS',
      range: 'LU',
      truePeak: 'dBTP',
      shortTerm: 'Max. S',
      report: 'Report',
      reportOf: (day: string): string => `Printable report of ${day}`,
    },
    graphs: {
      title: 'The last hour',
      loading: 'Loading graphs',
      none: 'No data for the last hour. The first values appear ten seconds after the first picture.',
      bitrate: 'Bitrate',
      fps: 'Frame rate',
      errors: 'Errors',
      latency: 'Latency',
      viewers: 'Viewers',
    },
    times: (count: number): string => (count > 1 ? `${count} times` : ''),
  },
  DE,
);
