import type { Clock } from '../../lib/clock.ts';
import { isFullDisk } from '../../lib/full-disk.ts';
import { DelayedWork } from '../../lib/timers.ts';
import type { CatalogStore, StoredChange, TimeRange } from './catalog-store.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { ExplainedError } from '../../lib/error-message.ts';

export interface WaitingChangesOptions {
  readonly store: Pick<CatalogStore, 'write'>;
  readonly clock: Clock;
  /** Called when changes could not be stored. */
  readonly failed: (error: unknown, changes: number) => void;
}

/** Time for which changes are collected, in milliseconds. */
const GATHER_MS = 1000;
/** Interval between attempts while the disk of the store is full, in milliseconds. */
const RETRY_MS = 10_000;
/** Maximum number of changes in a transaction, which takes some milliseconds of the database thread. */
const MAX_BATCH = 64;
/** Maximum number of waiting changes; further changes are dropped. */
const MAX_WAITING = 10_000;

/** Block that is not stored yet. */
type WaitingBlock = Extract<StoredChange, { readonly type: 'add' }>['block'];

/** Queue of catalog changes for the store, in order. While the disk of the store is full, the changes wait for room. */
export class WaitingChanges {
  readonly #options: WaitingChangesOptions;
  readonly #flush: DelayedWork;
  readonly #retry: DelayedWork;
  /** Changes not yet stored, oldest first. */
  readonly #waiting: StoredChange[] = [];
  /** Number of changes that were stored or dropped so far. */
  #done = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: WaitingChangesOptions) {
    this.#options = options;
    this.#flush = new DelayedWork(options.clock, GATHER_MS, () => this.settled());
    this.#retry = new DelayedWork(options.clock, RETRY_MS, () => this.settled());
  }

  add(change: StoredChange): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#options.failed(new ExplainedError(because('catalog_changes_waiting')), 1);
      return;
    }
    this.#waiting.push(change);
    this.#flush.schedule();
  }

  /** Resolves when all changes so far are stored or dropped, or the disk is full. */
  async settled(): Promise<void> {
    this.#flush.cancel();
    const end = this.#done + this.#waiting.length;
    this.#writing = this.#writing.then(async () => this.#write(end));
    return this.#writing;
  }

  /** Like `settled`, for the changes in a time range of a stream. Does not wait for unrelated changes. */
  async settledFor(stream: string, time: TimeRange): Promise<void> {
    if (this.#waiting.some((change) => isAbout(change, stream, time))) await this.settled();
  }

  /** Added blocks with media in a time range of a stream that wait for room and were not removed since. */
  blocks(stream: string, { startMs, endMs }: TimeRange): readonly WaitingBlock[] {
    const found = new Map<string, WaitingBlock>();
    for (const change of this.#waiting)
      if (change.type === 'remove') found.delete(`${change.disk}\n${change.path}`);
      else if (change.block.stream === stream && change.block.startMs < endMs && change.block.endMs > startMs)
        found.set(`${change.block.disk}\n${change.block.path}`, change.block);
    return [...found.values()];
  }

  async #write(end: number): Promise<void> {
    while (this.#done < end) {
      const batch = this.#waiting.slice(0, Math.min(MAX_BATCH, end - this.#done));
      try {
        await this.#options.store.write(batch);
      } catch (error) {
        this.#options.failed(error, batch.length);
        if (isFullDisk(error)) {
          this.#retry.schedule();
          return;
        }
      }
      this.#waiting.splice(0, batch.length);
      this.#done += batch.length;
    }
  }
}

/**
 * Whether a change may affect a time range of a stream. Only the path of a removed block is known, which starts with
 * the stream.
 */
function isAbout(change: StoredChange, stream: string, { startMs, endMs }: TimeRange): boolean {
  if (change.type === 'remove') return change.path.replaceAll('\\', '/').startsWith(`${stream}/`);
  const { block } = change;
  return block.stream === stream && block.startMs < endMs && block.endMs > startMs;
}
