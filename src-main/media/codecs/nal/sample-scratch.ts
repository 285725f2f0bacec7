import { writeLength } from './length-prefixed.ts';
import { copyBytes } from './native-bytes.ts';

const SMALLEST_BYTES = 64 * 1024;
const SHORT_UNIT_BYTES = 48;

/** Reusable buffer for building a sample: NAL units, each after its length in four bytes. */
export class SampleScratch {
  #buffer = Buffer.alloc(0);
  #length = 0;

  /** Empties the buffer and reserves memory for a sample of about the size of its source. */
  start(sourceBytes: number): void {
    this.#length = 0;
    if (this.#buffer.length < sourceBytes) this.#grow(sourceBytes + 1024);
  }

  /** Adds one NAL unit: the bytes of `source` from `start` to `end`. */
  append(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    let at = this.#length;
    if (at + 4 + length > this.#buffer.length) this.#grow(at + 4 + length);
    const buffer = this.#buffer;
    writeLength(buffer, at, length);
    at += 4;
    // A call into native code costs more than a few bytes.
    if (length <= SHORT_UNIT_BYTES) for (let i = start; i < end; i++) buffer[at++] = source[i]!;
    else copyBytes(source, buffer, at, start, end);
    this.#length += 4 + length;
  }

  view(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    let size = SMALLEST_BYTES;
    while (size < needed) size *= 2;
    const larger = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
