import { readInto, type MediaFile } from '../../segment/media-bytes.ts';

/** Memory limit of cached reads, in bytes. */
const MAX_CACHED_BYTES = 64 << 20;
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
 * Shares reads of files between viewers: bytes requested by several viewers at about the same time are read once. The bytes at an
 * offset of a file never change. Buffers are reused, because new memory costs more than the read.
 */
export class SharedReads {
  readonly #longestBytes: number;
  readonly #maxCachedBytes: number;
  readonly #ids = new WeakMap<MediaFile, number>();
  #lastId = 0;
  /** Least recently used first. */
  readonly #cache = new Map<string, Read>();
  #cachedBytes = 0;
  readonly #free: Buffer[] = [];

  /** @param longestBytes maximum size of a read @param maxCachedBytes memory limit of cached reads; default 64 MiB */
  constructor(longestBytes: number, maxCachedBytes = MAX_CACHED_BYTES) {
    this.#longestBytes = longestBytes;
    this.#maxCachedBytes = maxCachedBytes;
  }

  /** Borrows the bytes of a cached read that is complete; undefined if there is none. */
  cached(file: MediaFile, offset: number, sizeBytes: number): BorrowedBytes | undefined {
    const key = `${this.#idOf(file)} ${offset} ${sizeBytes}`;
    const read = this.#cache.get(key);
    if (!read?.isFilled) return undefined;
    read.readers++;
    this.#cache.delete(key);
    this.#cache.set(key, read);
    return this.#borrow(read, sizeBytes);
  }

  /** Borrows bytes of a file, cached or newly read. Rejects with the error of the file. */
  async read(file: MediaFile, offset: number, sizeBytes: number): Promise<BorrowedBytes> {
    const key = `${this.#idOf(file)} ${offset} ${sizeBytes}`;
    const cached = this.#cache.get(key);
    const read = cached ?? this.#start(file, offset, sizeBytes);
    read.readers++;
    this.#cache.delete(key);
    this.#cache.set(key, read);
    if (!cached) this.#makeRoom(key);
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
    this.#cachedBytes += memory.length;
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
      if (this.#cachedBytes <= this.#maxCachedBytes || key === newest) return;
      this.#forget(key, read);
      this.#reuse(read);
    }
  }

  #forget(key: string, read: Read): void {
    this.#cache.delete(key);
    this.#cachedBytes -= read.memory.length;
    read.isCached = false;
  }

  #reuse({ memory, readers, isCached }: Read): void {
    if (isCached || readers > 0 || memory.length < this.#longestBytes) return;
    if (this.#free.length < MAX_FREE) this.#free.push(memory);
  }

  #idOf(file: MediaFile): number {
    const cached = this.#ids.get(file);
    if (cached !== undefined) return cached;
    this.#ids.set(file, ++this.#lastId);
    return this.#lastId;
  }
}
