/** A read that took so long waited for its packet, in milliseconds: nothing more was there. */
const WAITED_MS = 1;
/** A source whose packets come less often is waited for beside the event loop. */
const STEADY_MS = 100;
/** What is read without a wait for so long is handed on, and the event loop does its work. */
const TURN_MS = 20;
/** Time between two turns in milliseconds: what packets are late by at most. */
const TICK_MS = 40;

/** What comes before the next read: nothing, a look at the event loop, or a pause up to the next tick. */
export type NextRead = 'at-once' | 'behind-others' | 'pause';

/**
 * Time up to the next tick in milliseconds. The ticks of all processes are at the same times, so that what they send wakes its reader once for all.
 * @param nowMs time of the system clock
 */
export function untilTickMs(nowMs: number): number {
  return TICK_MS - (nowMs % TICK_MS);
}

/**
 * How a live source is read. A read beside the event loop costs two changes of threads, which is dear for each packet of a source that sends hundreds a second.
 * While packets are steady they are read in turns, with a pause after each that lets some gather: as many as came in the turn before, and a few more
 * each time until one has to be waited for. A source that is silent is waited for beside the event loop.
 */
export class LiveTurns {
  #isSteady = false;
  #startedMs = 0;
  /** Reads of this turn that did not wait, and as many as are expected not to; the first turn has to find that. */
  #reads = 0;
  #expected = Number.POSITIVE_INFINITY;

  /** Whether the next read is to be made directly; otherwise beside the event loop. */
  get isDirect(): boolean {
    return this.#isSteady;
  }

  /** Whether the next read may last long: what was read before must not wait for it. */
  get mayWait(): boolean {
    return !this.#isSteady || this.#expected === Number.POSITIVE_INFINITY;
  }

  /** A read has ended. @param startMs when it began, of the same clock as `endMs` */
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
    return 'behind-others';
  }

  #endTurn(endMs: number): NextRead {
    this.#startedMs = endMs + TICK_MS;
    this.#reads = 0;
    return 'pause';
  }
}
