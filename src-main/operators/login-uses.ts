/** A login that an address has not used for so long is used anew, in milliseconds. */
export const SILENT_MS = 30 * 60_000;
/** Most pairs that are remembered; of more, those that were used longest ago are forgotten. */
const MAX_PAIRS = 10_000;

/** Says when a login begins to be used from an address: each request has it, and no one logs in or out of HTTP. */
export class LoginUses {
  readonly #now: () => number;
  /** When each was used last, the longest ago first. */
  readonly #lastMs = new Map<string, number>();

  /** @param now the time, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes a use. Whether it is the first one, or the first after a long time. */
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
    return lastMs === undefined || nowMs - lastMs >= SILENT_MS;
  }
}
