import type { WindowSplice } from '../../segment/segment-window.ts';
import type { Fill } from './clip-choice.ts';
import type { Clip } from '../clips/clip.ts';

/** Clips that follow each other until the end of a break by splice points. */
export interface Cycle {
  readonly splice: WindowSplice;
  readonly clips: readonly Clip[];
  /** Clips after the clips of the break; without a fill the break ends with the last clip. */
  readonly fill: Fill | undefined;
  /** Number of clips started or skipped. */
  started: number;
}

/**
 * Starts the next clip of a break; undefined at the end of the break.
 *
 * @param isAvailable whether a clip can be played; all other clips are skipped
 */
export function startNext(
  cycle: Pick<Cycle, 'clips' | 'fill' | 'started'>,
  isAvailable: (clip: Clip) => boolean,
): { readonly clip: Clip; readonly isSlate: boolean } | undefined {
  const { clips, fill } = cycle;
  const limit = clips.length + (fill?.clips.length ?? 0);
  for (let tried = 0; tried < limit; tried++) {
    const number = cycle.started++;
    const decided = clips[number];
    const clip = decided ?? fill?.clips[(number - clips.length) % fill.clips.length];
    if (!clip) return undefined;
    if (isAvailable(clip)) return { clip, isSlate: !decided && fill?.isSlate === true };
  }
  return undefined;
}
