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

/** How often the tracks of one input may change: each change costs a cut, init sections and playlists. */
export function trackChangeRate(): TokenBucket {
  return new TokenBucket(32, 2);
}

/** How many splice messages one input may send: each stands in the playlists as long as the window. */
export function spliceRate(): TokenBucket {
  return new TokenBucket(64, 5);
}
