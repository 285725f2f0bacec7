import type { EventGroup } from '../../../src-preload/contract/events/catalogue.ts';
import { translated } from '../../i18n/translated.ts';
import { DE, GROUP_LABELS_DE, LEVEL_LABELS_DE } from './texts-de.ts';

/** Texts of the log. */
export const TEXTS = translated(
  'log',
  {
    title: 'Log',
    level: 'Minimum level',
    group: 'Kind',
    allGroups: 'All kinds',
    media: 'Stream',
    text: 'Text',
    from: 'From',
    to: 'To',
    goTo: 'Go to',
    goToHint: 'Shows the events around this time (key T)',
    go: 'Go',
    startsAt: (time: string) => `The log starts at ${time}.`,
    csv: 'CSV',
    csvTitle: 'Save the events on this page as a CSV file',
    pause: 'Pause',
    resume: 'Resume',
    resumeNew: (count: number) => (count === 0 ? 'Resume' : `Resume (${count} new)`),
    skipped: (count: number) => `${count} skipped, because too many came at once`,
    loading: 'Loading the log',
    nothing: 'No events yet',
    nothingFits: (count: number) => `None of ${count} events match the filter`,
    showAll: 'Show all',
    levelOf: 'Level',
    time: 'Time',
    message: 'Message',
    close: 'Close the details',
    hidden: 'This login may not see the other details.',
    inArchive: 'Show in the archive',
    onWall: 'Show on the wall',
    onlyStream: 'Only this stream',
    copy: 'Copy as JSON',
    copied: 'Event copied to the clipboard',
    notCopied: 'The browser does not allow copying to the clipboard',
    onlyWords: 'Only events of this kind',
  },
  DE,
);

/** Labels of levels. */
export const LEVEL_LABELS = translated(
  'logLevels',
  {
    debug: 'Debug',
    info: 'Info',
    notice: 'Notice',
    warn: 'Warning',
    error: 'Error',
    alert: 'Alert',
  },
  LEVEL_LABELS_DE,
);

/** Labels of event groups. */
export const GROUP_LABELS: Readonly<Record<EventGroup, string>> = translated(
  'logGroups',
  {
    server: 'Server',
    streams: 'Streams',
    inputs: 'Inputs',
    publishers: 'Publishers',
    sessions: 'Sessions',
    advertisements: 'Advertisements',
    pushes: 'Pushes',
    configuration: 'Configuration',
    archive: 'Archive',
    alarms: 'Alarms',
    api_calls: 'API calls',
    event_delivery: 'Delivery of events',
  },
  GROUP_LABELS_DE,
);
