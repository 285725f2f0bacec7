import { constants } from 'node:os';
import { AVERROR_EAGAIN, AVERROR_EXIT, AVIO_FLAG_NONBLOCK, AVIO_FLAG_READ, type AVIOFlag } from 'node-av/constants';
import { IOContext } from 'node-av/lib';
import type { OpenedUrl } from './checked-url.ts';
import { ffmpegOptions, SILENCE_MS, type UrlOptions } from './url-options.ts';

/** FFmpeg copies the data through its own buffer if fewer than this number of the requested bytes are missing. */
const GATHERED_BYTES = 64 * 1024;
/** Requested bytes per read. FFmpeg reads this much directly from the connection, without its own buffer. */
const READ_BYTES = 1.5 * GATHERED_BYTES;
/** Maximum number of reads per turn. */
const MAX_READS = 16;
/** Maximum length of a value in an address for FFmpeg. */
const MAX_VALUE_BYTES = 255;

/**
 * Transport stream by SRT, read without waiting: one call returns all available packets. FFmpeg supports this only for an
 * address opened without a demuxer. The options are then part of the address. Opening cannot be interrupted: an interrupted
 * opening continues until the process ends.
 */
export class SrtSource {
  readonly #io = new IOContext();
  readonly #interrupted = Promise.withResolvers<number>();
  #isInterrupted = false;
  #isOpen = false;
  #receivedMs = 0;

  /** Whether an address can contain all options: it cannot encode some characters or long values. */
  static canContain(options: UrlOptions): boolean {
    return [options.passphrase, options.streamId].every(
      (value) => value === undefined || (!/[&+]/.test(value) && Buffer.byteLength(value) <= MAX_VALUE_BYTES),
    );
  }

  /** Opens the address; returns FFmpeg's result code. */
  async open({ url }: OpenedUrl, options: UrlOptions): Promise<number> {
    const opening = this.#io.open2(withOptions(url, options), (AVIO_FLAG_READ | AVIO_FLAG_NONBLOCK) as AVIOFlag);
    const result = await Promise.race([opening, this.#interrupted.promise]);
    if (this.#isInterrupted) {
      // An orderly exit would wait for the opening.
      process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
      return result;
    }
    this.#isOpen = result >= 0;
    this.#receivedMs = performance.now();
    return result;
  }

  /** All bytes since the last read, possibly none; an FFmpeg result code after the end. */
  read(): readonly Buffer[] | number {
    if (this.#isInterrupted) return AVERROR_EXIT;
    const received: Buffer[] = [];
    for (let count = 0; count < MAX_READS; count++) {
      const bytes = this.#io.readSync(READ_BYTES);
      if (typeof bytes === 'number') {
        // Bytes before the end are returned first; the next read returns the end again.
        if (bytes !== AVERROR_EAGAIN && bytes !== 0 && received.length === 0) return bytes;
        break;
      }
      if (bytes.length > 0) received.push(bytes);
      if (bytes.length < READ_BYTES - GATHERED_BYTES) break;
    }
    const nowMs = performance.now();
    if (received.length > 0) this.#receivedMs = nowMs;
    return nowMs - this.#receivedMs > SILENCE_MS ? -constants.errno.ETIMEDOUT : received;
  }

  /** Interrupts the waiting call, and all later calls. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#interrupted.resolve(AVERROR_EXIT);
  }

  async close(): Promise<void> {
    if (this.#isOpen) await this.#io.closep();
  }
}

/** Adds FFmpeg options to the query of an address. */
function withOptions(url: string, options: UrlOptions): string {
  const { protocol_whitelist: _protocols, raw_packet_size: _size, ...query } = ffmpegOptions('srt', options);
  return `${url}?${Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`;
}
