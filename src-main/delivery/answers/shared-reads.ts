import { readInto, type MediaFile } from '../../segment/media-bytes.ts';

/** Memory that reads are kept in for other viewers, in bytes. */
const MOST_KEPT_BYTES = 64 << 20;
/** Memory that waits for the next read, in reads. */
const MOST_FREE = 32;
/** Shorter reads have memory of their own length. */
const SHORT_BYTES = 64 * 1024;

/** Bytes of a file that are in memory until their reader is done. */
export interface HeldBytes {
  readonly bytes: Uint8Array;
  /** Nothing of them is needed any more. Called once. */
  readonly done: () => void;
}

interface Read {
  readonly memory: Buffer;
  readonly filled: Promise<void>;
  readers: number;
  isKept: boolean;
  isFilled: boolean;
}

/**
 * Reads of files that viewers share: who asks for the same bytes of a file at about the same time has them read once. What a file has at a place never changes. Memory
 * is used again, because memory that was never touched costs more than the read.
 */
export class SharedReads {
  readonly #longestBytes: number;
  readonly #mostKeptBytes: number;
  readonly #ids = new WeakMap<MediaFile, number>();
  #lastId = 0;
  /** The longest unused first. */
  readonly #kept = new Map<string, Read>();
  #keptBytes = 0;
  readonly #free: Buffer[] = [];

  /**
   * @param longestBytes no read is longer
   * @param mostKeptBytes memory of reads that are kept; default 64 MiB
   */
  constructor(longestBytes: number, mostKeptBytes = MOST_KEPT_BYTES) {
    this.#longestBytes = longestBytes;
    this.#mostKeptBytes = mostKeptBytes;
  }

  /** What was read already; undefined for anything else. Most answers are such ones, and wait for nothing. */
  known(file: MediaFile, offset: number, sizeBytes: number): HeldBytes | undefined {
    const key = `${this.#idOf(file)} ${offset} ${sizeBytes}`;
    const read = this.#kept.get(key);
    if (!read?.isFilled) return undefined;
    read.readers++;
    this.#kept.delete(key);
    this.#kept.set(key, read);
    return this.#held(read, sizeBytes);
  }

  /** Raises what the file raises. */
  async read(file: MediaFile, offset: number, sizeBytes: number): Promise<HeldBytes> {
    const key = `${this.#idOf(file)} ${offset} ${sizeBytes}`;
    const known = this.#kept.get(key);
    const read = known ?? this.#start(file, offset, sizeBytes);
    read.readers++;
    this.#kept.delete(key);
    this.#kept.set(key, read);
    if (!known) this.#makeRoom(key);
    try {
      await read.filled;
    } catch (error) {
      // The system may still write into its memory, which is not used again.
      if (this.#kept.get(key) === read) this.#forget(key, read);
      throw error;
    }
    read.isFilled = true;
    return this.#held(read, sizeBytes);
  }

  #held(read: Read, sizeBytes: number): HeldBytes {
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
      isKept: true,
      isFilled: false,
    };
  }

  #makeRoom(newest: string): void {
    for (const [key, read] of this.#kept) {
      if (this.#keptBytes <= this.#mostKeptBytes || key === newest) return;
      this.#forget(key, read);
      this.#reuse(read);
    }
  }

  #forget(key: string, read: Read): void {
    this.#kept.delete(key);
    this.#keptBytes -= read.memory.length;
    read.isKept = false;
  }

  #reuse({ memory, readers, isKept }: Read): void {
    if (isKept || readers > 0 || memory.length < this.#longestBytes) return;
    if (this.#free.length < MOST_FREE) this.#free.push(memory);
  }

  #idOf(file: MediaFile): number {
    const known = this.#ids.get(file);
    if (known !== undefined) return known;
    this.#ids.set(file, ++this.#lastId);
    return this.#lastId;
  }
}
