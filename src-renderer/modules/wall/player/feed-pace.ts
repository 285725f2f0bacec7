/** What is left to play, at least, when the next media comes, in milliseconds: the margin for a busy machine. */
const TARGET_MS = 130;
const TARGET_MAX_MS = 500;
/** A stall raises the target; it falls again by this part of the time that passes. */
const STALL_MS = 100;
const DECAY = 0.004;
/** Nothing is done about less than this. */
const TOLERANCE_MS = 40;
/** More than this is jumped over. */
const JUMP_MS = 1_500;
const FASTEST = 1.08;
const SLOWEST = 0.96;
/** Media that is looked at together, in milliseconds: some of it may have been late. */
const SEEN_MS = 2_000;

/** What a player does next. */
export interface PaceAdvice {
  readonly rate: number;
  /** How far to jump forward, in milliseconds; 0 for not at all. */
  readonly jumpMs: number;
}

/** What was left to play when media came, and when that was. */
interface Lead {
  readonly leadMs: number;
  readonly atMs: number;
}

/** Keeps a player as close to the live edge as its machine and the connection allow: by what was still left to play when media came. */
export class FeedPace {
  #targetMs = TARGET_MS;
  #leads: Lead[] = [];

  /** Media has come. @param leadMs what was left to play before it, in milliseconds @param atMs when it came, by any clock that only rises */
  arrived(leadMs: number, atMs: number): PaceAdvice {
    const passedMs = atMs - (this.#leads.at(-1)?.atMs ?? atMs);
    this.#targetMs = Math.max(TARGET_MS, this.#targetMs - passedMs * DECAY);
    this.#leads = [...this.#leads.filter((lead) => atMs - lead.atMs < SEEN_MS), { leadMs, atMs }];
    const surplusMs = Math.min(...this.#leads.map((lead) => lead.leadMs)) - this.#targetMs;
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
