import type { InjectionKey } from 'vue';
import type { PlayGroup } from './play-group.ts';
import type { TimeScale } from '../time-scale.ts';

/**
 * Values shared by the parts of the archive page. They change with each frame, so they are not reactive and are read when a frame
 * is drawn.
 */
export interface ArchiveContext {
  readonly group: PlayGroup;
  /** Server time in epoch milliseconds. */
  now(): number;
  /** Address of a file below a stream. */
  addressOf(name: string, file: string): string;
  /** Visible range of the timeline and its width in pixels; undefined before the first drawing. */
  view: { scale: TimeScale; width: number } | undefined;
  /** Seeks to a moment; where no stream is recorded, to the start of the next recording. */
  seek(ms: number): void;
  /** Seeks all streams to live. */
  goLive(): void;
}

export const archiveContextKey: InjectionKey<ArchiveContext> = Symbol('archive');
