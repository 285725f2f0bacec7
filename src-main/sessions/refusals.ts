/** Why a request is not served. */
export interface Refusal {
  readonly code: 'playback_denied' | 'session_banned' | 'token_required' | 'unavailable' | 'stream_not_found';
  readonly detail: string;
  /** Where the player is sent instead. */
  readonly location?: string;
}

/** A refusal that holds for some time. */
export interface TimedRefusal extends Refusal {
  /** Epoch milliseconds. */
  readonly untilMs: number;
}

/** Most refusals that are remembered; beyond them the oldest are forgotten, and asked about again. */
const MAX_REFUSALS = 200_000;
const SWEEP_COUNT = 2000;

/** Who is kept out, and until when: answers of backends that hold, and bans. */
export class Refusals {
  readonly #byKey = new Map<string, TimedRefusal>();
  #sweeping: Iterator<[string, TimedRefusal]> | undefined;

  get size(): number {
    return this.#byKey.size;
  }

  /** The refusal that holds for a session now. */
  get(key: string, nowMs: number): TimedRefusal | undefined {
    const refusal = this.#byKey.get(key);
    if (!refusal || refusal.untilMs > nowMs) return refusal;
    this.#byKey.delete(key);
    return undefined;
  }

  add(key: string, refusal: TimedRefusal): void {
    this.#byKey.delete(key);
    this.#byKey.set(key, refusal);
    if (this.#byKey.size <= MAX_REFUSALS) return;
    const [oldest] = this.#byKey.keys();
    if (oldest !== undefined) this.#byKey.delete(oldest);
  }

  /** Forgets some of those that are over; called once a second. */
  sweep(nowMs: number): void {
    this.#sweeping ??= this.#byKey[Symbol.iterator]();
    for (let looked = 0; looked < SWEEP_COUNT; looked++) {
      const step = this.#sweeping.next();
      if (step.done === true) {
        this.#sweeping = undefined;
        return;
      }
      const [key, { untilMs }] = step.value;
      if (untilMs <= nowMs) this.#byKey.delete(key);
    }
  }
}
