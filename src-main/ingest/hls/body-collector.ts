import type { Decipheriv } from 'node:crypto';
import type { PlaylistByteRange } from '../../media/manifests/hls/byte-range.ts';

export interface BodyOptions {
  readonly maxBytes: number;
  readonly range?: PlaylistByteRange;
  readonly decipher?: Decipheriv;
}

/** Maximum memory allocated before the first byte arrives, in bytes. */
const MAX_FIRST_BYTES = 1 << 20;

/** Collects the body of one answer into one buffer, cut to its range and decrypted on the way. */
export class BodyCollector {
  readonly #options: BodyOptions;
  /** Bytes to skip before the range if a server sends the complete body. */
  #toSkip: number;
  #toTake: number;
  #bytes: Buffer;
  #length = 0;

  /** @param isPartial whether the server sends only the range (206) @param announcedBytes size of the body; NaN if unknown */
  constructor(options: BodyOptions, isPartial: boolean, announcedBytes: number) {
    this.#options = options;
    const { range, maxBytes } = options;
    this.#toSkip = range && !isPartial ? range.offsetBytes : 0;
    this.#toTake = range ? range.lengthBytes : Infinity;
    const expected = Math.min(this.#toTake, Number.isSafeInteger(announcedBytes) ? announcedBytes : 64 * 1024);
    // The announced bytes may never arrive, so a large body gets its memory as it grows.
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(Math.max(expected, 1), maxBytes, MAX_FIRST_BYTES));
  }

  /** Memory in use, in bytes. */
  get usedBytes(): number {
    return this.#bytes.length;
  }

  /** Adds the next bytes. Returns false when the body exceeds its limit. */
  push(chunk: Buffer): boolean {
    const start = Math.min(this.#toSkip, chunk.length);
    this.#toSkip -= start;
    const end = Math.min(chunk.length, start + this.#toTake);
    this.#toTake -= end - start;
    if (end === start) return true;
    const part = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end);
    return this.#add(this.#options.decipher?.update(part) ?? part);
  }

  /** Complete body; undefined if it cannot be decrypted, or exceeds its limit. */
  finish(): Buffer | undefined {
    const { decipher } = this.#options;
    if (decipher) {
      try {
        if (!this.#add(decipher.final())) return undefined;
      } catch {
        return undefined;
      }
    }
    return this.#bytes.subarray(0, this.#length);
  }

  #add(bytes: Buffer): boolean {
    const needed = this.#length + bytes.length;
    if (needed > this.#options.maxBytes) return false;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#options.maxBytes, Math.max(needed, this.#bytes.length * 2)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.#length);
    this.#length = needed;
    return true;
  }
}
