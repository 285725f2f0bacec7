import { setPriority } from 'node:os';

/** Nice value of threads whose work can wait for live streams. */
const NICE = 10;

/** Lowers the priority of the calling thread. Only on Linux, because other systems would change the whole process. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(NICE);
  } catch {
    // If the priority cannot be changed, the thread keeps its current one.
  }
}
