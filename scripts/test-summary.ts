/** A test file and how long its tests took, by the clock on the wall. */
export interface TimedFile {
  readonly path: string;
  readonly ms: number;
}

/** Lines for people: the files that took longest, the slowest first; nothing where there are no files. */
export function slowestFiles(files: readonly TimedFile[], most = 10): string {
  const slowest = [...files].sort((a, b) => b.ms - a.ms).slice(0, most);
  if (slowest.length === 0) return '';
  const lines = slowest.map(({ path, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${path}\n`);
  return `\nslowest files\n${lines.join('')}`;
}

/** A test that failed. */
export interface FailedTest {
  readonly path: string;
  /** Empty where the file itself could not be loaded. */
  readonly title: string;
  readonly message: string;
}

/** Lines of a message that are shown again at the end; all of them stand where the test ran. */
const MESSAGE_LINES = 12;
const LINE_LENGTH = 600;

/** Lines for people: the tests that failed and how each message begins, so that a long output need not be searched; nothing where all passed. */
export function failedTests(failures: readonly FailedTest[]): string {
  return listed('failed', failures);
}

/** The same for tests that failed beside others and passed alone. */
export function unsteadyTests(failures: readonly FailedTest[]): string {
  return listed('unsteady: failed, and passed when run again alone', failures);
}

function listed(heading: string, failures: readonly FailedTest[]): string {
  if (failures.length === 0) return '';
  const shown = failures.map(({ path, title, message }) => {
    const lines = message.split('\n').slice(0, MESSAGE_LINES);
    return `  ${path}${title === '' ? '' : `: ${title}`}\n${lines.map((line) => `      ${line.slice(0, LINE_LENGTH)}\n`).join('')}`;
  });
  return `\n${heading}\n${shown.join('')}`;
}
