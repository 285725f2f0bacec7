/**
 * Cursor over big-endian bytes. It never leaves its bounds: a read past the end returns 0 and sets `isShort`, so a parser reads a
 * whole structure and checks once at the end.
 */
export class ByteReader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly end: number;
  at: number;
  isShort = false;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = start;
    this.end = Math.min(end, bytes.length);
  }

  /** Bytes from the cursor to the end. */
  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    return this.#has(1) ? this.#view.getUint8(this.at++) : 0;
  }

  u16(): number {
    if (!this.#has(2)) return 0;
    this.at += 2;
    return this.#view.getUint16(this.at - 2);
  }

  u24(): number {
    if (!this.#has(3)) return 0;
    this.at += 3;
    return this.#view.getUint8(this.at - 3) * 0x1_0000 + this.#view.getUint16(this.at - 2);
  }

  u32(): number {
    if (!this.#has(4)) return 0;
    this.at += 4;
    return this.#view.getUint32(this.at - 4);
  }

  i32(): number {
    if (!this.#has(4)) return 0;
    this.at += 4;
    return this.#view.getInt32(this.at - 4);
  }

  /** 64-bit integer. A value that a JavaScript number cannot represent exactly counts as missing. */
  u64(): number {
    const value = this.u32() * 0x1_0000_0000 + this.u32();
    if (Number.isSafeInteger(value)) return value;
    this.isShort = true;
    return 0;
  }

  /** A signed 64-bit integer, with the same limit as `u64`. */
  i64(): number {
    const value = this.i32() * 0x1_0000_0000 + this.u32();
    if (Number.isSafeInteger(value)) return value;
    this.isShort = true;
    return 0;
  }

  f64(): number {
    if (!this.#has(8)) return 0;
    this.at += 8;
    return this.#view.getFloat64(this.at - 8);
  }

  /** View of the next `length` bytes; empty if fewer bytes are left. */
  bytes(length: number): Uint8Array {
    if (!this.#has(length)) return this.#bytes.subarray(0, 0);
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  /** The next `length` bytes as characters of one byte each. */
  ascii(length: number): string {
    return String.fromCharCode(...this.bytes(length));
  }

  skip(length: number): void {
    if (this.#has(length)) this.at += length;
  }

  #has(length: number): boolean {
    if (length <= this.end - this.at) return true;
    this.isShort = true;
    this.at = this.end;
    return false;
  }
}
