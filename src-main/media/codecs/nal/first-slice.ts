import { SLICE_HEADER_BYTES } from './picture-syntax.ts';

/** A copy of the first bytes of a slice, from its NAL unit header on. */
export class FirstSlice {
  readonly bytes = new Uint8Array(SLICE_HEADER_BYTES);
  length = 0;

  /** Copies the first bytes of the unit from `start` to `end`. */
  take(bytes: Uint8Array, start: number, end: number): void {
    const length = Math.min(end - start, SLICE_HEADER_BYTES);
    for (let i = 0; i < length; i++) this.bytes[i] = bytes[start + i]!;
    this.length = length;
  }
}
