import type { WindowSplice } from '../segment/segment-window.ts';
import type { Fill } from './clip-choice.ts';
import type { Clip } from './clip.ts';

/** Clips that follow each other until the end of a break by splice points. */
export interface Cycle {
  readonly splice: WindowSplice;
  readonly clips: readonly Clip[];
  /** What follows them; without it the break ends with the last one. */
  readonly fill: Fill | undefined;
  /** Clips that were begun, or passed over. */
  begun: number;
}

/**
 * Begins the clip that comes next in a break; undefined where the break ends.
 *
 * @param isKept whether a clip can still be played: others are passed over
 */
export function beginNext(
  cycle: Pick<Cycle, 'clips' | 'fill' | 'begun'>,
  isKept: (clip: Clip) => boolean,
): { readonly clip: Clip; readonly isSlate: boolean } | undefined {
  const { clips, fill } = cycle;
  const most = clips.length + (fill?.clips.length ?? 0);
  for (let tried = 0; tried < most; tried++) {
    const number = cycle.begun++;
    const own = clips[number];
    const clip = own ?? fill?.clips[(number - clips.length) % fill.clips.length];
    if (!clip) return undefined;
    if (isKept(clip)) return { clip, isSlate: !own && fill?.isSlate === true };
  }
  return undefined;
}
