import { constants } from 'node:os';
import { AVERROR_EAGAIN, AVERROR_EXIT, AVIO_FLAG_NONBLOCK, AVIO_FLAG_READ, type AVIOFlag } from 'node-av/constants';
import { IOContext } from 'node-av/lib';
import type { OpenedUrl } from './checked-url.ts';
import { ffmpegOptions, SILENCE_MS, type UrlOptions } from './url-options.ts';

/** What FFmpeg gathers where less than that is left of what was asked for. */
const GATHERED_BYTES = 64 * 1024;
/** Asked for at once: half as much again, which comes straight from the connection. */
const READ_BYTES = 1.5 * GATHERED_BYTES;
/** Most that is read in one turn; the rest waits for the next one. */
const MOST_READS = 16;
/** The longest value that FFmpeg takes from an address. */
const MOST_VALUE_BYTES = 255;

/**
 * A transport stream by SRT, read without waiting and many packets at once: one call brings all that has come.
 *
 * FFmpeg offers that only to an address that is opened without a demuxer. Its options stand in the address, and its opening cannot be interrupted: it is
 * left behind then, and ends with the process.
 */
export class SrtSource {
  readonly #io = new IOContext();
  readonly #interrupted = Promise.withResolvers<number>();
  #isInterrupted = false;
  #isOpen = false;
  #cameMs = 0;

  /** Whether all options can stand in an address, which knows no way to write some characters, nor long values. */
  static takes(options: UrlOptions): boolean {
    return [options.passphrase, options.streamId].every(
      (value) => value === undefined || (!/[&+]/.test(value) && Buffer.byteLength(value) <= MOST_VALUE_BYTES),
    );
  }

  /** Opens it; the result code of FFmpeg. */
  async open({ url }: OpenedUrl, options: UrlOptions): Promise<number> {
    const opening = this.#io.open2(withOptions(url, options), (AVIO_FLAG_READ | AVIO_FLAG_NONBLOCK) as AVIOFlag);
    const result = await Promise.race([opening, this.#interrupted.promise]);
    if (this.#isInterrupted) {
      // An orderly exit would wait for it.
      process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
      return result;
    }
    this.#isOpen = result >= 0;
    this.#cameMs = performance.now();
    return result;
  }

  /** All that has come since the last read, which may be nothing; a result code of FFmpeg where nothing more will come. */
  read(): readonly Buffer[] | number {
    if (this.#isInterrupted) return AVERROR_EXIT;
    const came: Buffer[] = [];
    for (let count = 0; count < MOST_READS; count++) {
      const bytes = this.#io.readSync(READ_BYTES);
      if (typeof bytes === 'number') {
        // What came before the end is handed on first; the next read ends in the same way.
        if (bytes !== AVERROR_EAGAIN && bytes !== 0 && came.length === 0) return bytes;
        break;
      }
      if (bytes.length > 0) came.push(bytes);
      if (bytes.length < READ_BYTES - GATHERED_BYTES) break;
    }
    const nowMs = performance.now();
    if (came.length > 0) this.#cameMs = nowMs;
    return nowMs - this.#cameMs > SILENCE_MS ? -constants.errno.ETIMEDOUT : came;
  }

  /** Ends a call that waits, and all later ones. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#interrupted.resolve(AVERROR_EXIT);
  }

  async close(): Promise<void> {
    if (this.#isOpen) await this.#io.closep();
  }
}

/** The address with the options of FFmpeg in its query. */
function withOptions(url: string, options: UrlOptions): string {
  const { protocol_whitelist: _protocols, raw_packet_size: _size, ...query } = ffmpegOptions('srt', options);
  return `${url}?${Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`;
}
