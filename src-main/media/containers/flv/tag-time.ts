import { INPUT_TIMESCALE } from '../../access-unit.ts';

/** 90 kHz ticks in a millisecond, the unit of FLV and RTMP. */
export const TICKS_PER_MS = INPUT_TIMESCALE / 1000;

/** Unrolls timestamps of 32-bit milliseconds (RTMP 1.0, section 4; FLV 10.1, section E.4.1), which wrap after 49.7 days. */
export class TagTime {
  #lastMs: number | undefined;
  #unrolledMs = 0;

  /** The time of a tag in 90 kHz ticks. A tag may be up to 24.8 days before or after the one before it. */
  ticks(timestampMs: number): number {
    const stepMs = this.#lastMs === undefined ? timestampMs >>> 0 : (timestampMs - this.#lastMs) | 0;
    this.#lastMs = timestampMs;
    this.#unrolledMs += stepMs;
    return this.#unrolledMs * TICKS_PER_MS;
  }
}
