import type { Clock } from '../lib/clock.ts';
import type { WriteBehindMap } from './write-behind-map.ts';

/** Last use of each token. */
export class TokenUses {
  readonly #clock: Clock;
  readonly #usedMs: WriteBehindMap<number>;

  constructor(clock: Clock, usedMs: WriteBehindMap<number>) {
    this.#clock = clock;
    this.#usedMs = usedMs;
  }

  /** Epoch milliseconds; null if it was never used. */
  last(name: string): number | null {
    return this.#usedMs.values.get(name) ?? null;
  }

  /** Records a use of a token now. */
  use(name: string): void {
    this.#usedMs.set(name, this.#clock.now());
  }

  /** Forgets removed tokens. */
  keepOnly(tokens: { has(name: string): boolean }): void {
    for (const name of [...this.#usedMs.values.keys()]) if (!tokens.has(name)) this.#usedMs.set(name, null);
  }

  /** Saves the uses that are not saved yet. */
  close(): void {
    this.#usedMs.write();
  }
}
