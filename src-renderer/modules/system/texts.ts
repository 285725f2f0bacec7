import { translated } from '../../i18n/translated.ts';
import { DE, SINK_LABELS_DE } from './texts-de.ts';

/** Common spelling of program names, by the name that the server reports. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  airdesk: 'Airdesk',
  electron: 'Electron',
  chrome: 'Chromium',
  node: 'Node.js',
  v8: 'V8',
  openssl: 'OpenSSL',
  sqlite: 'SQLite',
  ffmpeg: 'FFmpeg',
};

/** Texts of the system page. */
export const TEXTS = translated(
  'system',
  {
    loading: 'Loading server status',
    failed: 'Could not load the server status',
    needs: 'Needs attention',
    server: 'Server',
    runs: 'Uptime',
    platform: 'Operating system',
    process: 'Process',
    pid: (pid: number): string => `${pid}`,
    load: 'Load',
    cpu: 'CPU',
    cores: (cores: number): string => `${cores} ${cores === 1 ? 'core' : 'cores'}`,
    memory: 'Memory',
    ofMemory: (used: string, whole: string): string => `Airdesk ${used}, machine ${whole}`,
    serverThread: 'Viewers and APIs',
    mediaThread: (index: number): string => `Media thread ${index + 1}`,
    publishers: (count: number): string => `${count} ${count === 1 ? 'encoder' : 'encoders'}`,
    traffic: 'Traffic',
    streams: 'Streams on air',
    viewers: 'Viewers',
    input: 'In',
    output: 'Out',
    ports: 'Ports and limits',
    allAddresses: 'all addresses',
    noPorts: 'No port is open',
    httpConnections: 'HTTP connections',
    rtmpConnections: 'RTMP connections',
    files: 'Open files',
    quarantined: 'Inputs in quarantine',
    disks: 'Archive disks',
    noDisks: 'Nothing is recorded here',
    ownFolder: 'stream folder',
    archive: 'Archive',
    room: 'Space',
    free: 'free',
    writes: 'Write rate',
    waits: 'Waiting',
    slowest: 'Slowest write',
    notWritten: 'not in use',
    unknown: 'unknown',
    sinks: 'Event sinks',
    noSinks: 'No event sinks configured',
    delivered: 'Delivered',
    waiting: 'Waiting',
    deadLetters: 'Not delivered',
    test: 'Test',
    tested: (name: string): string => `A test event was sent to ${name}.`,
    replay: 'Send undelivered again',
    replayed: (count: number, isMore: boolean): string =>
      count === 0
        ? isMore
          ? 'Too many events are waiting. Try again when the sink accepts events.'
          : 'There are no undelivered events.'
        : `${count} ${count === 1 ? 'event is' : 'events are'} sent again.${isMore ? ' There are more.' : ''}`,
    lastFault: 'Last error',
    ofLimit: (open: number, limit: number): string => `${open} of ${limit}`,
    licences: 'Licences',
    licencesIntro:
      'Airdesk is GPL-3.0-or-later. FFmpeg, which is part of it, is GPL-3.0-or-later too. Other included software:',
    licencesLoading: 'Reading the licences',
    licencesFailed: 'The licences could not be loaded. They are in the program folder.',
    diagnostics: 'Diagnostics',
    diagnosticsTitle: 'Save a diagnostics file: state, events, alarms and configuration, without secrets',
  },
  DE,
);

/** Labels of sink states. */
export const SINK_LABELS = translated(
  'sinkStates',
  {
    idle: 'idle',
    delivering: 'delivering',
    retrying: 'retrying',
    disabled: 'disabled by the receiver',
    not_supported: 'address not supported',
  },
  SINK_LABELS_DE,
);
