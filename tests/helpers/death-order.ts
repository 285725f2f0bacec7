/** Order to the threads of a process: end, hang, use up memory, wait for a file that never answers, or collect garbage. */
export interface ThreadOrder {
  /** Of a media thread. */
  readonly index: number | 'all';
  readonly what: 'exit' | 'hang' | 'exhaust' | 'read' | 'collect';
  /** File to read. */
  readonly path?: string;
}

/** Broadcast channel for orders, which reaches all threads of a process. */
export const DEATH_CHANNEL = 'mortal-media-thread';

/** Channel on which a thread confirms an order as its last act: the same order comes back. */
export const OBEYED_CHANNEL = 'mortal-media-thread-obeys';
