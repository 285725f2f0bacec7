import { readFile } from 'node:fs/promises';
import { cpus, freemem, totalmem } from 'node:os';

/** Load of the machine since its start, and current memory use. */
export interface MachineReading {
  /** Busy time of all cores together, in the unit of `totalTicks`. */
  readonly busyTicks: number;
  /** Total time of all cores together. */
  readonly totalTicks: number;
  /** Share of used memory, 0 to 1. */
  readonly memory: number;
}

/** Read once, because each call reads a file of the system. */
const TOTAL_BYTES = totalmem();

/** Reads the load of this machine by all programs. */
export async function readMachineLoad(): Promise<MachineReading> {
  const memory = TOTAL_BYTES > 0 ? 1 - freemem() / TOTAL_BYTES : 0;
  if (process.platform === 'linux') {
    const found = parseProcStat(await readFile('/proc/stat', 'latin1').catch(() => ''));
    if (found) return { ...found, memory };
  }
  let busyTicks = 0;
  let totalTicks = 0;
  for (const { times } of cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq;
    busyTicks += busy;
    totalTicks += busy + times.idle;
  }
  return { busyTicks, totalTicks, memory };
}

/** Parses the first line of `/proc/stat` (proc_stat(5)): user, nice, system, idle, iowait, irq, softirq, steal. */
export function parseProcStat(text: string): Pick<MachineReading, 'busyTicks' | 'totalTicks'> | undefined {
  const values = /^cpu +([0-9 ]+)/.exec(text)?.[1]?.trim().split(/ +/).map(Number).slice(0, 8);
  if (!values || values.length < 4) return undefined;
  const totalTicks = values.reduce((sum, ticks) => sum + ticks, 0);
  const idleTicks = (values[3] ?? 0) + (values[4] ?? 0);
  return { busyTicks: totalTicks - idleTicks, totalTicks };
}
