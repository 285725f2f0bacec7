import type { MediaSink } from '../../../media/access-unit.ts';
import { MpegTsReader } from '../../../media/containers/mpegts/reader.ts';
import type { SegmentReader } from './segment-reader.ts';

/** Bytes read per step: 16 KiB of complete packets, so that units waiting for their time need little memory. */
const STEP_BYTES = 87 * 188;

/** Reads segments of MPEG-TS. */
export class TsSegments implements SegmentReader {
  readonly isWrapping = true;
  readonly #reader: MpegTsReader;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #init: Buffer | undefined;

  constructor(sink: MediaSink) {
    this.#reader = new MpegTsReader(sink);
  }

  open(bytes: Buffer, init: Buffer | undefined): void {
    // The init section of a transport stream holds its tables (RFC 8216bis 3.1.1).
    if (init && init !== this.#init) this.#reader.push(init);
    this.#init = init;
    this.#bytes = bytes;
    this.#at = 0;
  }

  step(): boolean {
    if (this.#at >= this.#bytes.length) return false;
    const end = Math.min(this.#bytes.length, this.#at + STEP_BYTES);
    this.#reader.push(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return true;
  }

  get isPictureOpen(): boolean {
    return this.#reader.isPictureOpen;
  }

  nextSegment(): void {
    this.#reader.startFile();
  }

  endSegment(): void {
    this.#reader.flush();
  }
}
