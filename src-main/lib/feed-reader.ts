import { FEED_HEADER_BYTES, type FeedHeader, readFeedHeader } from './feed-record.ts';

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
