/** Maximum number of bytes that an answer gives to its connection before the previous ones have been sent. */
export const PIECE_BYTES = 256 * 1024;

/** Memory limit of all answers together, in bytes. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Thrown when there is no memory for a new answer. */
export class MediaBusy extends Error {}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Counts the memory that answers hold until their viewers take it. Above the limit, new answers are refused; an answer
 * that has started waits for released memory, in order.
 */
export class AnswerMemory {
  readonly maxBytes: number;
  readonly #waiting = new Set<Waiting>();
  readonly #shared = new Map<ArrayBufferLike, number>();
  #usedBytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Reserves memory for a new answer; returns its release function. Throws `MediaBusy` if there is no room. */
  takeNow(bytes: number): () => void {
    if (this.#waiting.size > 0 || !this.#hasRoom(bytes)) throw new MediaBusy();
    return this.#take(bytes);
  }

  /** Reserves memory for a started answer as soon as there is room. Rejects with the reason of the signal. */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.size === 0 && this.#hasRoom(bytes)) return this.#take(bytes);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiting);
        reject(signal.reason as Error);
        this.#next();
      };
      const waiting: Waiting = {
        bytes,
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#take(bytes));
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /**
   * Counts memory shared by several answers once; returns its release function. Throws `MediaBusy` if there is no room
   * for it.
   * @param hasBegun true if the answer continues anyway
   */
  share({ buffer }: Uint8Array, hasBegun: boolean): () => void {
    const holders = this.#shared.get(buffer) ?? 0;
    const size = buffer.byteLength;
    if (holders === 0) {
      if (!hasBegun && !this.#hasRoom(size)) throw new MediaBusy();
      this.#usedBytes += size;
    }
    this.#shared.set(buffer, holders + 1);
    return once(() => {
      const left = (this.#shared.get(buffer) ?? 1) - 1;
      if (left > 0) this.#shared.set(buffer, left);
      else {
        this.#shared.delete(buffer);
        this.#giveBack(size);
      }
    });
  }

  /** A single body larger than the limit is sent alone. */
  #hasRoom(bytes: number): boolean {
    return this.#usedBytes === 0 || this.#usedBytes + bytes <= this.maxBytes;
  }

  #take(bytes: number): () => void {
    this.#usedBytes += bytes;
    return once(() => {
      this.#giveBack(bytes);
    });
  }

  #giveBack(bytes: number): void {
    this.#usedBytes -= bytes;
    this.#next();
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.bytes)) return;
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
