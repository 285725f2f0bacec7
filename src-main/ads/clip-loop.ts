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
}

/** Clips one after the other, and from the first one again, in segments of a second. Steps are counted from 0 without an end. */
export class ClipLoop {
  readonly #clips: readonly {
    readonly clip: Clip;
    readonly segments: readonly Segment[];
    readonly timescale: number;
  }[];
  /** Segments of one round. */
  readonly length: number;
  /** The same for loops of the same clips, as their files are now. */
  readonly key: string;

  /** @param clips one at least, each with a segment at least */
  constructor(clips: readonly Clip[]) {
    this.#clips = clips.map((clip) => ({
      clip,
      segments: segmentsOf(clip).map(({ segment }) => segment),
      timescale: clip.window.tracks[0]?.track.timescale ?? 1,
    }));
    this.key = clips.map(({ addressPrefix }) => addressPrefix).join('/');
    this.length = this.#clips.reduce((sum, { segments }) => sum + segments.length, 0);
  }

  step(number: number): LoopStep {
    const round = Math.floor(number / this.length);
    let index = number - round * this.length;
    for (const [position, { clip, segments, timescale }] of this.#clips.entries()) {
      const leader = segments[index];
      if (leader) {
        const durationMs = (leader.durationTicks * 1000) / timescale;
        return { showing: round * this.#clips.length + position, clip, index, leader, durationMs };
      }
      index -= segments.length;
    }
    throw new RangeError('a loop has a segment');
  }

  /** The step that comes after so much time: the one whose begin is nearest to it, one further at least. */
  after(first: number, durationMs: number): number {
    let [number, passedMs] = [first, 0];
    do passedMs += this.step(number++).durationMs;
    while (passedMs + this.step(number).durationMs / 2 <= durationMs);
    return number;
  }
}
