/** Order to the threads of a process: end, hang, use up memory, wait for a file that never answers, or collect garbage. */
export interface ThreadOrder {
  /** Number of the media thread that executes it. */
  readonly index: number | 'all';
  readonly what: 'exit' | 'hang' | 'exhaust' | 'read' | 'collect';
  /** File to read. */
  readonly path?: string;
}

/** Broadcast channel for orders, which reaches all threads of a process. */
export const ORDER_CHANNEL = 'mortal-media-thread';

/** Channel on which a thread confirms an order by sending it back: before it ends or hangs, or once the read waits. */
export const CONFIRMATION_CHANNEL = 'mortal-media-thread-obeys';
