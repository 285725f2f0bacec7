import { translated } from '../../i18n/translated.ts';
import { DE, SINK_WORDS_DE } from './texts-de.ts';

/** The words of the page of the system. */
export const TEXTS = translated(
  'system',
  {
    title: 'System',
    loading: 'Waiting for the figures of the server',
    failed: 'The figures of the server cannot be read',
    needs: 'Needs you',
    server: 'Server',
    runs: 'Runs for',
    process: 'Process',
    pid: (pid: number): string => `number ${pid}`,
    load: 'Load',
    cpu: 'Processors',
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
    httpConnections: 'Connections by HTTP',
    rtmpConnections: 'Connections by RTMP',
    files: 'Open files',
    quarantined: 'Inputs in quarantine',
    disks: 'Disks of archives',
    noDisks: 'Nothing is recorded here',
    ownFolder: 'folder of a stream',
    archive: 'Archive',
    room: 'Room',
    free: 'free',
    writes: 'Writes',
    waits: 'Waits',
    slowest: 'Slowest write',
    notWritten: 'not written to',
    unknown: 'not known',
    sinks: 'Event sinks',
    noSinks: 'No event sink is configured',
    delivered: 'Delivered',
    waiting: 'Wait',
    deadLetters: 'Put aside',
    test: 'Test',
    tested: (name: string): string => `An event for ${name} alone is on its way.`,
    replay: 'Send what was put aside',
    replayed: (count: number, isMore: boolean): string =>
      count === 0
        ? isMore
          ? 'Too much waits already. Try again when the sink takes events.'
          : 'Nothing is put aside any more.'
        : `${count} ${count === 1 ? 'event is' : 'events are'} sent again.${isMore ? ' There are more.' : ''}`,
    lastFault: 'Last fault',
    ofLimit: (open: number, limit: number): string => `${open} of ${limit}`,
    licences: 'Licences',
    licencesIntro:
      'Airdesk is GPL-3.0-or-later. FFmpeg, which is part of it, is GPL-3.0-or-later too. What else is shipped:',
    licencesLoading: 'Reading the licences',
    licencesFailed: 'The licences cannot be read here; they stand in the folder of the program',
    diagnostics: 'Diagnostics',
    diagnosticsTitle:
      'Store what is needed to find a fault as a file: state, events, alarms and configuration, without secrets',
  },
  DE,
);

/** How a sink does, in words. */
export const SINK_WORDS = translated(
  'sinkStates',
  {
    idle: 'idle',
    delivering: 'delivers',
    retrying: 'tries again',
    disabled: 'switched off by the other side',
    not_supported: 'address cannot be used',
  },
  SINK_WORDS_DE,
);
