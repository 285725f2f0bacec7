/** Order to the threads of a process: end, hang, exhaust the memory, read a file, or collect garbage. */
export interface ThreadOrder {
  /** Number of the media thread that executes it. */
  readonly index: number | 'all';
  readonly what: 'exit' | 'hang' | 'exhaust' | 'read' | 'collect';
  /** File to read. */
  readonly path?: string;
}

/** Broadcast channel for orders, which reaches all threads of a process. */
export const ORDER_CHANNEL = 'mortal-media-thread';

/**
 * Channel on which a thread confirms an order by repeating it: before it ends or hangs, or when the read has started.
 */
export const CONFIRMATION_CHANNEL = 'mortal-media-thread-obeys';
