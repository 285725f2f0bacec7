import type { Range } from '../time-scale.ts';

/** State of a player. `empty`: no recording at the requested moment. */
export type PlayerState = 'idle' | 'loading' | 'ready' | 'empty' | 'failed' | 'unsupported';

/** Options of a player. */
export interface ArchivePlayerOptions {
  readonly video: HTMLVideoElement;
  /** Address of a file below the stream. */
  readonly addressOf: (file: string) => string;
  readonly now: () => number;
  readonly isOnAir: () => boolean;
  readonly recorded: () => readonly Range[];
  /** Whether its sound is on. */
  readonly isAudible: () => boolean;
  readonly changed: (state: PlayerState) => void;
}
