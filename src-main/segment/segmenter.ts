import type { FormatProblem } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import type { StreamReader, StreamUnit } from '../stream/stream-hub.ts';
import type { StreamSplice } from '../stream/stream-splice.ts';
import type { CutEffect } from './cut-effects.ts';
import { newCutState, type CutEvent, type CutState } from './cut-state.ts';
import type { TrackState } from './track-state.ts';
import { step } from './cut-step.ts';
import type { HeapPool } from './heap-pool.ts';
import { PartWriter } from './part-writer.ts';
import type { SegmenterOptions, SegmenterResume } from './segmenter-options.ts';
import type { WindowEvent } from './window-event.ts';

/**
 * Cuts a stream into parts and segments and emits the events of its window. One track leads: the first video track, or the first
 * audio track if there is no video. Its random access points are the cut points; all other tracks follow with the same media
 * sequence numbers. Units ahead of the leading track wait, because its next cut point is not known yet. Units later than the
 * leading track have 2.5 s to arrive. `step` decides; this class writes parts and emits events.
 */
export class Segmenter implements StreamReader {
  readonly #state: CutState;
  readonly #emit: (event: WindowEvent) => void;
  readonly #problem: (problem: FormatProblem) => void;
  readonly #pool: HeapPool;
  /** Time until which chunks are emitted as well, in epoch milliseconds. */
  #chunksUntilMs = 0;
  /** Writers by the index of their track. */
  #writers: readonly (PartWriter | undefined)[] = [];

  constructor(
    options: SegmenterOptions,
    emit: (event: WindowEvent) => void,
    problem: (problem: FormatProblem) => void,
    resume: SegmenterResume,
    pool: HeapPool,
  ) {
    this.#state = newCutState(options, resume);
    this.#emit = emit;
    this.#problem = problem;
    this.#pool = pool;
  }

  tracks(tracks: readonly Track[]): void {
    this.#step({ type: 'tracks', tracks });
  }

  discontinuity(isRewind: boolean): void {
    this.#step({ type: 'discontinuity', isRewind });
  }

  unit(unit: StreamUnit): void {
    this.#step({ type: 'unit', unit });
  }

  splice(splice: StreamSplice): void {
    this.#step({ type: 'splice', splice });
  }

  idle(): void {
    this.#step({ type: 'idle' });
  }

  /**
   * Emits chunks too for parts that open before a time, for a desk that cannot wait for complete parts.
   * @param untilMs epoch milliseconds
   */
  wantChunks(untilMs: number): void {
    this.#chunksUntilMs = untilMs;
  }

  /** Ends open segments and releases the memory. */
  close(): void {
    this.#step({ type: 'close' });
  }

  #step(event: CutEvent): void {
    const effects = step(this.#state, event);
    for (let index = 0; index < effects.count; index++) this.#carryOut(effects.at(index));
  }

  #carryOut(effect: CutEffect | undefined): void {
    if (!effect) return;
    switch (effect.type) {
      case 'sample': {
        const { track, unit } = effect;
        const chunk = this.#writers[track.index]?.add(unit, unit.arrivedMs < this.#chunksUntilMs);
        if (chunk) this.#emit(chunk);
        return;
      }
      case 'part-end': {
        const ended = this.#writers[effect.track.index]?.end(effect);
        if (ended?.chunk) this.#emit(ended.chunk);
        if (ended) this.#emit({ ...effect.part, ...ended.written });
        return;
      }
      case 'segment-start':
        this.#writers.find((writer) => writer?.state.track.id === effect.trackId)?.startSegment(effect.msn);
        this.#emit(effect);
        return;
      case 'tracks':
        this.#changeTracks(effect.tracks);
        return;
      case 'close':
        this.#closeTracks();
        return;
      case 'problem':
        this.#problem(effect.problem);
        return;
      default:
        this.#emit(effect);
    }
  }

  /** Creates writers for new tracks, and disposes of those of removed tracks. */
  #changeTracks(tracks: readonly TrackState[]): void {
    const before = this.#writers;
    for (const writer of before) if (writer && !tracks.includes(writer.state)) writer.dispose();
    const writers: (PartWriter | undefined)[] = [];
    const inits = tracks.map((state) => {
      const existing = before[state.index];
      const writer =
        existing?.state === state ? existing : new PartWriter(state, this.#state.options.partMs, this.#pool);
      writers[state.index] = writer;
      return { track: state.track, initId: state.initId, init: writer.init };
    });
    this.#writers = writers;
    this.#emit({ type: 'init', tracks: inits });
  }

  #closeTracks(): void {
    for (const writer of this.#writers) writer?.dispose();
    this.#writers = [];
  }
}
