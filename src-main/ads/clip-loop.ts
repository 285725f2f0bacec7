import { keepNewest } from '../lib/limits/newest.ts';
import type { Segment } from '../segment/segment-window.ts';
import { segmentsOf, type Clip } from './clip.ts';

/** A segment of a clip in a loop. */
export interface LoopStep {
  /** How many clips were shown before, in all rounds. */
  readonly showing: number;
  readonly clip: Clip;
  /** Number of the segment in its clip. */
  readonly index: number;
  /** The segment of the leading track. */
  readonly leader: Segment;
  readonly durationMs: number;
  /** Whether it is of a slate. */
  readonly isSlate: boolean;
}

/** Clips in their order, each with what is read again and again. */
interface LoopClip {
  readonly clip: Clip;
  readonly segments: readonly Segment[];
  readonly timescale: number;
}

/** Stands for a step of the same clips in the loops of all viewers: an object, because it is looked up for each segment of each viewer. */
export type StepKey = object;

/**
 * Clips one after the other, in segments of a second: each once, and then those that fill the break, again and again. Steps are counted from 0
 * without an end.
 */
export class ClipLoop {
  /** Those that are shown: the clips, and the slate. */
  readonly clips: readonly Clip[];
  readonly #clips: readonly LoopClip[];
  readonly #fill: readonly LoopClip[];
  readonly #fillLength: number;
  /** Whether what fills the break is a slate. */
  readonly #hasSlate: boolean;
  /** Segments of one round of the clips. */
  readonly length: number;
  /** One for each step that came so far; loops of the same clips, as their files are now, have the same. */
  readonly #stepKeys: StepKey[];

  /**
   * @param clips one at least, each with a segment at least
   * @param slate fills the break after them, instead of the clips themselves
   */
  constructor(clips: readonly Clip[], slate?: Clip) {
    this.clips = slate ? [...clips, slate] : clips;
    this.#clips = clips.map(loopClip);
    this.#fill = slate ? [loopClip(slate)] : this.#clips;
    this.#hasSlate = slate !== undefined;
    this.#stepKeys = sharedStepKeys(clips, slate);
    this.length = lengthOf(this.#clips);
    this.#fillLength = lengthOf(this.#fill);
  }

  step(number: number): LoopStep {
    if (number < this.length) return stepOf(this.#clips, number, { showing: 0, isSlate: false });
    const round = Math.floor((number - this.length) / this.#fillLength);
    const showing = this.#clips.length + round * this.#fill.length;
    return stepOf(this.#fill, number - this.length - round * this.#fillLength, { showing, isSlate: this.#hasSlate });
  }

  /** What a segment that begins with a step is known by, for all viewers. */
  stepKey(number: number): StepKey {
    return (this.#stepKeys[number] ??= {});
  }

  /** The step that comes after so much time: the one whose begin is nearest to it, one further at least. */
  after(first: number, durationMs: number): number {
    let [number, passedMs] = [first, 0];
    do passedMs += this.step(number++).durationMs;
    while (passedMs + this.step(number).durationMs / 2 <= durationMs);
    return number;
  }

  /** The step after the clip that a step is of; the step itself where a clip begins with it. */
  clipEnd(number: number): number {
    const { index, clip } = this.step(number);
    return index === 0 ? number : number - index + segmentsOf(clip).length;
  }
}

/** Lists of clips that begin with a clip of which the steps are kept, the newest ones. */
const MOST_LISTS = 64;

const stepKeys = new WeakMap<Clip, Map<string, StepKey[]>>();

function sharedStepKeys(clips: readonly Clip[], slate: Clip | undefined): StepKey[] {
  const [first] = clips;
  if (!first) return [];
  const lists = stepKeys.get(first) ?? new Map<string, StepKey[]>();
  stepKeys.set(first, lists);
  const name = [...clips.map(({ addressPrefix }) => addressPrefix), slate ? `slate/${slate.addressPrefix}` : ''].join(
    '/',
  );
  const known = lists.get(name);
  if (known) return known;
  const made: StepKey[] = [];
  lists.set(name, made);
  keepNewest(lists, MOST_LISTS);
  return made;
}

function loopClip(clip: Clip): LoopClip {
  return {
    clip,
    segments: segmentsOf(clip).map(({ segment }) => segment),
    timescale: clip.window.tracks[0]?.track.timescale ?? 1,
  };
}

function lengthOf(clips: readonly LoopClip[]): number {
  return clips.reduce((sum, { segments }) => sum + segments.length, 0);
}

/** A segment of clips, counted from the first one. @param before clips that were shown before them */
function stepOf(
  clips: readonly LoopClip[],
  number: number,
  { showing, isSlate }: Pick<LoopStep, 'showing' | 'isSlate'>,
): LoopStep {
  let index = number;
  // By their numbers, because this is done for each second that each viewer is shown.
  for (let position = 0; position < clips.length; position++) {
    const { clip, segments, timescale } = clips[position] as LoopClip;
    const leader = segments[index];
    if (leader) {
      const durationMs = (leader.durationTicks * 1000) / timescale;
      return { showing: showing + position, clip, index, leader, durationMs, isSlate };
    }
    index -= segments.length;
  }
  throw new RangeError('a loop has a segment');
}
