/** A read that took so long waited for its packet, in milliseconds: nothing more was there. */
const WAITED_MS = 1;
/** A source whose packets come less often is waited for beside the event loop. */
const STEADY_MS = 100;
/** What is read without a wait for so long is handed on, and the event loop does its work. */
const TURN_MS = 20;
/** Time between two turns: what packets are late by at most. */
const PAUSE_MS = 20;

/** What comes before the next read: nothing, a look at the event loop, or a pause. */
export type NextRead = 'at-once' | 'behind-others' | { readonly pauseMs: number };

/**
 * How a live source is read. A read beside the event loop costs two changes of threads, which is dear for each packet of a source that sends hundreds a second.
 * While packets are steady they are read in turns, one directly after the other until one had to be waited for; a pause after each turn lets some gather. A
 * source that is silent is waited for beside the event loop.
 */
export class LiveTurns {
  #isSteady = false;
  #startedMs = 0;

  /** Whether the next read is to be made directly; otherwise beside the event loop. */
  get isDirect(): boolean {
    return this.#isSteady;
  }

  /** A read has ended. @param startMs when it began, of the same clock as `endMs` */
  ended(startMs: number, endMs: number): NextRead {
    const waitedMs = endMs - startMs;
    const wasSteady = this.#isSteady;
    this.#isSteady = waitedMs < STEADY_MS;
    if (!wasSteady || !this.#isSteady) {
      this.#startedMs = endMs;
      return 'at-once';
    }
    if (waitedMs >= WAITED_MS) {
      this.#startedMs = endMs + PAUSE_MS;
      return { pauseMs: PAUSE_MS };
    }
    if (endMs - this.#startedMs < TURN_MS) return 'at-once';
    this.#startedMs = endMs;
    return 'behind-others';
  }
}
