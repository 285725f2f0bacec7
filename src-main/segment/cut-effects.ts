import type { FormatProblem } from '../media/access-unit.ts';
import type { ChunkShape } from '../media/containers/isobmff/chunk-shape.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import type { TrackState } from './track-state.ts';
import type { PartEvent, WindowEvent } from './window-event.ts';

/** A part is complete and can be written as a CMAF chunk. */
export interface PartEffect {
  readonly type: 'part-end';
  readonly track: TrackState;
  /** Decoding time of the first unit, and end of the last one. */
  readonly startTicks: number;
  readonly endTicks: number;
  readonly shape: ChunkShape;
  readonly part: Omit<PartEvent, 'bytes'>;
}

/** Effect of a step: an event for the window, or work on media bytes. */
export type CutEffect =
  | Exclude<WindowEvent, { type: 'init' | 'chunk' | 'part' }>
  /** Adds a unit to the open part of its track; the first unit opens the part. */
  | { readonly type: 'sample'; readonly track: TrackState; readonly unit: StreamUnit }
  | PartEffect
  /** The tracks change; open parts are complete. */
  | { readonly type: 'tracks'; readonly tracks: readonly TrackState[] }
  /** The stream ends; the memory of all tracks is released. */
  | { readonly type: 'close' }
  | { readonly type: 'problem'; readonly problem: FormatProblem };

type SampleEffect = Extract<CutEffect, { type: 'sample' }>;

/**
 * Effects of one step, in order; valid until the next step. The list and its `sample` effects are reused: nearly every access unit
 * is one `sample` effect and must not create garbage.
 */
export class CutEffects {
  readonly #list: CutEffect[] = [];
  #count = 0;
  readonly #samples: { -readonly [K in keyof SampleEffect]: SampleEffect[K] }[] = [];
  #sampleCount = 0;

  get count(): number {
    return this.#count;
  }

  at(index: number): CutEffect | undefined {
    return index < this.#count ? this.#list[index] : undefined;
  }

  clear(): void {
    this.#count = 0;
    this.#sampleCount = 0;
  }

  push(effect: CutEffect): void {
    this.#list[this.#count++] = effect;
  }

  /** Adds a `sample` effect. */
  pushSample(track: TrackState, unit: StreamUnit): void {
    const sample = (this.#samples[this.#sampleCount++] ??= { type: 'sample', track, unit });
    sample.track = track;
    sample.unit = unit;
    this.push(sample);
  }
}
