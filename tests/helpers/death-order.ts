/** An order to the threads of a process: to end, to stand still, to use up its memory, to wait for a file that never answers, or to collect their garbage. */
export interface ThreadOrder {
  /** Of a media thread. */
  readonly index: number | 'all';
  readonly what: 'exit' | 'hang' | 'exhaust' | 'read' | 'collect';
  /** What it reads. */
  readonly path?: string;
}

/** Where orders are given: a broadcast channel, which reaches all threads of a process. */
export const DEATH_CHANNEL = 'mortal-media-thread';

/** Where a thread says that it carries out an order, as the last it does before: the same order comes back. */
export const OBEYED_CHANNEL = 'mortal-media-thread-obeys';
