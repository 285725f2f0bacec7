/**
 * Kinds of feed records. A feed carries media from a codec process to a thread of the server: consecutive records on a
 * local socket, each with a header of 24 bytes and its data.
 */
export const FeedKind = {
  /** First record: the data is the token of the reader, in ASCII. */
  hello: 1,
  /** The elementary streams are known or have changed: the data is written by `printFeedDescription`. */
  streams: 2,
  /** One packet of an elementary stream, with its times. */
  unit: 3,
  /** Bytes of a transport stream as received. */
  bytes: 4,
  /** A repeated file restarts; its times start again. */
  restart: 5,
  /** Last record: the data is written by `printFeedEnd`. */
  end: 6,
  /** A job of a codec process or its answer, serialized with `node:v8`. */
  message: 7,
} as const;

export type FeedKind = (typeof FeedKind)[keyof typeof FeedKind];

/** Size of a record header in bytes, little-endian. */
export const FEED_HEADER_BYTES = 24;

/** Maximum size of the data of a record. */
export const MAX_FEED_BYTES = 16 * 1024 * 1024;

/** Header of a record. */
export interface FeedHeader {
  readonly kind: FeedKind;
  /** Index of the elementary stream; 0 if the record belongs to none. */
  readonly streamIndex: number;
  /** Decoding and presentation time in 90 kHz ticks; NaN if unknown. */
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

/** Reads the header of a record at `offset`; undefined if it is invalid. All 24 bytes must be available. */
export function readFeedHeader(bytes: Buffer, offset = 0): FeedHeader | undefined {
  const dataBytes = bytes.readUInt32LE(offset);
  const kind = bytes.readUInt16LE(offset + 4);
  if (!isFeedKind(kind) || dataBytes > MAX_FEED_BYTES) return undefined;
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
  /** Valid until the next call of `next` or `push`. */
  readonly data: Buffer;
}

/**
 * Splits the bytes of a feed into records. The caller pushes bytes and pulls records, so that a reader that paces a
 * file can stop between two records. A record completely inside the pushed bytes is not copied.
 */
export class FeedReader {
  /** True if the received bytes are not a feed. Then no more records can be read. */
  isBroken = false;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  /** True if this reader allocated `#bytes` and may write to it. */
  #isOwn = false;
  #header: FeedHeader | undefined;

  /** Adds bytes, which must not change until all their records are pulled. */
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

  /** Next complete record; undefined if more bytes are needed. */
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
