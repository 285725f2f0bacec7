/** Maximum number of bytes that an answer gives to its connection before the previous ones have been sent. */
export const PIECE_BYTES = 256 * 1024;

/** Memory limit of all answers together, in bytes. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Thrown when there is no memory for a new answer. */
export class MediaBusy extends Error {}

/** Maximum part of the memory that the answers to one address hold. */
const ADDRESS_SHARE = 1 / 4;

interface Waiting {
  readonly who: string;
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Counts the memory that answers hold until their viewers take it. Above the limit, new answers are refused; an answer
 * that has started waits for released memory, in order. The answers to one address hold at most a quarter of the memory.
 */
export class AnswerMemory {
  readonly maxBytes: number;
  readonly #waiting = new Set<Waiting>();
  readonly #shared = new Map<ArrayBufferLike, { readonly giveBack: () => void; holders: number }>();
  /** Bytes that are held for each address. */
  readonly #bytes = new Map<string, number>();
  #usedBytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Reserves memory for a new answer; returns its release function. Throws `MediaBusy` if there is no room. */
  takeNow(who: string, bytes: number): () => void {
    if (this.#mustWait(who) || !this.#hasRoom(who, bytes)) throw new MediaBusy();
    return this.#take(who, bytes);
  }

  /** Reserves memory for a started answer as soon as there is room. Rejects with the reason of the signal. */
  async take(who: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.#mustWait(who) && this.#hasRoom(who, bytes)) return this.#take(who, bytes);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiting);
        reject(signal.reason as Error);
        this.#next();
      };
      const waiting: Waiting = {
        who,
        bytes,
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#take(who, bytes));
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /**
   * Counts memory shared by several answers once; returns its release function. Throws `MediaBusy` if there is no room
   * for it.
   * @param hasStarted true if the answer continues anyway
   */
  share(who: string, { buffer }: Uint8Array, hasStarted: boolean): () => void {
    const size = buffer.byteLength;
    const known = this.#shared.get(buffer);
    if (!known && !hasStarted && !this.#hasRoom(who, size)) throw new MediaBusy();
    // It counts for the address that asked first.
    const shared = known ?? { giveBack: this.#take(who, size), holders: 0 };
    shared.holders++;
    this.#shared.set(buffer, shared);
    return once(() => {
      if (--shared.holders > 0) return;
      this.#shared.delete(buffer);
      shared.giveBack();
    });
  }

  /** Whether another answer waits for memory that this one would take. */
  #mustWait(who: string): boolean {
    for (const waiting of this.#waiting)
      if (waiting.who === who || this.#hasShare(waiting.who, waiting.bytes)) return true;
    return false;
  }

  /** A single body larger than the limit is sent alone. */
  #hasRoom(who: string, bytes: number): boolean {
    return (this.#usedBytes === 0 || this.#usedBytes + bytes <= this.maxBytes) && this.#hasShare(who, bytes);
  }

  #hasShare(who: string, bytes: number): boolean {
    const used = this.#bytes.get(who) ?? 0;
    return used === 0 || used + bytes <= this.maxBytes * ADDRESS_SHARE;
  }

  #take(who: string, bytes: number): () => void {
    this.#usedBytes += bytes;
    this.#bytes.set(who, (this.#bytes.get(who) ?? 0) + bytes);
    return once(() => {
      this.#usedBytes -= bytes;
      const left = (this.#bytes.get(who) ?? 0) - bytes;
      if (left > 0) this.#bytes.set(who, left);
      else this.#bytes.delete(who);
      this.#next();
    });
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      // Others do not wait for the share of one address.
      if (!this.#hasShare(waiting.who, waiting.bytes)) continue;
      if (!this.#hasRoom(waiting.who, waiting.bytes)) return;
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
