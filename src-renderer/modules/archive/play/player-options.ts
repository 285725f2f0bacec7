import type { Range } from '../time/time-scale.ts';

/** What a player shows. `empty`: nothing is recorded at the moment that is wanted. */
export type PlayerState = 'idle' | 'loading' | 'ready' | 'empty' | 'failed' | 'unsupported';

/** What a player asks for. */
export interface ArchivePlayerOptions {
  readonly video: HTMLVideoElement;
  /** Address of a file below the stream. */
  readonly addressOf: (file: string) => string;
  readonly now: () => number;
  readonly isOnAir: () => boolean;
  readonly recorded: () => readonly Range[];
  /** Whether it is heard. */
  readonly isHeard: () => boolean;
  readonly changed: (state: PlayerState) => void;
}
