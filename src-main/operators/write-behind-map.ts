import type { Clock } from '../lib/clock.ts';
import { DelayedWork } from '../lib/timers.ts';

/** Persistent store of values by key. */
export interface StoredValues<V> {
  all(): ReadonlyMap<string, V>;
  /** Saves values; null removes a value. */
  save(changes: ReadonlyMap<string, V | null>): void;
}

/** Delay between a change and its write, in milliseconds. All changes in between are written together. */
const SAVE_MS = 10_000;

/**
 * Map of values that survive a restart. Changes are written together, some seconds later, so that no request waits for the
 * store. Call `write` before the process ends.
 */
export class WriteBehindMap<V> {
  readonly #store: StoredValues<V> | undefined;
  readonly #failed: (cause: unknown) => void;
  readonly #values: Map<string, V>;
  #unsaved = new Map<string, V | null>();
  readonly #save: DelayedWork;

  /** @param failed called if the store cannot be read or written; the values stay in memory */
  constructor(clock: Clock, store: StoredValues<V> | undefined, failed: (cause: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
    this.#save = new DelayedWork(clock, SAVE_MS, () => {
      this.write();
    });
    this.#values = new Map(this.#attempt(() => store?.all()));
  }

  get values(): ReadonlyMap<string, V> {
    return this.#values;
  }

  /** Sets a value; null removes it. */
  set(key: string, value: V | null): void {
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, value);
    if (!this.#store) return;
    this.#unsaved.set(key, value);
    this.#save.schedule();
  }

  /** Writes pending changes at once. */
  write(): void {
    this.#save.cancel();
    const changes = this.#unsaved;
    this.#unsaved = new Map();
    if (changes.size > 0) this.#attempt(() => this.#store?.save(changes));
  }

  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (cause) {
      this.#failed(cause);
      return undefined;
    }
  }
}
