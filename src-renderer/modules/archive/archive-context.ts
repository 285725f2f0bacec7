import type { InjectionKey } from 'vue';
import type { PlayGroup } from './play/play-group.ts';
import type { TimeScale } from './time/time-scale.ts';

/** What the parts of the archive page share that changes with each frame: plain values, read when a frame is drawn. */
export interface ArchiveContext {
  readonly group: PlayGroup;
  /** The time of the server, in epoch milliseconds. */
  now(): number;
  /** Address of a file below a stream. */
  addressOf(name: string, file: string): string;
  /** What the timeline shows, with its width in pixels; undefined before it was drawn. */
  view: { scale: TimeScale; width: number } | undefined;
  /** Goes to a moment; where nothing is recorded to what comes next. */
  seek(ms: number): void;
  /** Goes live with all streams. */
  goLive(): void;
}

export const archiveContextKey: InjectionKey<ArchiveContext> = Symbol('archive');
