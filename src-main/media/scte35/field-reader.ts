/** Reader of consecutive fields of whole bytes and of 33 bits. A read past the end returns 0 and sets `isShort`. */
export class FieldReader {
  readonly #bytes: Uint8Array;
  /** Position of the next field. */
  at = 0;
  /** Whether a field did not fit. */
  isShort = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return Math.max(0, this.#bytes.length - this.at);
  }

  u8(): number {
    if (this.left < 1) this.isShort = true;
    return this.#bytes[this.at++] ?? 0;
  }

  u16(): number {
    return this.u8() * 2 ** 8 + this.u8();
  }

  u32(): number {
    return this.u16() * 2 ** 16 + this.u16();
  }

  u40(): number {
    return this.u8() * 2 ** 32 + this.u32();
  }

  /** Copy of the next bytes. */
  bytes(length: number): Uint8Array {
    if (this.left < length) this.isShort = true;
    const copy = this.#bytes.slice(this.at, this.at + length);
    this.at += length;
    return copy;
  }
}

/** Low 33 bits of a field of five bytes; the bits above are flags. */
export function low33(value: number): number {
  return value % 2 ** 33;
}

/** The lowest `count` bytes of a number, highest first. */
export function bytesOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(value / 2 ** (8 * (count - 1 - index))) % 256);
}
