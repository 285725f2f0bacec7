/** Minimum buffered media when the next media arrives, in milliseconds: a reserve for a busy machine. */
const TARGET_MS = 130;
const TARGET_MAX_MS = 500;
/** Increase of the target after a stall, and its decay as a fraction of the elapsed time. */
const STALL_MS = 100;
const DECAY = 0.004;
/** Smaller deviations are ignored. */
const TOLERANCE_MS = 40;
/** Larger deviations are skipped by a jump. */
const JUMP_MS = 1_500;
const FASTEST = 1.08;
const SLOWEST = 0.96;
/** Time over which arrivals are compared, in milliseconds, because some media may have been late. */
const SEEN_MS = 2_000;

/** Advice for a player. */
export interface PaceAdvice {
  readonly rate: number;
  /** Distance to jump forward, in milliseconds; 0 for none. */
  readonly jumpMs: number;
}

/** Buffered media at an arrival, and its time. */
interface Lead {
  readonly leadMs: number;
  readonly atMs: number;
}

/**
 * Keeps a player as close to the live edge as machine and connection allow, judged by the media still buffered at each arrival.
 */
export class FeedPace {
  #targetMs = TARGET_MS;
  #leads: Lead[] = [];

  /**
   * Reports arrived media.
   *
   * @param leadMs media buffered before it, in milliseconds
   * @param atMs time of arrival by any monotonic clock
   */
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

  /** Reports an empty buffer. */
  stalled(): void {
    this.#targetMs = Math.min(TARGET_MAX_MS, this.#targetMs + STALL_MS);
    this.#leads = [];
  }
}
