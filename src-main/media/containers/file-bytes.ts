/** A file that can be read at any place; what a reader of files needs of the system. */
export interface FileBytes {
  readonly sizeBytes: number;
  /** Fills `target` from `position` on; resolves with how many bytes were there. */
  read(target: Uint8Array, position: number): Promise<number>;
}

/** Fits most pictures, and many audio frames at once. */
export const SAMPLE_BLOCK_BYTES = 256 * 1024;

/** Fits most `moof` boxes. The `mdat` behind one is passed over, so that a longer read would be for nothing. */
export const BOX_BLOCK_BYTES = 8 * 1024;

/** A window on a file that moves forward with what is asked for, so that small reads next to each other become one. */
export class FileBlock {
  readonly #file: FileBytes;
  readonly #blockBytes: number;
  #bytes = new Uint8Array(0);
  #start = 0;
  #length = 0;

  constructor(file: FileBytes, blockBytes: number) {
    this.#file = file;
    this.#blockBytes = blockBytes;
  }

  /** The bytes at a place; undefined where the file does not have all of them. Valid until the next call. */
  async view(offset: number, length: number): Promise<Uint8Array | undefined> {
    if (offset + length > this.#file.sizeBytes) return undefined;
    if (offset < this.#start || offset + length > this.#start + this.#length) {
      const wanted = Math.max(this.#blockBytes, length);
      if (this.#bytes.length < wanted) this.#bytes = new Uint8Array(wanted);
      this.#start = offset;
      this.#length = await this.#file.read(this.#bytes.subarray(0, wanted), offset);
    }
    const from = offset - this.#start;
    return from + length <= this.#length ? this.#bytes.subarray(from, from + length) : undefined;
  }
}
