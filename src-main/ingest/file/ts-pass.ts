import type { MediaSink } from '../../media/access-unit.ts';
import { MpegTsReader } from '../../media/containers/mpegts/reader.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import type { FilePass } from './file-pass.ts';

const BLOCK_BYTES = 64 * 1024;
/** Read size: seven packets, so that a slow stream arrives frame by frame. */
const STEP_BYTES = 7 * 188;

/** Pass over an MPEG transport stream, a few packets at a time. */
export class TsPass implements FilePass {
  readonly #file: FileBytes;
  readonly #reader: MpegTsReader;
  readonly #received: (bytes: number) => void;
  readonly #block = Buffer.alloc(BLOCK_BYTES);
  #length = 0;
  #at = 0;
  #position = 0;

  constructor(file: FileBytes, program: number | undefined, sink: MediaSink, received: (bytes: number) => void) {
    this.#file = file;
    this.#received = received;
    this.#reader = new MpegTsReader(sink, program === undefined ? {} : { program });
  }

  async step(): Promise<boolean> {
    if (this.#at === this.#length && !(await this.#fill())) {
      this.#reader.flush();
      return false;
    }
    const end = Math.min(this.#length, this.#at + STEP_BYTES);
    this.#reader.push(this.#block.subarray(this.#at, end));
    this.#at = end;
    return true;
  }

  async #fill(): Promise<boolean> {
    this.#at = 0;
    this.#length = await this.#file.read(this.#block, this.#position);
    this.#position += this.#length;
    this.#received(this.#length);
    return this.#length > 0;
  }
}
