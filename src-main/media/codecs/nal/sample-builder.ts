import { findStartCode, NalCursor, START_CODE_BYTES, startsWithStartCode } from './annexb.ts';
import { isLengthPrefixed, LengthPrefixedCursor, readLength } from './length-prefixed.ts';
import type { LengthSize } from './length-prefixed.ts';
import { SampleScratch } from './sample-scratch.ts';

/** Visits each NAL unit of an access unit, in order. */
export interface NalVisitor {
  /** Learns from the unit; returns whether it belongs in the sample. */
  visit(bytes: Uint8Array, start: number, end: number): boolean;
  /** Returns the same as `visit`, but learns nothing. */
  belongsInSample(bytes: Uint8Array, start: number, end: number): boolean;
}

/**
 * Maximum number of samples of a track whose units are searched for start codes. A muxer creates all samples of a track in the
 * same way.
 */
const MAX_SEARCHED = 8;

/** Builds samples with four-byte lengths from access units in any form, in one reused buffer. */
export class SampleBuilder {
  /** Whether the last sample had a length that did not fit. */
  isBad = false;
  /** Number of further samples whose units are searched for start codes; Infinity after one was found. */
  #searchesLeft: number;
  readonly #visitor: NalVisitor;
  readonly #scratch = new SampleScratch();
  readonly #annexB = new NalCursor();
  readonly #prefixed = new LengthPrefixedCursor();

  /** @param searches samples with lengths whose units are searched for start codes */
  constructor(visitor: NalVisitor, searches = MAX_SEARCHED) {
    this.#visitor = visitor;
    this.#searchesLeft = searches;
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

  /**
   * Sample of an access unit with lengths: the same bytes if nothing has to change, otherwise borrowed until the next call.
   * Some muxers write the byte stream of the encoder instead of units with lengths, or write the whole byte stream after one
   * length.
   */
  fromPrefixed(bytes: Uint8Array, lengthSize: LengthSize): Uint8Array {
    const cursor = this.#prefixed;
    // The lengths of a sample may look like a start code.
    if (startsWithStartCode(bytes) && !isLengthPrefixed(bytes, lengthSize, cursor)) return this.fromAnnexB(bytes);
    if (this.#searchesLeft > 0 || isByteStreamInUnit(bytes, lengthSize)) {
      this.#searchesLeft--;
      if (hasCodesInUnits(cursor, bytes, lengthSize)) return this.#fromCodesInUnits(bytes, lengthSize);
    }
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

  /** Does the same as `fromPrefixed`, for units with lengths that contain further units after start codes. */
  #fromCodesInUnits(bytes: Uint8Array, lengthSize: LengthSize): Uint8Array {
    const cursor = this.#prefixed;
    this.#searchesLeft = Infinity;
    this.#scratch.start(bytes.length);
    cursor.reset(bytes, lengthSize);
    while (cursor.next()) {
      const unit = bytes.subarray(0, cursor.end);
      for (let start = cursor.start, next = start; next < cursor.end; start = next + START_CODE_BYTES) {
        const code = findStartCode(unit, start);
        next = code < 0 ? cursor.end : code;
        let end = next;
        // Zero bytes before a start code belong to no unit.
        while (code >= 0 && end > start && bytes[end - 1] === 0) end--;
        if (end > start && this.#visitor.visit(bytes, start, end)) this.#scratch.append(bytes, start, end);
      }
    }
    this.isBad = cursor.isBad;
    return this.#scratch.view();
  }
}

/** Whether a unit contains a start code, which no valid unit does (H.264 and H.265, 7.4.1, 7.4.2). */
function hasCodesInUnits(cursor: LengthPrefixedCursor, bytes: Uint8Array, lengthSize: LengthSize): boolean {
  let code = findStartCode(bytes, 0);
  cursor.reset(bytes, lengthSize);
  while (code >= 0 && cursor.next()) {
    if (code < cursor.start) code = findStartCode(bytes, cursor.start);
    if (code >= 0 && code + START_CODE_BYTES <= cursor.end) return true;
  }
  return false;
}

/**
 * Whether a sample is one unit with a header of four bytes (ITU-T H.264, 7.3.1: a prefix NAL unit), followed by the rest as a
 * byte stream. Some phones write such samples for slow motion, also in the middle of a film.
 */
function isByteStreamInUnit(bytes: Uint8Array, lengthSize: LengthSize): boolean {
  return lengthSize === 4 && readLength(bytes, 8, 4) === 1 && readLength(bytes, 0, 4) === bytes.length - 4;
}
