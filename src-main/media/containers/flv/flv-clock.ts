import type { Track } from '../../track.ts';

/** Times of an access unit in an FLV or RTMP stream, in milliseconds. */
export interface FlvTime {
  /** Decoding time, not yet reduced to 32 bits. */
  readonly timestampMs: number;
  /** Presentation time less decoding time. */
  readonly compositionTimeMs: number;
}

/** Time of the first unit: units of other tracks may be earlier. */
const FIRST_MS = 1000;
/** Distance of the units after a discontinuity from those before it. */
const STEP_MS = 100;

/**
 * Clock of an FLV stream that all its receivers share. It starts near 0, so that its times have 24 bits for hours, and
 * continues over discontinuities of the timeline without a jump. Times of a track never fall.
 */
export class FlvClock {
  #offsetMs: number | undefined;
  #newestMs = FIRST_MS - STEP_MS;
  readonly #lastMs = new Map<string, number>();

  /** Newest decoding time of all tracks. */
  get nowMs(): number {
    return this.#newestMs;
  }

  /** The next unit has no relation to the times of the units before it. */
  discontinuity(): void {
    this.#offsetMs = undefined;
  }

  /** Times of a unit with times in the timescale of its track. */
  place({ id, timescale }: Track, dtsTicks: number, ptsTicks: number): FlvTime {
    const dtsMs = Math.round((dtsTicks * 1000) / timescale);
    const ptsMs = Math.round((ptsTicks * 1000) / timescale);
    this.#offsetMs ??= this.#newestMs + STEP_MS - dtsMs;
    const timestampMs = Math.max(dtsMs + this.#offsetMs, this.#lastMs.get(id) ?? 0);
    this.#lastMs.set(id, timestampMs);
    if (timestampMs > this.#newestMs) this.#newestMs = timestampMs;
    return { timestampMs, compositionTimeMs: ptsMs + this.#offsetMs - timestampMs };
  }
}
