/** What is left to play, at best, when the next part comes, in milliseconds: the margin for a busy machine. */
const TARGET_MS = 130;
const TARGET_MAX_MS = 500;
/** A stall raises the target; it falls again by this much with each part. */
const STALL_MS = 100;
const DECAY_MS = 2;
/** Nothing is done about less than this. */
const TOLERANCE_MS = 40;
/** More than this is jumped over. */
const JUMP_MS = 1_500;
const FASTEST = 1.08;
const SLOWEST = 0.96;
/** Parts that are looked at together: a single one may have been late. */
const SEEN = 4;

/** What a player does next. */
export interface PaceAdvice {
  readonly rate: number;
  /** How far to jump forward, in milliseconds; 0 for not at all. */
  readonly jumpMs: number;
}

/** Keeps a player as close to the live edge as its machine and the connection allow: by what was still left to play when parts came. */
export class FeedPace {
  #targetMs = TARGET_MS;
  #leads: number[] = [];

  /** A part has come. @param leadMs what was left to play before it, in milliseconds */
  arrived(leadMs: number): PaceAdvice {
    this.#targetMs = Math.max(TARGET_MS, this.#targetMs - DECAY_MS);
    this.#leads = [...this.#leads.slice(1 - SEEN), leadMs];
    const surplusMs = Math.min(...this.#leads) - this.#targetMs;
    if (surplusMs > JUMP_MS) {
      this.#leads = [];
      return { rate: 1, jumpMs: surplusMs };
    }
    if (Math.abs(surplusMs) < TOLERANCE_MS) return { rate: 1, jumpMs: 0 };
    return { rate: Math.min(FASTEST, Math.max(SLOWEST, 1 + surplusMs / 2_000)), jumpMs: 0 };
  }

  /** Nothing was left to play. */
  stalled(): void {
    this.#targetMs = Math.min(TARGET_MAX_MS, this.#targetMs + STALL_MS);
    this.#leads = [];
  }
}
