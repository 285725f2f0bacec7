/** File with random access; the port through which file readers access the system. */
export interface FileBytes {
  readonly sizeBytes: number;
  /** Fills `target` from `position` on; resolves with the number of bytes read. */
  read(target: Uint8Array, position: number): Promise<number>;
}

/** Read size for samples: fits most pictures, or many audio frames. */
export const SAMPLE_BLOCK_BYTES = 256 * 1024;

/** Read size for boxes: fits most `moof` boxes. The following `mdat` is skipped, so a longer read would be useless. */
export const BOX_BLOCK_BYTES = 8 * 1024;

/** Window on a file that moves forward with requests, so that small adjacent reads become one. */
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

  /** Bytes at an offset; undefined if they extend past the end of the file. Valid until the next call. */
  async view(offset: number, length: number): Promise<Uint8Array | undefined> {
    if (offset + length > this.#file.sizeBytes) return undefined;
    if (offset < this.#start || offset + length > this.#start + this.#length) {
      const size = Math.max(this.#blockBytes, length);
      if (this.#bytes.length < size) this.#bytes = new Uint8Array(size);
      this.#start = offset;
      this.#length = await this.#file.read(this.#bytes.subarray(0, size), offset);
    }
    const from = offset - this.#start;
    return from + length <= this.#length ? this.#bytes.subarray(from, from + length) : undefined;
  }
}
