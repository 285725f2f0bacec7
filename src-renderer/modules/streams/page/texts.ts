import type { StreamCondition } from '../stream-condition.ts';
import type { InputState } from '../../../../src-preload/contract/index.ts';
import type { Column } from './stream-rows.ts';
import { formatFixed } from '../../../i18n/i18n.ts';
import { translated } from '../../../i18n/translated.ts';
import { DE, COLUMN_WORDS_DE, STATE_WORDS_DE, PHASE_WORDS_DE } from './texts-de.ts';

/** Heads of the columns. */
export const COLUMN_WORDS: Readonly<Record<Column, string>> = translated(
  'streamColumns',
  {
    name: 'Stream',
    condition: 'State',
    input: 'Input',
    format: 'Format',
    bitrate: 'Bit rate',
    fps: 'Frames',
    viewers: 'Viewers',
    errors: 'Errors',
    uptime: 'Up',
  },
  COLUMN_WORDS_DE,
);

/** Conditions of a stream. */
export const STATE_WORDS: Readonly<Record<StreamCondition, string>> = translated(
  'streamStates',
  {
    live: 'Live',
    late: 'Late',
    lost: 'Lost',
    failed: 'Failed',
    refused: 'Refused',
    waiting: 'Waiting',
    starting: 'Starting',
    disabled: 'Disabled',
    archived: 'Archive only',
  },
  STATE_WORDS_DE,
);

/** What inputs do. */
export const PHASE_WORDS: Readonly<Record<InputState['phase'], string>> = translated(
  'inputPhases',
  {
    standby: 'Standing by',
    waiting: 'Waits for encoder',
    opening: 'Opening',
    running: 'Running',
    silent: 'Silent',
    error: 'Failed, is tried again',
    given_up: 'Given up',
  },
  PHASE_WORDS_DE,
);

/** The words of the page of streams. */
export const TEXTS = translated(
  'streamPage',
  {
    title: 'Streams',
    loading: 'Waiting for the streams',
    failed: 'The streams cannot be read',
    again: 'Try again',
    none: 'The server has no stream',
    noneFits: (count: number): string => `None of ${count} streams fits`,
    showAll: 'Show all',
    search: 'Find',
    state: 'State',
    all: 'All',
    trouble: 'In trouble',
    count: (shown: number, all: number): string => (shown === all ? `${all}` : `${shown} of ${all}`),
    csv: 'CSV',
    csvTitle: 'Store what the table shows as a file',
    chooseAll: 'Choose all that are shown',
    choose: (name: string): string => `Choose ${name}`,
    chosen: (count: number): string => `${count} chosen`,
    chooseNone: 'Choose none',
    close: 'Close',
    onWall: 'On the wall',
    inConfig: 'Its configuration',
    inLog: 'Log',
    sessions: 'Viewers',
    inputs: 'Inputs',
    onAir: 'On air',
    take: 'Take',
    takeTitle: 'Put this input on air, and keep it there',
    automatic: 'By priority again',
    selected: 'An operator selected this input',
    backup: 'The backup file is on air',
    switches: (count: number): string => `${count} ${count === 1 ? 'switch' : 'switches'} since the start`,
    lastFrame: (ms: number): string => `last frame ${formatFixed(ms / 1000, 1)} s ago`,
    tracks: 'Tracks',
    addresses: 'Addresses',
    player: 'Player',
    picture: 'Picture',
    publish: 'For the encoder',
    needsPassword: 'The encoder must add ?password=… to the address.',
    problems: 'Problems',
    recorded: 'It is recorded',
    recording: {
      title: 'Recording and marks',
      not: 'It is not recorded',
      left: 'Its encoder is gone; its archive can be played',
      day: (span: string): string => `${span} of the last 24 hours`,
      show: 'In the archive',
      marks: 'Marks of the last day',
    },
    loudness: {
      title: 'Loudness (EBU R128), days in UTC',
      day: 'Day',
      integrated: 'LUFS',
      range: 'LU',
      truePeak: 'dBTP',
      shortTerm: 'Max. S',
      report: 'Report',
      reportOf: (day: string): string => `Report of ${day}, to be printed`,
    },
    graphs: {
      title: 'The last hour',
      loading: 'Waiting for the graphs',
      none: 'No figures of the last hour: the first come ten seconds after the first picture.',
      bitrate: 'Bit rate',
      fps: 'Pictures',
      errors: 'Faults',
      latency: 'Behind live',
      viewers: 'Viewers',
    },
    times: (count: number): string => (count > 1 ? `${count} times` : ''),
  },
  DE,
);
