const MAX_BYTES = 1 << 26;

/**
 * Growing sequence of big-endian bytes with nested boxes (ISO/IEC 14496-12, 4.2): `close` sets the size of the box that `open`
 * started.
 */
export class BoxWriter {
  #bytes = Buffer.alloc(1024);
  #length = 0;
  readonly #open: number[] = [];

  /** Starts a box that lasts up to the matching `close`. */
  open(type: string): this {
    this.#open.push(this.#length);
    return this.u32(0).ascii(type);
  }

  /** Starts a box with version and flags. */
  openFull(type: string, version: number, flags: number): this {
    return this.open(type).u8(version).u24(flags);
  }

  close(): this {
    const start = this.#open.pop();
    if (start === undefined) throw new Error('No box is open.');
    this.#bytes.writeUInt32BE(this.#length - start, start);
    return this;
  }

  u8(value: number): this {
    const at = this.#take(1);
    this.#bytes[at] = value;
    return this;
  }

  u16(value: number): this {
    const at = this.#take(2);
    this.#bytes.writeUInt16BE(value & 0xffff, at);
    return this;
  }

  u24(value: number): this {
    return this.u8(value >>> 16).u16(value);
  }

  u32(value: number): this {
    const at = this.#take(4);
    this.#bytes.writeUInt32BE(value >>> 0, at);
    return this;
  }

  /** A 64-bit integer from a number, negative in two's complement. */
  u64(value: number): this {
    return this.u32(Math.floor(value / 0x1_0000_0000)).u32(value);
  }

  zeros(length: number): this {
    const at = this.#take(length);
    this.#bytes.fill(0, at, at + length);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  /** Characters of one byte each. */
  ascii(text: string): this {
    const at = this.#take(text.length);
    this.#bytes.write(text, at, 'latin1');
    return this;
  }

  /** Copy of everything written so far. */
  finish(): Uint8Array {
    if (this.#open.length > 0) throw new Error('A box is still open.');
    return new Uint8Array(this.#bytes.subarray(0, this.#length));
  }

  #take(length: number): number {
    const at = this.#length;
    if (at + length > MAX_BYTES) throw new Error('The boxes are too long.');
    if (at + length > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(this.#bytes.length * 2, at + length));
      this.#bytes.copy(grown, 0, 0, at);
      this.#bytes = grown;
    }
    this.#length = at + length;
    return at;
  }
}
