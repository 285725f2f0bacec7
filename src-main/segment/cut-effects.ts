import type { FormatProblem } from '../media/access-unit.ts';
import type { ChunkShape } from '../media/containers/isobmff/chunk-shape.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import type { TrackState } from './track-state.ts';
import type { PartEvent, WindowEvent } from './window-event.ts';

/** A part is complete: its chunk has to be written. */
export interface PartEffect {
  readonly type: 'part-end';
  readonly track: TrackState;
  /** Decoding time of the first unit, and of what follows the last one. */
  readonly startTicks: number;
  readonly endTicks: number;
  readonly shape: ChunkShape;
  readonly part: Omit<PartEvent, 'bytes'>;
}

/** What has to be done: events of the window as they are, and everything with bytes. */
export type CutEffect =
  | Exclude<WindowEvent, { type: 'init' | 'chunk' | 'part' }>
  /** A unit belongs to the open part of its track; the first one opens it. */
  | { readonly type: 'sample'; readonly track: TrackState; readonly unit: StreamUnit }
  | PartEffect
  /** Other tracks from here on: what was open is complete. */
  | { readonly type: 'tracks'; readonly tracks: readonly TrackState[] }
  /** No tracks any more: their memory is given back. */
  | { readonly type: 'close' }
  | { readonly type: 'problem'; readonly problem: FormatProblem };

type SampleEffect = Extract<CutEffect, { type: 'sample' }>;

/**
 * What one step asks for, in order; valid until the next step. The list and its samples are used again by every step: nearly every
 * access unit is one sample and nothing else, and must not leave garbage behind.
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

  /** The same for a unit that belongs to the open part of a track. */
  pushSample(track: TrackState, unit: StreamUnit): void {
    const sample = (this.#samples[this.#sampleCount++] ??= { type: 'sample', track, unit });
    sample.track = track;
    sample.unit = unit;
    this.push(sample);
  }
}
