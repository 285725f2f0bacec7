import type { Clock } from '../lib/clock.ts';
import type { LateMap } from './late-map.ts';

/** When each token was used last. */
export class TokenUses {
  readonly #clock: Clock;
  readonly #usedMs: LateMap<number>;

  constructor(clock: Clock, usedMs: LateMap<number>) {
    this.#clock = clock;
    this.#usedMs = usedMs;
  }

  /** Epoch milliseconds; null where it was not used. */
  last(name: string): number | null {
    return this.#usedMs.values.get(name) ?? null;
  }

  /** A token is used now. */
  use(name: string): void {
    this.#usedMs.set(name, this.#clock.now());
  }

  /** Forgets the tokens that are not there any more. */
  keepOnly(tokens: { has(name: string): boolean }): void {
    for (const name of [...this.#usedMs.values.keys()]) if (!tokens.has(name)) this.#usedMs.set(name, null);
  }

  /** Writes what is not written. */
  close(): void {
    this.#usedMs.write();
  }
}
