import { readInto, type MediaFile } from '../../segment/media-bytes.ts';

/** Memory limit of cached reads, in bytes. */
const MAX_KEPT_BYTES = 64 << 20;
/** Maximum number of free buffers. */
const MAX_FREE = 32;
/** Size up to which reads have a buffer of their own size, in bytes. */
const SHORT_BYTES = 64 * 1024;

/** Bytes of a file that stay in memory until the reader releases them. */
export interface BorrowedBytes {
  readonly bytes: Uint8Array;
  /** Releases the bytes. Called once. */
  readonly done: () => void;
}

interface Read {
  readonly memory: Buffer;
  readonly filled: Promise<void>;
  readers: number;
  isCached: boolean;
  isFilled: boolean;
}

/**
 * Reads of files shared by viewers: bytes requested by several at about the same time are read once. The bytes at an
 * offset of a file never change. Buffers are reused, because fresh memory costs more than the read.
 */
export class SharedReads {
  readonly #longestBytes: number;
  readonly #maxKeptBytes: number;
  readonly #ids = new WeakMap<MediaFile, number>();
  #lastId = 0;
  /** Least recently used first. */
  readonly #cache = new Map<string, Read>();
  #keptBytes = 0;
  readonly #free: Buffer[] = [];

  /**
   * @param longestBytes maximum size of a read
   * @param mostKeptBytes memory limit of cached reads; default 64 MiB
   */
  constructor(longestBytes: number, maxKeptBytes = MAX_KEPT_BYTES) {
    this.#longestBytes = longestBytes;
    this.#maxKeptBytes = maxKeptBytes;
  }

  /** Cached read; undefined otherwise. Most requests find one and do not wait. */
  known(file: MediaFile, offset: number, sizeBytes: number): BorrowedBytes | undefined {
    const key = `${this.#idOf(file)} ${offset} ${sizeBytes}`;
    const read = this.#cache.get(key);
    if (!read?.isFilled) return undefined;
    read.readers++;
    this.#cache.delete(key);
    this.#cache.set(key, read);
    return this.#borrow(read, sizeBytes);
  }

  /** Rejects with the error of the file. */
  async read(file: MediaFile, offset: number, sizeBytes: number): Promise<BorrowedBytes> {
    const key = `${this.#idOf(file)} ${offset} ${sizeBytes}`;
    const known = this.#cache.get(key);
    const read = known ?? this.#start(file, offset, sizeBytes);
    read.readers++;
    this.#cache.delete(key);
    this.#cache.set(key, read);
    if (!known) this.#makeRoom(key);
    try {
      await read.filled;
    } catch (error) {
      // The system may still write into this buffer, so it is not reused.
      if (this.#cache.get(key) === read) this.#forget(key, read);
      throw error;
    }
    read.isFilled = true;
    return this.#borrow(read, sizeBytes);
  }

  #borrow(read: Read, sizeBytes: number): BorrowedBytes {
    return {
      bytes: read.memory.subarray(0, sizeBytes),
      done: () => {
        read.readers--;
        this.#reuse(read);
      },
    };
  }

  #start(file: MediaFile, offset: number, sizeBytes: number): Read {
    const memory =
      sizeBytes <= SHORT_BYTES
        ? Buffer.allocUnsafeSlow(sizeBytes)
        : (this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#longestBytes));
    this.#keptBytes += memory.length;
    return {
      memory,
      filled: readInto(file, memory.subarray(0, sizeBytes), offset),
      readers: 0,
      isCached: true,
      isFilled: false,
    };
  }

  #makeRoom(newest: string): void {
    for (const [key, read] of this.#cache) {
      if (this.#keptBytes <= this.#maxKeptBytes || key === newest) return;
      this.#forget(key, read);
      this.#reuse(read);
    }
  }

  #forget(key: string, read: Read): void {
    this.#cache.delete(key);
    this.#keptBytes -= read.memory.length;
    read.isCached = false;
  }

  #reuse({ memory, readers, isCached }: Read): void {
    if (isCached || readers > 0 || memory.length < this.#longestBytes) return;
    if (this.#free.length < MAX_FREE) this.#free.push(memory);
  }

  #idOf(file: MediaFile): number {
    const known = this.#ids.get(file);
    if (known !== undefined) return known;
    this.#ids.set(file, ++this.#lastId);
    return this.#lastId;
  }
}
