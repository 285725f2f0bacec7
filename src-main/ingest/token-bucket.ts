/** How often something may happen: a number at once, and so many a second over a long time. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #countedMs: number | undefined;

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
  }

  /** Takes one token; false where there is none. */
  take(nowMs: number): boolean {
    const passedMs = Math.max(0, nowMs - (this.#countedMs ?? nowMs));
    this.#countedMs = nowMs;
    this.#tokens = Math.min(this.#burst, this.#tokens + (passedMs * this.#perSecond) / 1000);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
