/** The words of the log. */
export const TEXTS = {
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
} as const;

/** Levels as people say them. */
export const LEVEL_WORDS = {
  debug: 'Debug',
  info: 'Information',
  notice: 'Notice',
  warn: 'Warning',
  error: 'Error',
  alert: 'Alert',
} as const;
