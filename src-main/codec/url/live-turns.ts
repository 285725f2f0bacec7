/**
 * Minimum duration of a read that had to wait for its packet, in milliseconds. After such a read no more packets are available.
 */
const WAITED_MS = 1;
/** Maximum interval of packets of a steady source, in milliseconds; other sources are read asynchronously. */
const STEADY_MS = 100;
/** Maximum time of reads without a turn of the event loop, in milliseconds. */
const TURN_MS = 20;
/** Interval of ticks in milliseconds, which is also the maximum delay of packets. */
const TICK_MS = 40;

/** Action before the next read: none, a turn of the event loop, or a pause until the next tick. */
export type NextRead = 'at-once' | 'after-turn' | 'pause';

/**
 * Milliseconds until the next tick. All processes have the same ticks, so that the receiver wakes once for the packets of all of
 * them.
 *
 * @param nowMs time of the system clock
 */
export function untilTickMs(nowMs: number): number {
  return TICK_MS - (nowMs % TICK_MS);
}

/**
 * Schedule of reads from a live source. An asynchronous read costs two thread switches, which is expensive for hundreds of
 * packets per second. While packets are steady, they are read directly in turns. After each turn there is a pause in which
 * packets accumulate: as many as in the previous turn, and a few more each time until one is not available. A silent source is
 * read asynchronously.
 */
export class LiveTurns {
  #isSteady = false;
  #startedMs = 0;
  /** Number of reads of this turn that did not wait, and the expected number, which the first turn determines. */
  #reads = 0;
  #expected = Number.POSITIVE_INFINITY;

  /** True if the next read is synchronous; otherwise it is asynchronous. */
  get isDirect(): boolean {
    return this.#isSteady;
  }

  /** Whether the next read may take long, so that the packets read so far should be sent before it. */
  get mayWait(): boolean {
    return !this.#isSteady || this.#expected === Number.POSITIVE_INFINITY;
  }

  /**
   * Records the end of a read.
   * @param startMs start of the read, by the same clock as `endMs`
   */
  ended(startMs: number, endMs: number): NextRead {
    const waitedMs = endMs - startMs;
    const wasSteady = this.#isSteady;
    this.#isSteady = waitedMs < STEADY_MS;
    if (!wasSteady || !this.#isSteady) {
      this.#startedMs = endMs;
      this.#reads = 0;
      this.#expected = Number.POSITIVE_INFINITY;
      return 'at-once';
    }
    if (waitedMs >= WAITED_MS) {
      this.#expected = Math.max(1, this.#reads);
      return this.#endTurn(endMs);
    }
    this.#reads++;
    if (this.#reads >= this.#expected) {
      this.#expected += Math.max(1, this.#expected >> 2);
      return this.#endTurn(endMs);
    }
    if (endMs - this.#startedMs < TURN_MS) return 'at-once';
    this.#startedMs = endMs;
    return 'after-turn';
  }

  #endTurn(endMs: number): NextRead {
    this.#startedMs = endMs + TICK_MS;
    this.#reads = 0;
    return 'pause';
  }
}
