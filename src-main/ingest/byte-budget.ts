import type { InputEnd } from './input.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';

/** Share of one holder in a budget. */
export interface ByteShare {
  /** Sets the number of bytes held. May disconnect the largest holder, which can be this one. */
  hold(bytes: number): void;
  /** Returns all memory. Later calls do nothing. */
  close(): void;
}

/** Counters of a budget. */
export interface ByteBudgetCounters {
  readonly heldBytes: number;
  readonly holders: number;
  /** Holders evicted since the start. */
  readonly evicted: number;
}

/** Maximum bytes of incomplete messages and pictures of all inputs of a media thread together. */
const HALF_RECEIVED_BYTES = 256 * 1024 * 1024;

/** Memory budget for incomplete data, shared by all inputs of a thread: if it is exceeded, the largest holder is evicted. */
export class ByteBudget {
  readonly #limitBytes: number;
  readonly #shares = new Set<Share>();
  #heldBytes = 0;
  #evicted = 0;

  constructor(limitBytes = HALF_RECEIVED_BYTES) {
    this.#limitBytes = limitBytes;
  }

  get counters(): ByteBudgetCounters {
    return { heldBytes: this.#heldBytes, holders: this.#shares.size, evicted: this.#evicted };
  }

  /** Adds a holder. @param evict disconnects the holder; its share is already closed */
  open(evict: (end: InputEnd) => void): ByteShare {
    const share: Share = {
      bytes: 0,
      evict,
      hold: (bytes) => {
        if (bytes === share.bytes || !this.#shares.has(share)) return;
        this.#heldBytes += bytes - share.bytes;
        share.bytes = bytes;
        while (this.#heldBytes > this.#limitBytes) this.#evictLargest();
      },
      close: () => {
        if (this.#shares.delete(share)) this.#heldBytes -= share.bytes;
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
