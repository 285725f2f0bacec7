/**
 * How often something may happen: a number of times at once, and again and again over a long run. What the run is measured in is up to its user:
 * milliseconds of a clock, or packets of a stream.
 */
export class TokenBucket {
  readonly #every: number;
  readonly #most: number;
  /** In the unit of the run, so that whole numbers stay whole. */
  #credit: number;
  #at = 0;

  /** @param burst most tokens, all there in the beginning @param every after how much of the run there is one more */
  constructor(burst: number, every: number) {
    this.#every = every;
    this.#most = burst * every;
    this.#credit = this.#most;
  }

  /** Takes one token; false where there is none. @param at the place in the run */
  take(at: number): boolean {
    if (this.wait(at) > 0) return false;
    this.#credit -= this.#every;
    return true;
  }

  /** Gives back a token that was taken. */
  giveBack(): void {
    this.#credit = Math.min(this.#most, this.#credit + this.#every);
  }

  /** How much of the run until the next token; 0 where there is one. A place before the last one, as of a clock that was set back, adds nothing. */
  wait(at: number): number {
    this.#goTo(at);
    return Math.max(0, this.#every - this.#credit);
  }

  /** How much of the run until all tokens are there; 0 where they are. */
  untilFull(at: number): number {
    this.#goTo(at);
    return this.#most - this.#credit;
  }

  #goTo(at: number): void {
    this.#credit = Math.min(this.#most, this.#credit + Math.max(0, at - this.#at));
    this.#at = at;
  }
}
