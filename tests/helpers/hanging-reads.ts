import { existsSync } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/** Function that reads from an open file. */
type Read = (this: FileHandle, ...args: unknown[]) => Promise<unknown>;

/** Interval of checks whether a file still hangs, in milliseconds. */
const POLL_MS = 20;

// Preloaded into a server by `node --import`. Reads of a file wait as long as a file with its name and the suffix
// `.hangs` exists.
if (isMainThread) {
  const handle = await open(process.execPath);
  // All file handles share one prototype, which Node does not export.
  const shared = Object.getPrototypeOf(handle) as Record<'read' | 'readv', Read>;
  await handle.close();
  for (const name of ['read', 'readv'] as const) {
    const read = shared[name];
    shared[name] = async function (...args) {
      const path = await readlink(`/proc/self/fd/${this.fd}`);
      while (existsSync(`${path}.hangs`)) await delay(POLL_MS);
      return read.apply(this, args);
    };
  }
}
