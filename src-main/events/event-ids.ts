import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { DiskFolder, type QueueFolder } from './queue-folder.ts';

/** How many numbers are reserved at once. */
const BLOCK = 1_000_000;
const FILE = '.ids';

/**
 * The numbers of events: they grow over restarts and crashes. A block is reserved on disk before any number of it is used; the first one of a
 * start is beyond the block of the start before, and not below the time in milliseconds, so that a lost file does no harm either.
 */
export class EventIds {
  readonly #folder: QueueFolder;
  #next: number;
  #reserved: number;
  #isReserving = false;

  private constructor(folder: QueueFolder, next: number) {
    this.#folder = folder;
    this.#next = next;
    this.#reserved = next + BLOCK;
  }

  /** Reserves the first block. */
  static async open(folder: QueueFolder, nowMs: number): Promise<EventIds> {
    const isThere = (await folder.list()).some(({ name }) => name === FILE);
    const saved = isThere ? Number((await folder.read(FILE, 0, 32)).toString('utf8').trim()) : 0;
    const ids = new EventIds(folder, Math.max(Number.isSafeInteger(saved) ? saved : 0, nowMs));
    await ids.#save();
    return ids;
  }

  /** The next number. */
  take(): number {
    if (this.#reserved - this.#next < BLOCK / 2) this.#reserve();
    return this.#next++;
  }

  #reserve(): void {
    if (this.#isReserving) return;
    this.#isReserving = true;
    this.#reserved += BLOCK;
    // Where the disk refuses, numbers go on: the time in milliseconds still keeps them apart.
    void this.#save()
      .catch(() => undefined)
      .finally(() => {
        this.#isReserving = false;
      });
  }

  #save(): Promise<void> {
    return this.#folder.replace(FILE, `${this.#reserved}\n`);
  }
}

/** Gives out the numbers of events of a folder. Where the disk refuses, they are derived from the time, and the log says so. */
export async function openEventIds(root: string, clock: Clock, log: Log): Promise<() => number> {
  try {
    const ids = await EventIds.open(await DiskFolder.open(root), clock.now());
    return () => ids.take();
  } catch (error) {
    log.error('event numbers cannot be stored; they are derived from the time', { detail: messageOf(error) });
    let next = clock.now();
    return () => next++;
  }
}
