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
