import type { FileBytes } from '../../media/containers/file-bytes.ts';

/** Bytes of one read where a file is read through, and where most of it is passed over. */
const LARGE_BYTES = 1 << 20;
const SMALL_BYTES = 16 * 1024;
/** What is passed over by no more than this is read for nothing: that takes no longer than a read of its own. */
const NEAR_BYTES = 128 * 1024;
/** Bytes at the end of a block with which the next begins: what is begun in one lies whole in the other. */
const OVERLAP_BYTES = 16 * 1024;

/** A read of the next block that is under way. */
interface NextBlock {
  readonly start: number;
  readonly memory: Uint8Array;
  readonly length: Promise<number>;
}

/** A way through a file from front to end: the next block is read while the present one is looked at, unless places lie far from each other. */
export class ReadAhead {
  /** The present block: valid until another is asked for. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Where it lies in the file. */
  start = 0;
  readonly #file: FileBytes;
  /** That of the present block, and that of the next. */
  #memory: Uint8Array = new Uint8Array(0);
  #spare: Uint8Array = new Uint8Array(0);
  #next: NextBlock | undefined;

  constructor(file: FileBytes) {
    this.#file = file;
  }

  /** Whether these bytes lie in the present block. */
  has(offset: number, length: number): boolean {
    return offset >= this.start && offset + length <= this.start + this.bytes.length;
  }

  /** The bytes at a place, which lie in the present block then; undefined where the file does not have all of them. */
  async view(offset: number, length: number): Promise<Uint8Array | undefined> {
    if (offset + length > this.#file.sizeBytes) return undefined;
    if (!this.has(offset, length)) await this.#goTo(offset, length);
    const from = offset - this.start;
    return this.has(offset, length) ? this.bytes.subarray(from, from + length) : undefined;
  }

  async #goTo(offset: number, length: number): Promise<void> {
    const isNear = offset >= this.start && offset <= this.start + this.bytes.length + NEAR_BYTES;
    const next = this.#next;
    this.#next = undefined;
    // It is waited for, also where it was for nothing: its memory is used again.
    const nextLength = (await next?.length) ?? 0;
    if (next && offset >= next.start && offset + length <= next.start + nextLength) {
      this.start = next.start;
      this.bytes = next.memory.subarray(0, nextLength);
      [this.#memory, this.#spare] = [this.#spare, this.#memory];
    } else await this.#read(offset, Math.max(length, isNear ? LARGE_BYTES : SMALL_BYTES));
    if (isNear) this.#readNext();
  }

  async #read(offset: number, most: number): Promise<void> {
    const wanted = Math.min(most, this.#file.sizeBytes - offset);
    if (this.#memory.length < wanted) this.#memory = new Uint8Array(wanted);
    const length = await this.#file.read(this.#memory.subarray(0, wanted), offset);
    this.start = offset;
    this.bytes = this.#memory.subarray(0, length);
  }

  #readNext(): void {
    const end = this.start + this.bytes.length;
    if (end >= this.#file.sizeBytes || this.bytes.length < LARGE_BYTES) return;
    if (this.#spare.length < LARGE_BYTES) this.#spare = new Uint8Array(LARGE_BYTES);
    const memory = this.#spare.subarray(0, LARGE_BYTES);
    const start = end - OVERLAP_BYTES;
    const length = this.#file.read(memory, start);
    // Who gets there hears of it.
    length.catch(() => undefined);
    this.#next = { start, memory, length };
  }
}
