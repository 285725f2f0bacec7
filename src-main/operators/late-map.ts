import type { Clock } from '../lib/clock.ts';
import { DelayedWork } from '../lib/timers.ts';

/** Where values by key outlast a restart. */
export interface StoredValues<V> {
  /** All of them. */
  all(): ReadonlyMap<string, V>;
  /** Keeps values; null forgets one. */
  save(changes: ReadonlyMap<string, V | null>): void;
}

/** How long after a change it is written; all changes until then are written with it. */
const SAVE_MS = 10_000;

/** Values by key that outlast a restart. Changes are written together, some seconds later and at the end, so that no request waits for the store; `write` does it at once. */
export class LateMap<V> {
  readonly #store: StoredValues<V> | undefined;
  readonly #failed: (cause: unknown) => void;
  readonly #values: Map<string, V>;
  #unsaved = new Map<string, V | null>();
  readonly #save: DelayedWork;

  /** @param failed called where the store cannot be read or written; the values stay in memory */
  constructor(clock: Clock, store: StoredValues<V> | undefined, failed: (cause: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
    this.#save = new DelayedWork(clock, SAVE_MS, () => {
      this.write();
    });
    this.#values = new Map(this.#attempt(() => store?.all()));
  }

  /** All values as they are now. */
  get values(): ReadonlyMap<string, V> {
    return this.#values;
  }

  /** Sets a value; null forgets it. */
  set(key: string, value: V | null): void {
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, value);
    if (!this.#store) return;
    this.#unsaved.set(key, value);
    this.#save.ask();
  }

  /** Writes what is not written. */
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
