import { ID, readSize } from './element.ts';

/** Position of a frame in a block. */
interface BlockFrame {
  /** Offset from the start of the block's data. */
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Header before the frames of a block (RFC 9559, 10.1). */
export interface BlockHead {
  readonly trackNumber: number;
  /** Time relative to the cluster, in units of `TimestampScale`; may be negative. */
  readonly relativeTime: number;
  /** Whether decoding can start with it; only in a `SimpleBlock`. */
  readonly isKey: boolean;
  readonly frames: readonly BlockFrame[];
}

/** Maximum size of a block header without the sizes of its laced frames. */
export const MAX_BLOCK_HEAD_BYTES = 12;
/** Maximum bytes that are read for the sizes of laced frames, which precede the frames. */
export const MAX_LACING_BYTES = 8192;

/** Whether the block that starts at `start` has several frames, whose sizes have to be read, too. */
export function isLaced(bytes: Uint8Array, start = 0): boolean {
  const number = readSize(bytes, start);
  return number !== undefined && ((bytes[start + number.length + 2] ?? 0) & 0x06) !== 0;
}

/** Reads the header of the block that starts at `start`; undefined if it is damaged. @param blockBytes size of the block */
export function readBlockHead(bytes: Uint8Array, blockBytes: number, start = 0): BlockHead | undefined {
  const number = readSize(bytes, start);
  if (number?.value === undefined || start + number.length + 3 > bytes.length) return undefined;
  const at = start + number.length;
  const high = bytes[at] ?? 0;
  const flags = bytes[at + 2] ?? 0;
  const framesAt = number.length + 3;
  const lacing = flags & 0x06;
  const frames =
    lacing === 0 ? singleFrame(framesAt, blockBytes) : framesOf(bytes.subarray(start), framesAt, blockBytes, lacing);
  if (!frames) return undefined;
  return {
    trackNumber: number.value,
    relativeTime: ((high << 24) >> 16) | (bytes[at + 1] ?? 0),
    isKey: (flags & 0x80) !== 0,
    frames,
  };
}

/** `SimpleBlock` with one frame, like almost all elements of a file: read without a new object. */
export class PlainBlock {
  trackNumber = 0;
  relativeTime = 0;
  isKey = false;
  /** Position of its frame. */
  frameAt = 0;
  end = 0;

  /** Reads the block at a position; false if there is no `SimpleBlock` with one frame. */
  read(bytes: Uint8Array, at: number): boolean {
    const first = bytes[at + 1] ?? 0;
    const sizeLength = Math.clz32(first) - 23;
    const dataAt = at + 1 + sizeLength;
    const number = bytes[dataAt] ?? 0;
    const flags = bytes[dataAt + 3] ?? 0x06;
    // Only numbers of one byte are read here, and not the number for an unknown size.
    if (bytes[at] !== ID.simpleBlock || sizeLength > 4 || number <= 0x80 || number === 0xff) return false;
    let dataBytes = first & (0xff >> sizeLength);
    for (let index = 2; index <= sizeLength; index++) dataBytes = dataBytes * 256 + (bytes[at + index] ?? 0);
    if ((flags & 0x06) !== 0 || dataBytes < 4 || dataBytes === 2 ** (7 * sizeLength) - 1) return false;
    this.trackNumber = number & 0x7f;
    this.relativeTime = (((bytes[dataAt + 1] ?? 0) << 24) >> 16) | (bytes[dataAt + 2] ?? 0);
    this.isKey = (flags & 0x80) !== 0;
    this.frameAt = dataAt + 4;
    this.end = dataAt + dataBytes;
    return true;
  }
}

/** Single frame of a block without lacing. */
function singleFrame(start: number, end: number): BlockFrame[] | undefined {
  return end >= start ? [{ offset: start, sizeBytes: end - start }] : undefined;
}

/** Frames of a block that has several (RFC 9559, 10.3). @param lacing bits of the flags: 2 Xiph, 4 fixed size, 6 EBML */
function framesOf(bytes: Uint8Array, start: number, end: number, lacing: number): BlockFrame[] | undefined {
  const count = (bytes[start] ?? 0) + 1;
  if (lacing === 4) {
    const sizeBytes = (end - start - 1) / count;
    return Number.isInteger(sizeBytes) && sizeBytes > 0
      ? contiguousFrames(start + 1, Array<number>(count).fill(sizeBytes))
      : undefined;
  }
  const read = lacing === 2 ? readXiphSizes(bytes, start + 1, count - 1) : readEbmlSizes(bytes, start + 1, count - 1);
  if (!read) return undefined;
  const last = end - read.end - read.sizes.reduce((sum, size) => sum + size, 0);
  return last > 0 && read.sizes.every((size) => size >= 0)
    ? contiguousFrames(read.end, [...read.sizes, last])
    : undefined;
}

interface Sizes {
  readonly sizes: readonly number[];
  /** End of the sizes, where the frames start. */
  readonly end: number;
}

function readXiphSizes(bytes: Uint8Array, start: number, count: number): Sizes | undefined {
  const sizes: number[] = [];
  let at = start;
  while (sizes.length < count) {
    let size = 0;
    let byte: number | undefined;
    do {
      byte = bytes[at++];
      if (byte === undefined) return undefined;
      size += byte;
    } while (byte === 255);
    sizes.push(size);
  }
  return { sizes, end: at };
}

function readEbmlSizes(bytes: Uint8Array, start: number, count: number): Sizes | undefined {
  const sizes: number[] = [];
  let at = start;
  while (sizes.length < count) {
    const read = readSize(bytes, at);
    if (read?.value === undefined) return undefined;
    // All sizes but the first are signed differences, offset by half their range.
    const before = sizes.at(-1);
    sizes.push(before === undefined ? read.value : before + read.value - (2 ** (7 * read.length - 1) - 1));
    at += read.length;
  }
  return { sizes, end: at };
}

function contiguousFrames(start: number, sizes: readonly number[]): BlockFrame[] {
  let offset = start;
  return sizes.map((sizeBytes) => {
    const frame = { offset, sizeBytes };
    offset += sizeBytes;
    return frame;
  });
}
