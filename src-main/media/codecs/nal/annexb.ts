import { indexOfBytes } from './native-bytes.ts';

/** Start code prefix of a NAL unit in a byte stream (H.264 B.1.1, H.265 B.2.1), without the zero bytes that may precede it. */
const START_CODE = Buffer.from([0, 0, 1]);
export const START_CODE_BYTES = 3;

/** Position of the next `00 00 01` at or after `from`, or -1. */
export function findStartCode(bytes: Uint8Array, from: number): number {
  return indexOfBytes(bytes, START_CODE, from);
}

/** Whether the bytes start with a start code: 00 00 01 or 00 00 00 01. */
export function startsWithStartCode(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0 && (bytes[2] === 1 || (bytes[2] === 0 && bytes[3] === 1));
}

/**
 * Cursor over the NAL units of a byte stream (H.264 annex B, H.265 annex B). Created once, used for many streams: `reset` with the
 * bytes, then `next` until it returns false; `start` and `end` bound the current unit. Bytes before the first start code are
 * skipped; trailing zero bytes belong to no unit; empty units are left out.
 */
export class NalCursor {
  /** Position of the NAL unit header. */
  start = 0;
  /** Position after the last byte of the unit. */
  end = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #next = -1;

  /** Starts a walk. The bytes stay borrowed until the next `reset`. */
  reset(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.start = 0;
    this.end = 0;
    this.#next = findStartCode(bytes, 0);
  }

  /** Moves to the next unit; false if there is none. */
  next(): boolean {
    const bytes = this.#bytes;
    while (this.#next >= 0) {
      const start = this.#next + START_CODE_BYTES;
      this.#next = findStartCode(bytes, start);
      let end = this.#next < 0 ? bytes.length : this.#next;
      while (end > start && bytes[end - 1] === 0) end--;
      if (end > start) {
        this.start = start;
        this.end = end;
        return true;
      }
    }
    return false;
  }
}

/** Copies of all NAL units of a byte stream; for parameter sets and tests, not for the hot path. */
export function splitAnnexB(bytes: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  const cursor = new NalCursor();
  cursor.reset(bytes);
  while (cursor.next()) units.push(new Uint8Array(bytes.subarray(cursor.start, cursor.end)));
  return units;
}
