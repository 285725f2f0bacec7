/** How a thread is made to die. */
export type Death = 'exit' | 'hang';

/** An order to one media thread to die. */
export interface DeathOrder {
  readonly index: number;
  readonly death: Death;
}

/** Where orders are given: a broadcast channel, which reaches all threads of a process. */
export const DEATH_CHANNEL = 'mortal-media-thread';
