/**
 * What a record of a feed is. A feed is the way of media from a codec process to the thread that wants it: records one
 * after the other on a local socket, each a header of 24 bytes and its data.
 */
export const FeedKind = {
  /** First record: the data is the token that the reader was given, in ASCII. */
  hello: 1,
  /** The elementary streams are known, or have changed: the data is what `printFeedDescription` prints. */
  streams: 2,
  /** One packet of an elementary stream, with its times. */
  unit: 3,
  /** Bytes of a transport stream as they came in. */
  bytes: 4,
  /** A file begins again: the times start anew. */
  restart: 5,
  /** The last record: the data is what `printFeedEnd` prints. */
  end: 6,
  /** A job of a codec process or its answer, where they come this way: a value as `node:v8` serializes it. */
  message: 7,
} as const;

/** One of the kinds of records. */
export type FeedKind = (typeof FeedKind)[keyof typeof FeedKind];

/** Bytes before the data of a record, little-endian. */
export const FEED_HEADER_BYTES = 24;

/** The longest data of a record that is believed. */
export const MOST_FEED_BYTES = 16 * 1024 * 1024;

/** The header of a record. */
export interface FeedHeader {
  readonly kind: FeedKind;
  /** Index of the elementary stream; 0 where the record belongs to none. */
  readonly streamIndex: number;
  /** Decoding and presentation time in 90 kHz ticks; NaN where the source says none. */
  readonly dtsTicks: number;
  readonly ptsTicks: number;
  readonly dataBytes: number;
}

/** Writes the header of a record at `offset`. */
export function writeFeedHeader(target: Buffer, header: FeedHeader, offset = 0): void {
  target.writeUInt32LE(header.dataBytes, offset);
  target.writeUInt16LE(header.kind, offset + 4);
  target.writeUInt16LE(header.streamIndex, offset + 6);
  target.writeDoubleLE(header.dtsTicks, offset + 8);
  target.writeDoubleLE(header.ptsTicks, offset + 16);
}

/** Reads the header of a record at `offset`; undefined where none of our records begins. The 24 bytes must be there. */
export function readFeedHeader(bytes: Buffer, offset = 0): FeedHeader | undefined {
  const dataBytes = bytes.readUInt32LE(offset);
  const kind = bytes.readUInt16LE(offset + 4);
  if (!isFeedKind(kind) || dataBytes > MOST_FEED_BYTES) return undefined;
  return {
    kind,
    streamIndex: bytes.readUInt16LE(offset + 6),
    dtsTicks: bytes.readDoubleLE(offset + 8),
    ptsTicks: bytes.readDoubleLE(offset + 16),
    dataBytes,
  };
}

function isFeedKind(value: number): value is FeedKind {
  return value >= FeedKind.hello && value <= FeedKind.message;
}

/** One record of a feed. */
export interface FeedRecord extends FeedHeader {
  /** Borrowed until the next call of `next` or `push`. */
  readonly data: Buffer;
}

/**
 * Cuts the bytes of a feed into records. Bytes are pushed as they come and records are pulled, so that a reader that plays a file at its pace
 * may stop between two records of the same bytes. A record that lies whole in what was pushed is not copied.
 */
export class FeedReader {
  /** Whether the bytes are no feed. Nothing can be read any more. */
  isBroken = false;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  /** Whether `#bytes` is memory of our own, which may be written to. */
  #isOwn = false;
  #header: FeedHeader | undefined;

  /** Takes bytes; they must stay as they are until all their records were pulled. */
  push(bytes: Buffer): void {
    const restBytes = this.#end - this.#start;
    if (restBytes === 0) {
      this.#bytes = bytes;
      this.#start = 0;
      this.#end = bytes.length;
      this.#isOwn = false;
      return;
    }
    const wholeBytes = Math.max(restBytes + bytes.length, this.#header?.dataBytes ?? 0);
    if (!this.#isOwn || this.#end + bytes.length > this.#bytes.length) this.#makeRoom(wholeBytes);
    bytes.copy(this.#bytes, this.#end);
    this.#end += bytes.length;
  }

  /** The next whole record; undefined where more bytes are needed. */
  next(): FeedRecord | undefined {
    if (this.isBroken) return undefined;
    if (!this.#header) {
      if (this.#end - this.#start < FEED_HEADER_BYTES) return undefined;
      this.#header = readFeedHeader(this.#bytes, this.#start);
      if (!this.#header) {
        this.isBroken = true;
        return undefined;
      }
      this.#start += FEED_HEADER_BYTES;
    }
    const header = this.#header;
    if (this.#end - this.#start < header.dataBytes) return undefined;
    const data = this.#bytes.subarray(this.#start, this.#start + header.dataBytes);
    this.#start += header.dataBytes;
    this.#header = undefined;
    return { ...header, data };
  }

  #makeRoom(bytes: number): void {
    const rest = this.#bytes.subarray(this.#start, this.#end);
    const room = Buffer.allocUnsafe(bytes + FEED_HEADER_BYTES);
    rest.copy(room);
    this.#bytes = room;
    this.#start = 0;
    this.#end = rest.length;
    this.#isOwn = true;
  }
}
