import { keepNewest } from '../../lib/limits/newest.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import type { Segment } from '../../segment/segment-window.ts';
import { samplesOf, type ClipSample } from './clip-samples.ts';
import { segmentsOf, type Clip } from './clip.ts';

/** A segment of a clip in a loop. */
export interface LoopStep {
  /** Number of clips shown before this segment, in all rounds. */
  readonly showing: number;
  readonly clip: Clip;
  /** Number of the segment in its clip. */
  readonly index: number;
  /** Segment of the leading track. */
  readonly leader: Segment;
  readonly durationMs: number;
  /** True if the clip is a slate. */
  readonly isSlate: boolean;
}

/** A clip with its cached segments and timescale. */
interface LoopClip {
  readonly clip: Clip;
  readonly segments: readonly Segment[];
  readonly timescale: number;
}

/**
 * Identity of a step, shared by the loops of all viewers with the same clips. It is an object so that a `WeakMap` can
 * have it as a key.
 */
export type StepKey = object;

/** Clips that replace the media of a segment of the stream. */
export interface Replacement {
  readonly loop: ClipLoop;
  /** Step of the loop at the start of the segment. */
  readonly step: number;
  /** The same object for all viewers with the same clips. */
  readonly key: StepKey;
}

/**
 * Clips in segments of one second: each clip once, then the fill repeatedly. Steps (segments of the loop) are counted
 * from 0, without an end.
 */
export class ClipLoop {
  /** All clips that are shown, including the slate. */
  readonly clips: readonly Clip[];
  readonly #clips: readonly LoopClip[];
  readonly #fill: readonly LoopClip[];
  readonly #fillLength: number;
  /** True if a slate fills the break. */
  readonly #hasSlate: boolean;
  /** Number of segments in one round of the clips. */
  readonly length: number;
  /** One key for each step so far; loops with the same clips and the same files share them. */
  readonly #stepKeys: StepKey[];

  /**
   * @param clips at least one, each with at least one segment
   * @param slate fills the break after the clips; without it the clips repeat
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

  /** Key of a segment that starts with a step, shared by all viewers. */
  stepKey(number: number): StepKey {
    return (this.#stepKeys[number] ??= {});
  }

  /** Step whose start is nearest to the end of a duration; always a later step. */
  after(first: number, durationMs: number): number {
    let [number, passedMs] = [first, 0];
    do passedMs += this.step(number++).durationMs;
    while (passedMs + this.step(number).durationMs / 2 <= durationMs);
    return number;
  }

  /** Step after the clip that contains a step; the step itself if it is the first of its clip. */
  clipEnd(number: number): number {
    const { index, clip } = this.step(number);
    return index === 0 ? number : number - index + segmentsOf(clip).length;
  }
}

/** Maximum number of clip lists whose steps are cached for each first clip; the newest are kept. */
const MAX_LISTS = 64;

const stepKeys = new WeakMap<Clip, Map<string, StepKey[]>>();

function sharedStepKeys(clips: readonly Clip[], slate: Clip | undefined): StepKey[] {
  const [first] = clips;
  if (!first) return [];
  const lists = stepKeys.get(first) ?? new Map<string, StepKey[]>();
  stepKeys.set(first, lists);
  const name = [...clips.map(({ addressPrefix }) => addressPrefix), slate ? `slate/${slate.addressPrefix}` : ''].join(
    '/',
  );
  const cached = lists.get(name);
  if (cached) return cached;
  const steps: StepKey[] = [];
  lists.set(name, steps);
  keepNewest(lists, MAX_LISTS);
  return steps;
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

/** Finds a segment of clips by its number. */
function stepOf(
  clips: readonly LoopClip[],
  number: number,
  { showing, isSlate }: Pick<LoopStep, 'showing' | 'isSlate'>,
): LoopStep {
  let index = number;
  // A plain loop, because it runs for each second of each viewer.
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

/** Track to read samples for. */
export interface SampledTrack {
  readonly id: string;
  readonly content: 'video' | 'audio';
  readonly timescale: number;
}

/**
 * Samples of a track from a step of a loop on, in decoding order, without an end. Reads only chunk headers, which are
 * in memory. Video times count from the first picture of the first step, audio times from the same position in the
 * clip. The samples start with audio of the previous step, whose last unit may be the nearest to the start of the
 * step.
 */
export function* samplesFrom(
  loop: ClipLoop,
  step: number,
  track: SampledTrack,
  setsOf: (clip: Clip) => Uint8Array | undefined,
): Generator<ClipSample, undefined> {
  const isSound = track.content === 'audio';
  const ticksOf = ({ durationMs }: LoopStep): number => Math.round((durationMs * track.timescale) / 1000);
  const first = isSound ? Math.max(0, step - 1) : step;
  let passedTicks = first < step ? -ticksOf(loop.step(first)) : 0;
  for (let number = first, empty = 0; empty < loop.length; number++) {
    const current = loop.step(number);
    const { clip, index, leader } = current;
    const segment = clip.window.segments(track.id)[index]?.segment;
    const [part] = segment?.parts ?? [];
    const samples = segment && part ? samplesOf(part) : [];
    const leaderScale = clip.window.tracks[0]?.track.timescale ?? track.timescale;
    const startTicks = convertTicks(leader.startTicks, leaderScale, track.timescale);
    const zero = {
      dtsTicks: isSound ? startTicks : (samples[0]?.dtsTicks ?? 0),
      ptsTicks: isSound ? startTicks : (segment?.startTicks ?? 0),
    };
    let lengthTicks = 0;
    const sets = isSound ? undefined : setsOf(clip);
    for (const sample of samples) {
      lengthTicks += sample.durationTicks;
      yield {
        ...sample,
        sets: sample.isSync ? sets : undefined,
        dtsTicks: sample.dtsTicks - zero.dtsTicks + passedTicks,
        ptsTicks: sample.ptsTicks - zero.ptsTicks + passedTicks,
      };
    }
    empty = samples.length === 0 ? empty + 1 : 0;
    passedTicks += isSound ? ticksOf(current) : lengthTicks;
  }
  return undefined;
}
