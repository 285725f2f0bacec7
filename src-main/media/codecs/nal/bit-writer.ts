/** Writer of bit fields, most significant bit first, into a growing buffer. For headers of a few bytes. */
export class BitWriter {
  #bytes = new Uint8Array(64);
  #position = 0;

  /** Bits written so far. */
  get lengthBits(): number {
    return this.#position;
  }

  flag(value: boolean): this {
    return this.bits(1, value ? 1 : 0);
  }

  /** An unsigned integer of 0 to 32 bits. */
  bits(count: number, value: number): this {
    for (let i = count - 1; i >= 0; i--) {
      if (this.#position >>> 3 >= this.#bytes.length) this.#grow();
      const bit = Math.floor(value / 2 ** i) % 2;
      if (bit === 1) this.#bytes[this.#position >>> 3]! |= 0x80 >>> (this.#position & 7);
      this.#position++;
    }
    return this;
  }

  /** Whole bytes, at any bit position. */
  bytes(values: Uint8Array): this {
    for (const value of values) this.bits(8, value);
    return this;
  }

  /** An unsigned Exp-Golomb code (H.264 9.1). */
  ue(value: number): this {
    const length = Math.floor(Math.log2(value + 1));
    return this.bits(length, 0).bits(length + 1, value + 1);
  }

  /** A signed Exp-Golomb code (H.264 9.1.1). */
  se(value: number): this {
    return this.ue(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** Zero bits up to the next byte boundary. */
  align(): this {
    this.#position = (this.#position + 7) & ~7;
    return this;
  }

  /** RBSP trailing bits: a one, then zeros up to the byte boundary (H.264 7.3.2.11). */
  trailing(): this {
    return this.bits(1, 1).align();
  }

  /** Copy of the written bits, padded with zeros to a whole byte. */
  finish(): Uint8Array {
    const length = (this.#position + 7) >>> 3;
    while (this.#bytes.length < length) this.#grow();
    return this.#bytes.slice(0, length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
