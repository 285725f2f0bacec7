import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever the clock of the machine. */
const TICK_MS = 10;

/**
 * Processor time that a process has used in all its threads, in milliseconds, in steps of 10. A wait that is counted in it says how long the
 * process took; on the clock on the wall it also says how busy the machine is.
 */
export function processTimeMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses that may hold anything; the fourteenth and fifteenth are user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
