import { NalCursor } from './annexb.ts';
import { LengthPrefixedCursor, readLength } from './length-prefixed.ts';
import type { LengthSize } from './length-prefixed.ts';
import { SampleScratch } from './sample-scratch.ts';

/** Visits each NAL unit of an access unit, in order. */
export interface NalVisitor {
  /** Learns from the unit; returns whether it belongs in the sample. */
  visit(bytes: Uint8Array, start: number, end: number): boolean;
  /** The same result without learning. */
  belongsInSample(bytes: Uint8Array, start: number, end: number): boolean;
}

/** Builds samples with four-byte lengths from access units in any form, in one reused buffer. */
export class SampleBuilder {
  /** Whether the last sample had a length that did not fit. */
  isBad = false;
  readonly #visitor: NalVisitor;
  readonly #scratch = new SampleScratch();
  readonly #annexB = new NalCursor();
  readonly #prefixed = new LengthPrefixedCursor();

  constructor(visitor: NalVisitor) {
    this.#visitor = visitor;
  }

  /** Sample of an access unit in byte stream form. Borrowed until the next call. */
  fromAnnexB(bytes: Uint8Array): Uint8Array {
    const cursor = this.#annexB;
    const scratch = this.#scratch;
    this.isBad = false;
    scratch.start(bytes.length);
    cursor.reset(bytes);
    while (cursor.next()) {
      if (this.#visitor.visit(bytes, cursor.start, cursor.end)) scratch.append(bytes, cursor.start, cursor.end);
    }
    return scratch.view();
  }

  /** Sample of an access unit whose NAL units are at `bounds[from..to)`. Borrowed until the next call. */
  fromUnits(bytes: Uint8Array, bounds: readonly number[], from: number, to: number): Uint8Array {
    const scratch = this.#scratch;
    this.isBad = false;
    scratch.start(to > from ? bounds[to - 1]! - bounds[from]! : 0);
    for (let i = from; i < to; i += 2) {
      const start = bounds[i]!;
      const end = bounds[i + 1]!;
      if (this.#visitor.visit(bytes, start, end)) scratch.append(bytes, start, end);
    }
    return scratch.view();
  }

  /** Sample of an access unit with lengths: the same bytes if nothing has to change, otherwise borrowed until the next call. */
  fromPrefixed(bytes: Uint8Array, lengthSize: LengthSize): Uint8Array {
    if (lengthSize === 4 && isByteStreamInUnit(bytes)) return this.fromAnnexB(bytes.subarray(4));
    const cursor = this.#prefixed;
    let size = 0;
    cursor.reset(bytes, lengthSize);
    while (cursor.next()) {
      if (this.#visitor.visit(bytes, cursor.start, cursor.end)) size += 4 + cursor.end - cursor.start;
    }
    this.isBad = cursor.isBad;
    if (lengthSize === 4 && size === bytes.length) return bytes;
    this.#scratch.start(size);
    cursor.reset(bytes, lengthSize);
    while (cursor.next()) {
      if (this.#visitor.belongsInSample(bytes, cursor.start, cursor.end))
        this.#scratch.append(bytes, cursor.start, cursor.end);
    }
    return this.#scratch.view();
  }
}

/**
 * Whether a sample is one unit with a header of four bytes (ITU-T H.264, 7.3.1: a prefix NAL unit), followed by the rest as a byte
 * stream. Slow motion of some phones has such samples. No valid unit contains a start code (7.4.1).
 */
function isByteStreamInUnit(bytes: Uint8Array): boolean {
  return readLength(bytes, 8, 4) === 1 && readLength(bytes, 0, 4) === bytes.length - 4;
}
