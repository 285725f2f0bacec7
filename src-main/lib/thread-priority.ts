import { setPriority } from 'node:os';

/** Nice value of threads whose work can wait for what is live. */
const NICE = 10;

/** Lowers the priority of the calling thread. On Linux a thread has a priority of its own; elsewhere it would be that of the whole process. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(NICE);
  } catch {
    // The thread continues with its present priority.
  }
}
