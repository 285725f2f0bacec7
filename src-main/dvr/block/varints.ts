/** Writes integers with seven bits per byte, lowest first, up to 2^53 - 1. */
export class VarintWriter {
  readonly #bytes: number[] = [];

  count(value: number): this {
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes.push((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes.push(rest);
    return this;
  }

  /** Adds a signed integer. */
  difference(value: number): this {
    return this.count(value < 0 ? -value * 2 - 1 : value * 2);
  }

  bytes(bytes: Uint8Array): this {
    this.count(bytes.length);
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  finish(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

/** Reads integers written by `VarintWriter`. After the end, or for an invalid integer, it returns 0 and sets `isShort`. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  isShort = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  count(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 49; factor *= 0x80) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        if (Number.isSafeInteger(value)) return value;
        break;
      }
    }
    this.isShort = true;
    return 0;
  }

  difference(): number {
    const value = this.count();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  bytes(): Uint8Array {
    const length = this.count();
    if (length > this.#bytes.length - this.#at) {
      this.isShort = true;
      return this.#bytes.subarray(0, 0);
    }
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
