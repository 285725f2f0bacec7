import { translated } from '../../i18n/translated.ts';
import { DE, GROUP_WORDS_DE, LEVEL_WORDS_DE } from './texts-de.ts';

/** The words of the log. */
export const TEXTS = translated(
  'log',
  {
    title: 'Log',
    level: 'At least',
    group: 'Kind',
    allGroups: 'All kinds',
    media: 'Stream',
    text: 'Words',
    pause: 'Pause',
    resume: 'Run',
    resumeNew: (count: number) => (count === 0 ? 'Run' : `Run (${count} new)`),
    skipped: (count: number) => `${count} left out, because there were too many at once`,
    loading: 'Waiting for the log',
    nothing: 'Nothing has happened yet',
    nothingFits: (count: number) => `None of ${count} events fits the filter`,
    showAll: 'Show all',
    levelOf: 'Level',
    time: 'Time',
    kind: 'Event',
    says: 'What it says',
    close: 'Close the details',
    inArchive: 'Show in the archive',
    onWall: 'Show on the wall',
    onlyStream: 'Only this stream',
    copy: 'Copy as JSON',
    copied: 'The event is on the clipboard',
    notCopied: 'This browser does not let the desk use the clipboard',
    onlyWords: 'Only events of this kind',
  },
  DE,
);

/** Levels as people say them. */
export const LEVEL_WORDS = translated(
  'logLevels',
  {
    debug: 'Debug',
    info: 'Information',
    notice: 'Notice',
    warn: 'Warning',
    error: 'Error',
    alert: 'Alert',
  },
  LEVEL_WORDS_DE,
);

/** Groups of events, by the title that they have in the catalogue. */
export const GROUP_WORDS: Readonly<Record<string, string>> = translated(
  'logGroups',
  {
    Server: 'Server',
    Streams: 'Streams',
    Inputs: 'Inputs',
    Publishers: 'Publishers',
    Sessions: 'Sessions',
    Advertisements: 'Advertisements',
    Pushes: 'Pushes',
    Configuration: 'Configuration',
    Archive: 'Archive',
    Alarms: 'Alarms',
    'API calls': 'API calls',
    'Delivery of events': 'Delivery of events',
  },
  GROUP_WORDS_DE,
);
