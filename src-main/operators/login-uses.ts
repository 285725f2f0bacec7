/** Time without use after which the next use of a login counts as its first use again, in milliseconds. */
export const UNUSED_MS = 30 * 60_000;
/** Maximum number of remembered pairs of login and address; the least recently used ones are forgotten first. */
const MAX_PAIRS = 10_000;

/** Detects the first use of a login from an address. HTTP has no login event: each request carries the credentials. */
export class LoginUses {
  readonly #now: () => number;
  /** Last use of each pair, oldest first. */
  readonly #lastMs = new Map<string, number>();

  /** @param now time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a use. Returns true for the first use, and for the first one after a long time without use. */
  isNew(login: string, address: string): boolean {
    const pair = `${address} ${login}`;
    const lastMs = this.#lastMs.get(pair);
    const nowMs = this.#now();
    this.#lastMs.delete(pair);
    this.#lastMs.set(pair, nowMs);
    if (this.#lastMs.size > MAX_PAIRS) {
      const [oldest] = this.#lastMs.keys();
      if (oldest !== undefined) this.#lastMs.delete(oldest);
    }
    return lastMs === undefined || nowMs - lastMs >= UNUSED_MS;
  }
}
