import type { SegmentWindow } from '../segment/segment-window.ts';
import { segmentsOf, type Clip, type ClipSource, type Skip } from './clip.ts';
import type { Difference } from './clip-fit.ts';

/** Reasons that are kept, the newest ones. */
const MOST_SKIPS = 32;

/** In what a clip is not like a stream. */
export type Comparison = (clip: SegmentWindow, stream: SegmentWindow) => readonly Difference[];

/** Chooses the clips of breaks, and keeps what was left out. */
export class ClipChoice {
  readonly #clips: ClipSource;
  readonly #compare: Comparison;
  readonly #skips: Skip[] = [];

  constructor(clips: ClipSource, compare: Comparison) {
    this.#clips = clips;
    this.#compare = compare;
  }

  /** What was left out, the oldest first. */
  get skips(): readonly Skip[] {
    return this.#skips;
  }

  /** Those of the clips that can be inserted into a stream now. */
  fitting(
    stream: SegmentWindow,
    paths: readonly string[],
    { placement, breakId, atMs }: Pick<Skip, 'placement' | 'breakId' | 'atMs'>,
  ): Clip[] {
    const fitting: Clip[] = [];
    for (const path of paths) {
      const clip = this.#clips(path);
      if ('reason' in clip) {
        this.skip({ placement, breakId, ...clip, atMs });
        continue;
      }
      const found = this.#compare(clip.window, stream);
      if (found.length === 0 && segmentsOf(clip).length > 0) fitting.push(clip);
      else
        this.skip({
          ...{ placement, breakId, path, atMs, reason: 'clip_differs', differences: found },
          detail: found.map(({ field, clip: own, stream: wanted }) => `${field} is ${own}, not ${wanted}`).join('; '),
        });
    }
    if (fitting.length === 0 && paths.length > 0)
      this.skip({ placement, breakId, reason: 'break_without_clips', path: null, detail: '', atMs });
    return fitting;
  }

  skip(skip: Omit<Skip, 'differences'> & Partial<Pick<Skip, 'differences'>>): void {
    this.#skips.push({ differences: [], ...skip });
    if (this.#skips.length > MOST_SKIPS) this.#skips.shift();
  }
}
