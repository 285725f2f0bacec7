import type { SegmentWindow } from '../../segment/segment-window.ts';
import { segmentsOf, type Clip, type ClipSource, type Skip, type Difference } from '../clips/clip.ts';
import type { BreakRules } from '../decision/ad-decision.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Maximum number of remembered skips, the newest. */
const MAX_SKIPS = 32;

/** Lists the differences between a clip and a stream. */
export type Comparison = (clip: SegmentWindow, stream: SegmentWindow) => readonly Difference[];

/** Clips that repeat after the last clip of a break. */
export interface Fill {
  readonly clips: readonly Clip[];
  readonly isSlate: boolean;
}

/** Chooses the clips of breaks, and remembers the skipped ones. */
export class ClipChoice {
  readonly #clips: ClipSource;
  readonly #compare: Comparison;
  readonly #skipped: (skip: Skip) => void;
  readonly #skips: Skip[] = [];

  /** @param skipped called when a clip or a break is left out */
  constructor(clips: ClipSource, compare: Comparison, skipped: (skip: Skip) => void = () => undefined) {
    this.#clips = clips;
    this.#compare = compare;
    this.#skipped = skipped;
  }

  /** Skipped clips and breaks, oldest first. */
  get skips(): readonly Skip[] {
    return this.#skips;
  }

  /** Clips that can be inserted into a stream now; reports all other clips as skipped. */
  fitting(stream: SegmentWindow, paths: readonly string[], skip: Pick<Skip, 'placement' | 'breakId' | 'atMs'>): Clip[] {
    const fitting = paths.flatMap((path) => this.#fittingOne(stream, path, skip) ?? []);
    if (fitting.length === 0 && paths.length > 0)
      this.skip({ ...skip, reason: 'break_without_clips', path: null, detail: '' });
    return fitting;
  }

  /** Whether a chosen clip can still be played; otherwise reports the reason. */
  keeps({ path, addressPrefix }: Clip, skip: Pick<Skip, 'placement' | 'breakId' | 'atMs'>): boolean {
    const current = this.#clips(path);
    if ('reason' in current) {
      if (current.reason === 'clip_not_ready') return true;
      this.skip({ ...current, ...skip });
      return false;
    }
    if (current.addressPrefix === addressPrefix) return true;
    this.skip({ ...skip, path, reason: 'clip_unusable', ...because('ad_clip_replaced', { path }) });
    return false;
  }

  /**
   * Fill of a break that is longer than its clips; undefined if the stream continues instead, also when the slate
   * cannot be inserted.
   */
  fillFor(
    stream: SegmentWindow,
    { fill }: BreakRules,
    clips: readonly Clip[],
    skip: Pick<Skip, 'placement' | 'breakId' | 'atMs'>,
  ): Fill | undefined {
    if (fill === 'programme') return undefined;
    if (fill === 'repeat') return { clips, isSlate: false };
    const slate = this.#fittingOne(stream, fill.slate, skip);
    return slate && { clips: [slate], isSlate: true };
  }

  #fittingOne(
    stream: SegmentWindow,
    path: string,
    skip: Pick<Skip, 'placement' | 'breakId' | 'atMs'>,
  ): Clip | undefined {
    const clip = this.#clips(path, stream);
    if ('reason' in clip) {
      this.skip({ ...clip, ...skip });
      return undefined;
    }
    const found = this.#compare(clip.window, stream);
    if (found.length === 0 && segmentsOf(clip).length > 0) return clip;
    this.skip({
      ...skip,
      path,
      reason: 'clip_differs',
      differences: found,
      ...because('ad_clip_fields_differ', {
        differences: found
          .map(({ field, clip: actual, stream: expected }) => `${field} ${actual} ≠ ${expected}`)
          .join(', '),
      }),
    });
    return undefined;
  }

  skip(skip: Omit<Skip, 'differences'> & Partial<Pick<Skip, 'differences'>>): void {
    const complete = { differences: [], ...skip };
    this.#skips.push(complete);
    if (this.#skips.length > MAX_SKIPS) this.#skips.shift();
    this.#skipped(complete);
  }
}
