/** Test file and the wall-clock duration of its tests. */
export interface TimedFile {
  readonly path: string;
  readonly ms: number;
}

/** Prints the files that took longest, slowest first; nothing without files. */
export function slowestFiles(files: readonly TimedFile[], most = 10): string {
  const slowest = [...files].sort((a, b) => b.ms - a.ms).slice(0, most);
  if (slowest.length === 0) return '';
  const lines = slowest.map(({ path, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}\n`);
  return `\nslowest files\n${lines.join('')}`;
}

export interface FailedTest {
  readonly path: string;
  /** Empty if the file itself could not be loaded. */
  readonly title: string;
  readonly message: string;
}

/** Maximum number of lines of a message in the summary. The complete message is printed with the test. */
const MESSAGE_LINES = 12;
const LINE_LENGTH = 600;

/** Prints the failed tests and the start of each message, so that a long output need not be searched; nothing if all passed. */
export function failedTests(failures: readonly FailedTest[]): string {
  if (failures.length === 0) return '';
  const shown = failures.map(({ path, title, message }) => {
    const lines = message.split('\n').slice(0, MESSAGE_LINES);
    return `  ${path}${title === '' ? '' : `: ${title}`}\n${lines.map((line) => `      ${line.slice(0, LINE_LENGTH)}\n`).join('')}`;
  });
  return `\nfailed\n${shown.join('')}`;
}
