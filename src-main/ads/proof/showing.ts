import type { Clip, Placement } from '../clips/clip.ts';

/** One showing of a clip to one viewer. */
export interface Showing {
  readonly clip: Clip;
  readonly placement: Placement;
  /** Start on the viewer's timeline, in milliseconds. */
  readonly startMs: number;
  /** Number of segments, from the first one; grows while a break by splice points lasts. */
  readonly count: number;
  /** Id of its break within the stream. */
  readonly breakId: string;
  /** True if it fills the time left by the clips of the break. */
  readonly isSlate: boolean;
  /** Segments that were sent to the viewer. */
  readonly delivered: DeliveredSegments;
}

/** A clip segment that was sent to a viewer. */
export interface Delivered {
  readonly showing: Showing;
  /** Number of the segment in its clip. */
  readonly index: number;
}

const BITS = 32;

/** Set of the delivered segments of one showing, one bit each. */
export class DeliveredSegments {
  readonly #bits: number[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @param index counted from 0 */
  has(index: number): boolean {
    return (((this.#bits[Math.floor(index / BITS)] ?? 0) >>> (index % BITS)) & 1) === 1;
  }

  /** Records a segment as delivered; false if it was already. */
  add(index: number): boolean {
    if (this.has(index)) return false;
    const word = Math.floor(index / BITS);
    while (this.#bits.length < word) this.#bits.push(0);
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (index % BITS));
    this.#count++;
    return true;
  }
}
