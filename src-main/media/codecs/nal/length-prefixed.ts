import { copyBytes } from './native-bytes.ts';

/** Bytes of the length before each NAL unit in a sample (ISO 14496-15 5.3.3.1.2, `lengthSizeMinusOne` + 1). */
export type LengthSize = 1 | 2 | 4;

/**
 * Size of the lengths in samples with this decoder configuration record (ISO/IEC 14496-15, 5.3.3.1.2 and 8.3.3.1.2:
 * `lengthSizeMinusOne` + 1); 3 is
 * reserved. 4 without a record.
 */
export function lengthSizeOf(record: Uint8Array, codec: 'h264' | 'h265'): LengthSize | 3 {
  const isRecord = record[0] === 1;
  const minusOne = isRecord ? (record[codec === 'h264' ? 4 : 21] ?? 3) & 3 : 3;
  return (minusOne + 1) as LengthSize | 3; // two bits: the size minus one
}

/**
 * Walk over the NAL units of a length-prefixed sample. Created once, used for many samples. A length that points past the end
 * stops the walk and sets `isBad`. Empty units are left out.
 */
export class LengthPrefixedCursor {
  /** Position of the NAL unit header. */
  start = 0;
  /** Position after the last byte of the unit. */
  end = 0;
  /** Whether the sample is damaged: a length that does not fit, or bytes left at the end. */
  isBad = false;
  #bytes: Uint8Array = new Uint8Array(0);
  #lengthSize: LengthSize = 4;

  reset(bytes: Uint8Array, lengthSize: LengthSize = 4): void {
    this.#bytes = bytes;
    this.#lengthSize = lengthSize;
    this.start = 0;
    this.end = 0;
    this.isBad = false;
  }

  next(): boolean {
    const bytes = this.#bytes;
    while (this.end < bytes.length) {
      const start = this.end + this.#lengthSize;
      const end = start <= bytes.length ? start + readLength(bytes, this.end, this.#lengthSize) : start;
      if (end > bytes.length) {
        this.isBad = true;
        return false;
      }
      this.start = start;
      this.end = end;
      if (end > start) return true;
    }
    return false;
  }
}

/** Whether the bytes consist of complete length-prefixed NAL units. */
export function isLengthPrefixed(
  bytes: Uint8Array,
  lengthSize: LengthSize,
  cursor = new LengthPrefixedCursor(),
): boolean {
  cursor.reset(bytes, lengthSize);
  while (cursor.next());
  return !cursor.isBad;
}

/** Length at `offset`. Bytes outside of `bytes` count as 0. */
export function readLength(bytes: Uint8Array, offset: number, lengthSize: LengthSize): number {
  let length = 0;
  for (let i = 0; i < lengthSize; i++) length = length * 256 + (bytes[offset + i] ?? 0);
  return length;
}

/** Writes a length of four bytes at `offset`. */
export function writeLength(target: Uint8Array, offset: number, length: number): void {
  target[offset] = length >>> 24;
  target[offset + 1] = length >>> 16;
  target[offset + 2] = length >>> 8;
  target[offset + 3] = length;
}

/** Size of a sample with four bytes before each NAL unit, as start codes or as lengths. */
export function annexBSize(sample: Uint8Array, lengthSize: LengthSize = 4): number {
  if (lengthSize === 4) return sample.length;
  let size = 0;
  for (let offset = 0; offset + lengthSize <= sample.length;) {
    const length = readLength(sample, offset, lengthSize);
    if (offset + lengthSize + length > sample.length) break;
    size += 4 + length;
    offset += lengthSize + length;
  }
  return size;
}

/**
 * Writes a sample in byte stream form, a four-byte start code before each NAL unit. `target` must have room for
 * `annexBSize(sample)` bytes from `offset`. Returns the offset after the last byte. Units after damage are left out.
 */
export function lengthPrefixedToAnnexB(
  target: Uint8Array,
  offset: number,
  sample: Uint8Array,
  lengthSize: LengthSize = 4,
): number {
  return rewrite(target, offset, sample, lengthSize, true);
}

/** Does the same as `lengthPrefixedToAnnexB`, but writes lengths of four bytes instead of start codes. */
export function lengthPrefixedToFourByte(
  target: Uint8Array,
  offset: number,
  sample: Uint8Array,
  lengthSize: LengthSize,
): number {
  return rewrite(target, offset, sample, lengthSize, false);
}

function rewrite(
  target: Uint8Array,
  offset: number,
  sample: Uint8Array,
  lengthSize: LengthSize,
  asStartCodes: boolean,
): number {
  // The size does not change: the whole sample is copied at once, and then the lengths are overwritten.
  if (lengthSize === 4) {
    copyBytes(sample, target, offset, 0, sample.length);
    return asStartCodes ? overwriteLengths(target, offset, offset + sample.length) : offset + sample.length;
  }
  let position = 0;
  let out = offset;
  while (position + lengthSize <= sample.length) {
    const length = readLength(sample, position, lengthSize);
    const start = position + lengthSize;
    if (start + length > sample.length) break;
    writeLength(target, out, asStartCodes ? 1 : length);
    copyBytes(sample, target, out + 4, start, start + length);
    out += 4 + length;
    position = start + length;
  }
  return out;
}

/** Replaces the four-byte lengths between `from` and `to` by start codes; returns the end of the last complete unit. */
function overwriteLengths(target: Uint8Array, from: number, to: number): number {
  let position = from;
  while (position + 4 <= to) {
    const length =
      (target[position] ?? 0) * 0x1000000 +
      (((target[position + 1] ?? 0) << 16) | ((target[position + 2] ?? 0) << 8) | (target[position + 3] ?? 0));
    if (position + 4 + length > to) return position;
    target[position] = 0;
    target[position + 1] = 0;
    target[position + 2] = 0;
    target[position + 3] = 1;
    position += 4 + length;
  }
  return position;
}
