/**
 * Rate limit with a burst. The caller chooses the unit of the position: milliseconds of a clock, or packets of a
 * stream.
 */
export class TokenBucket {
  readonly #every: number;
  readonly #max: number;
  /** Tokens in the bucket, multiplied by `every`, so that they stay whole numbers. */
  #credit: number;
  #at = 0;

  /**
   * @param burst maximum number of tokens, all available at the start
   * @param every distance of the position per new token
   */
  constructor(burst: number, every: number) {
    this.#every = every;
    this.#max = burst * every;
    this.#credit = this.#max;
  }

  /**
   * Takes one token; false if there is none.
   * @param at current position
   */
  take(at: number): boolean {
    if (this.wait(at) > 0) return false;
    this.#credit -= this.#every;
    return true;
  }

  /** Returns a token to the bucket. */
  giveBack(): void {
    this.#credit = Math.min(this.#max, this.#credit + this.#every);
  }

  /**
   * Distance to the next token; 0 if there is one. If the position is before the previous one, because a clock was set back, no
   * tokens are added.
   */
  wait(at: number): number {
    this.#goTo(at);
    return Math.max(0, this.#every - this.#credit);
  }

  /** Distance until the bucket is full; 0 if it is full. */
  untilFull(at: number): number {
    this.#goTo(at);
    return this.#max - this.#credit;
  }

  #goTo(at: number): void {
    this.#credit = Math.min(this.#max, this.#credit + Math.max(0, at - this.#at));
    this.#at = at;
  }
}
