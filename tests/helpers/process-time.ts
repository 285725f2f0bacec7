import { readdirSync, readFileSync } from 'node:fs';

/** Unit of processor time on Linux: hundredths of a second on all machines. */
const TICK_MS = 10;

/**
 * Processor time used by all threads of a process, in milliseconds, in steps of 10. It measures the work of the
 * process; the wall clock would also measure the load of the machine.
 */
export function processTimeMs(pid: number): number {
  return usedMs(`/proc/${pid}/stat`);
}

/**
 * Processor time of each thread of a process, by number. A thread with a blocked event loop uses processor time
 * constantly.
 */
export function threadTimesMs(pid: number): ReadonlyMap<string, number> {
  const folder = `/proc/${pid}/task`;
  const times = new Map<string, number>();
  for (const thread of readdirSync(folder)) {
    try {
      times.set(thread, usedMs(`${folder}/${thread}/stat`));
    } catch {
      // The process has ended.
    }
  }
  return times;
}

function usedMs(file: string): number {
  const stat = readFileSync(file, 'utf8');
  // The second field is a name in parentheses that may contain any character; the fourteenth and fifteenth fields are
  // user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
