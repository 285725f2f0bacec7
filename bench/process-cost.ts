import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second of /proc (USER_HZ is 100 on every Linux that Node runs on). */
const TICKS_PER_SECOND = 100;

/** Processor time used by a process, its threads and its children, including ended ones, in seconds. */
export function cpuSeconds(pid: number): number {
  let ticks = 0;
  for (const id of processTree(pid)) {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The name of the process may contain blanks, so fields are counted after its closing bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Its own time and that of ended children, in user and in system mode.
    for (const field of [11, 12, 13, 14]) ticks += Number(fields[field]);
  }
  return ticks / TICKS_PER_SECOND;
}

/** Number of cores that processes and their children use during a task. */
export async function coresDuring(pids: readonly number[], task: () => Promise<unknown>): Promise<number> {
  const used = (): number => pids.reduce((seconds, pid) => seconds + cpuSeconds(pid), 0);
  const [fromSeconds, fromMs] = [used(), performance.now()];
  await task();
  return ((used() - fromSeconds) * 1000) / (performance.now() - fromMs);
}

/** Resident memory of a process and its children, in megabytes. */
export function residentMegabytes(pid: number): number {
  let kilobytes = 0;
  for (const id of processTree(pid)) {
    kilobytes += Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'latin1'))?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

/**
 * Memory of a process and its children in megabytes, with shared pages divided among them (proc(5), Pss).
 *
 * @param without processes to exclude with their descendants; `pid` itself excludes only this process
 */
export function ownMegabytes(pid: number, without: readonly number[] = []): number {
  let kilobytes = 0;
  const excluded = new Set(without.flatMap((one) => (one === pid ? [pid] : processTree(one))));
  for (const id of processTree(pid)) {
    if (excluded.has(id)) continue;
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'latin1'))?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

/** A process and all its descendants. */
function processTree(pid: number): number[] {
  const found = [pid];
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').trim();
    if (children !== '') found.push(...children.split(' ').flatMap((child) => processTree(Number(child))));
  }
  return found;
}

/** Processor time of the main thread of a process, which is the server thread of ours, in milliseconds (proc(5), schedstat). */
export function serverThreadCpuMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/**
 * Processor time of all running threads of a process, in milliseconds. More exact than `cpuSeconds`, but without ended threads and
 * children.
 */
export function threadsCpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce(
    (ms, id) => ms + Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  );
}
