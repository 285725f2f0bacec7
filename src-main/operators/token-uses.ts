import type { Clock } from '../lib/clock.ts';
import { DelayedWork } from '../lib/timers.ts';

/** Where the uses of tokens outlast a restart. */
export interface TokenUseStore {
  /** All of them by name, epoch milliseconds. */
  all(): ReadonlyMap<string, number>;
  /** Keeps uses; null forgets a token. */
  save(uses: ReadonlyMap<string, number | null>): void;
}

/** How long after a use it is written; all uses until then are written with it. */
const SAVE_MS = 10_000;

/** When each token was used last. No request waits for the store: uses are written together, some seconds later and at the end. */
export class TokenUses {
  readonly #clock: Clock;
  readonly #store: TokenUseStore | undefined;
  readonly #failed: (cause: unknown) => void;
  readonly #usedMs: Map<string, number>;
  #unsaved = new Map<string, number | null>();
  readonly #save: DelayedWork;

  /** @param failed called where the store cannot be read or written; the uses stay in memory */
  constructor(clock: Clock, store: TokenUseStore | undefined, failed: (cause: unknown) => void) {
    this.#clock = clock;
    this.#store = store;
    this.#failed = failed;
    this.#save = new DelayedWork(clock, SAVE_MS, () => {
      this.close();
    });
    this.#usedMs = new Map(this.#attempt(() => store?.all()));
  }

  /** Epoch milliseconds; null where it was not used. */
  last(name: string): number | null {
    return this.#usedMs.get(name) ?? null;
  }

  /** A token is used now. */
  use(name: string): void {
    const now = this.#clock.now();
    this.#usedMs.set(name, now);
    this.#note(name, now);
  }

  /** Forgets the tokens that are not there any more. */
  keepOnly(tokens: { has(name: string): boolean }): void {
    for (const name of [...this.#usedMs.keys()]) {
      if (tokens.has(name)) continue;
      this.#usedMs.delete(name);
      this.#note(name, null);
    }
  }

  /** Writes what is not written. */
  close(): void {
    this.#save.cancel();
    const uses = this.#unsaved;
    this.#unsaved = new Map();
    if (uses.size > 0) this.#attempt(() => this.#store?.save(uses));
  }

  #note(name: string, usedMs: number | null): void {
    if (!this.#store) return;
    this.#unsaved.set(name, usedMs);
    this.#save.ask();
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
