import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { DiskFolder, type QueueFolder } from './queue-folder.ts';

/** Number of ids reserved at once. */
const BLOCK = 1_000_000;
const FILE = '.ids';

/**
 * Source of event ids, which grow across restarts and crashes. A block is reserved on disk before any of its ids is used. The
 * first id after a start is after the block of the previous run, and at least the time in milliseconds, so that the loss of the
 * file does no harm.
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
    const exists = (await folder.list()).some(({ name }) => name === FILE);
    const saved = exists ? Number((await folder.read(FILE, 0, 32)).toString('utf8').trim()) : 0;
    const ids = new EventIds(folder, Math.max(Number.isSafeInteger(saved) ? saved : 0, nowMs));
    await ids.#save();
    return ids;
  }

  /** Returns the next id. */
  take(): number {
    if (this.#reserved - this.#next < BLOCK / 2) this.#reserve();
    return this.#next++;
  }

  #reserve(): void {
    if (this.#isReserving) return;
    this.#isReserving = true;
    this.#reserved += BLOCK;
    // If the id cannot be stored, ids continue: they start at the time in milliseconds, so they stay unique.
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

/** Opens the event ids of a folder. If the disk refuses, ids derive from the time, and the log reports it. */
export async function openEventIds(root: string, clock: Clock, log: Log): Promise<() => number> {
  try {
    const ids = await EventIds.open(await DiskFolder.open(root), clock.now());
    return () => ids.take();
  } catch (error) {
    log.error('event ids cannot be stored on disk, so they are derived from the time', { detail: messageOf(error) });
    let next = clock.now();
    return () => next++;
  }
}
