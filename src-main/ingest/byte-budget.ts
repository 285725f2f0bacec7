import type { InputEnd } from './input.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';

/** Share of one input in a budget. */
export interface ByteShare {
  /**
   * Sets the number of bytes in use. If the budget is exceeded, the input with the largest share is disconnected,
   * which can be this one.
   */
  setBytes(bytes: number): void;
  /** Releases all memory of the share. Later calls do nothing. */
  close(): void;
}

/** Counters of a budget. */
export interface ByteBudgetCounters {
  readonly usedBytes: number;
  readonly holders: number;
  /** Number of inputs disconnected since the start. */
  readonly evicted: number;
}

/** Maximum bytes of incomplete messages and pictures of all inputs of a media thread together. */
const MAX_INCOMPLETE_BYTES = 256 * 1024 * 1024;

/**
 * Memory budget for incomplete data, shared by all inputs of a thread: if it is exceeded, the input with the largest share is
 * disconnected.
 */
export class ByteBudget {
  readonly #limitBytes: number;
  readonly #shares = new Set<Share>();
  #usedBytes = 0;
  #evicted = 0;

  constructor(limitBytes = MAX_INCOMPLETE_BYTES) {
    this.#limitBytes = limitBytes;
  }

  get counters(): ByteBudgetCounters {
    return { usedBytes: this.#usedBytes, holders: this.#shares.size, evicted: this.#evicted };
  }

  /** Adds an input. @param evict disconnects the input; its share is already closed */
  open(evict: (end: InputEnd) => void): ByteShare {
    const share: Share = {
      bytes: 0,
      evict,
      setBytes: (bytes) => {
        if (bytes === share.bytes || !this.#shares.has(share)) return;
        this.#usedBytes += bytes - share.bytes;
        share.bytes = bytes;
        while (this.#usedBytes > this.#limitBytes) this.#evictLargest();
      },
      close: () => {
        if (this.#shares.delete(share)) this.#usedBytes -= share.bytes;
      },
    };
    this.#shares.add(share);
    return share;
  }

  #evictLargest(): void {
    let largest: Share | undefined;
    for (const share of this.#shares) if (!largest || share.bytes > largest.bytes) largest = share;
    if (!largest) return;
    largest.close();
    this.#evicted++;
    largest.evict({
      code: 'input_too_large',
      ...because('unfinished_data', { bytes: largest.bytes, limit: this.#limitBytes }),
    });
  }
}

interface Share extends ByteShare {
  bytes: number;
  readonly evict: (end: InputEnd) => void;
}
