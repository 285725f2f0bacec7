/** Ticks after which the time stamps of MPEG-2 systems wrap to 0 (ISO 13818-1 2.4.3.7: 33 bits). */
export const PTS_WRAP_TICKS = 2 ** 33;

/** Milliseconds after which RTMP time stamps wrap to 0 (32 bits). */
export const RTMP_WRAP_MS = 2 ** 32;

/**
 * Unrolls time stamps that wrap. Each value is unrolled to the nearest candidate to the previous value, so it may step back a
 * little (B-frames, interleaved tracks) and forward by less than half a wrap. The first value is unchanged. A step back across
 * the wrap right after the first value gives a negative time.
 */
export class Unroller {
  readonly #wrapTicks: number;
  #last: number | undefined;

  constructor(wrapTicks: number = PTS_WRAP_TICKS) {
    this.#wrapTicks = wrapTicks;
  }

  /** The newest unrolled time; undefined before the first. */
  get last(): number | undefined {
    return this.#last;
  }

  /** Unrolls a time stamp from 0 to below the wrap, and makes it the reference for the next one. */
  unroll(wrapped: number): number {
    const ticks = this.peek(wrapped);
    this.#last = ticks;
    return ticks;
  }

  /** Returns the same as `unroll`, but keeps the state: for a second time stamp of the same unit. */
  peek(wrapped: number): number {
    const last = this.#last;
    if (last === undefined) return wrapped;
    const wrap = this.#wrapTicks;
    const delta = wrapped - last;
    return wrapped - Math.round(delta / wrap) * wrap;
  }

  /** Resets: the next value is the first one. */
  reset(): void {
    this.#last = undefined;
  }
}
