/** Maximum number of bytes that an answer gives to its connection before the previous ones have been sent. */
export const PIECE_BYTES = 256 * 1024;

/** Memory limit of all answers together, in bytes. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Thrown when there is no memory for a new answer. */
export class MediaBusy extends Error {}

/** Maximum share of the memory for the answers to one client address. */
const ADDRESS_SHARE = 1 / 4;

interface Waiting {
  readonly address: string;
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Counts the memory of answers until their viewers have read it. Above the limit, new answers are refused; an answer
 * that has started waits for released memory, in order. The answers to one client address get at most a quarter of
 * the memory.
 */
export class AnswerMemory {
  readonly maxBytes: number;
  readonly #waiting = new Set<Waiting>();
  readonly #shared = new Map<ArrayBufferLike, { readonly release: () => void; holders: number }>();
  /** Bytes in use for each address. */
  readonly #bytes = new Map<string, number>();
  #usedBytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Reserves memory for a new answer; returns its release function. Throws `MediaBusy` if there is no room. */
  takeNow(address: string, bytes: number): () => void {
    if (this.#mustWait(address) || !this.#hasRoom(address, bytes)) throw new MediaBusy();
    return this.#take(address, bytes);
  }

  /** Reserves memory for a started answer as soon as there is room. Rejects with the reason of the signal. */
  async take(address: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.#mustWait(address) && this.#hasRoom(address, bytes)) return this.#take(address, bytes);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiting);
        reject(signal.reason as Error);
        this.#next();
      };
      const waiting: Waiting = {
        address,
        bytes,
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#take(address, bytes));
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /**
   * Counts memory shared by several answers once; returns its release function. Throws `MediaBusy` if there is no room
   * for it.
   * @param hasStarted true for a started answer, which is never refused
   */
  share(address: string, { buffer }: Uint8Array, hasStarted: boolean): () => void {
    const size = buffer.byteLength;
    const existing = this.#shared.get(buffer);
    if (!existing && !hasStarted && !this.#hasRoom(address, size)) throw new MediaBusy();
    // Shared memory counts for the address that requested it first.
    const shared = existing ?? { release: this.#take(address, size), holders: 0 };
    shared.holders++;
    this.#shared.set(buffer, shared);
    return once(() => {
      if (--shared.holders > 0) return;
      this.#shared.delete(buffer);
      shared.release();
    });
  }

  /** Whether a waiting answer has precedence: of the same address, or of an address that has not used its share. */
  #mustWait(address: string): boolean {
    for (const waiting of this.#waiting)
      if (waiting.address === address || this.#hasShare(waiting.address, waiting.bytes)) return true;
    return false;
  }

  /** A single body larger than the limit is sent alone. */
  #hasRoom(address: string, bytes: number): boolean {
    return (this.#usedBytes === 0 || this.#usedBytes + bytes <= this.maxBytes) && this.#hasShare(address, bytes);
  }

  #hasShare(address: string, bytes: number): boolean {
    const used = this.#bytes.get(address) ?? 0;
    return used === 0 || used + bytes <= this.maxBytes * ADDRESS_SHARE;
  }

  #take(address: string, bytes: number): () => void {
    this.#usedBytes += bytes;
    this.#bytes.set(address, (this.#bytes.get(address) ?? 0) + bytes);
    return once(() => {
      this.#usedBytes -= bytes;
      const left = (this.#bytes.get(address) ?? 0) - bytes;
      if (left > 0) this.#bytes.set(address, left);
      else this.#bytes.delete(address);
      this.#next();
    });
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      // Skips addresses that have used their share.
      if (!this.#hasShare(waiting.address, waiting.bytes)) continue;
      if (!this.#hasRoom(waiting.address, waiting.bytes)) return;
      this.#waiting.delete(waiting);
      waiting.go();
    }
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

/** Memory of the answers of this process. */
export const answerMemory = new AnswerMemory();
