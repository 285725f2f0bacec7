/**
 * Reader of bit fields, most significant bit first. Never throws: past the end it returns zeros and sets `isBad`, which a parser
 * checks once at its end. Unbounded codes (`ue` with more than 32 leading zeros) set `isBad` too.
 */
export class BitReader {
  /** Whether a read passed the end, or a code was too long. */
  isBad = false;
  readonly #bytes: Uint8Array;
  readonly #endBits: number;
  #position: number;

  constructor(bytes: Uint8Array, startBytes = 0, endBytes = bytes.length) {
    this.#bytes = bytes;
    this.#position = startBytes * 8;
    this.#endBits = endBytes * 8;
  }

  /** Number of unread bits. */
  get bitsLeft(): number {
    return this.#endBits - this.#position;
  }

  /** Position of the next bit, counted from the first byte of the array. */
  get positionBits(): number {
    return this.#position;
  }

  /** One bit as a boolean. */
  flag(): boolean {
    return this.bits(1) === 1;
  }

  /** An unsigned integer of 0 to 32 bits: `u(n)`. */
  bits(count: number): number {
    if (this.#position + count > this.#endBits) {
      this.isBad = true;
      this.#position = this.#endBits;
      return 0;
    }
    let value = 0;
    let left = count;
    while (left > 0) {
      const used = this.#position & 7;
      const take = Math.min(8 - used, left);
      const byte = this.#bytes[this.#position >>> 3] ?? 0;
      value = value * 2 ** take + ((byte >>> (8 - used - take)) & ((1 << take) - 1));
      this.#position += take;
      left -= take;
    }
    return value;
  }

  skip(count: number): void {
    if (count < 0 || this.#position + count > this.#endBits) {
      this.isBad = true;
      this.#position = this.#endBits;
      return;
    }
    this.#position += count;
  }

  /** Moves to the next byte boundary. */
  align(): void {
    this.#position = (this.#position + 7) & ~7;
  }

  /** An unsigned Exp-Golomb code: `ue(v)` (H.264 9.1). */
  ue(): number {
    let zeros = 0;
    while (!this.flag()) {
      zeros++;
      if (this.isBad || zeros > 32) {
        this.isBad = true;
        return 0;
      }
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** A signed Exp-Golomb code: `se(v)` (H.264 9.1.1). */
  se(): number {
    const code = this.ue();
    return code % 2 === 1 ? (code + 1) / 2 : 0 - code / 2;
  }

  /** Whether payload follows before the RBSP trailing bits: `more_rbsp_data()` (H.264 7.2). */
  hasMoreRbspData(): boolean {
    let last = (this.#endBits >>> 3) - 1;
    while (last >= 0 && this.#bytes[last] === 0) last--;
    if (last < 0) return false;
    const byte = this.#bytes[last] ?? 0;
    const stopBit = last * 8 + 7 - (31 - Math.clz32(byte & -byte));
    return this.#position < stopBit;
  }
}
