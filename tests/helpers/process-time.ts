import { readdirSync, readFileSync } from 'node:fs';

/** Unit of processor time on Linux: hundredths of a second on all machines. */
const TICK_MS = 10;

/**
 * Processor time used by a process in all its threads, in milliseconds, in steps of 10. A wait measured by it shows the work of
 * the process; on the wall clock it also shows how busy the machine is.
 */
export function processTimeMs(pid: number): number {
  return usedMs(`/proc/${pid}/stat`);
}

/** Processor time of each thread of a process, by number. A thread with a blocked event loop uses all of its time. */
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
  // The second field is a name in parentheses that may hold anything; the fourteenth and fifteenth are user and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
