import { grownBytes } from '../grown-bytes.ts';
import { copyBytes } from '../../codecs/nal/native-bytes.ts';

/** Minimum buffer size. */
const MIN_BYTES = 1024;

/**
 * Maximum memory that is reserved for a message before its bytes arrive. Above that, the buffer grows with the received bytes.
 */
const TRUSTED_BYTES = 256 * 1024;

/** Number of messages after which the buffer is compared with the largest of them. */
const REVIEW_MESSAGES = 256;

/** Maximum size of an RTMP message: its length has 24 bits (RTMP 1.0, section 5.3.1.2.1). */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const EMPTY = new Uint8Array(0);

/**
 * Collects the pieces of one message after another. Its buffer is kept for the next message. It grows in powers of two, and is
 * released when messages become much smaller.
 */
export class GatherBuffer {
  #bytes: Uint8Array = EMPTY;
  #length = 0;
  #largest = 0;
  #messages = 0;

  /** Bytes of the current message so far. */
  get length(): number {
    return this.#length;
  }

  /**
   * Adds `count` bytes from `start`. Returns by how many bytes the memory has grown. `expected` is the announced size of the
   * message.
   */
  append(bytes: Uint8Array, start: number, count: number, expected: number): number {
    const needed = this.#length + count;
    const before = this.#bytes.length;
    if (needed > before) this.#grow(Math.max(needed, Math.min(expected, TRUSTED_BYTES)));
    copyBytes(bytes, this.#bytes, this.#length, start, start + count);
    this.#length = needed;
    return this.#bytes.length - before;
  }

  /** The message so far. Valid until the next `append` after a `reset`. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Starts the next message; returns the number of bytes of memory that were released. */
  reset(): number {
    this.#largest = Math.max(this.#largest, this.#length);
    this.#length = 0;
    this.#messages += 1;
    if (this.#messages < REVIEW_MESSAGES) return 0;
    const capacity = this.#bytes.length;
    const isTooLarge = capacity > 2 * powerOfTwo(this.#largest);
    this.#messages = 0;
    this.#largest = 0;
    if (!isTooLarge) return 0;
    this.#bytes = EMPTY;
    return capacity;
  }

  #grow(needed: number): void {
    this.#bytes = grownBytes(this.#bytes, this.#length, powerOfTwo(needed), MAX_MESSAGE_BYTES);
  }
}

function powerOfTwo(bytes: number): number {
  return bytes <= MIN_BYTES ? MIN_BYTES : 2 ** Math.ceil(Math.log2(bytes));
}
