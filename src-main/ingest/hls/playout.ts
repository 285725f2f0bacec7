import type { Clock } from '../../lib/clock.ts';
import type { MediaPlaylist } from '../../media/manifests/hls/media-playlist.ts';
import type { MediaSink } from '../../media/access-unit.ts';
import { EvenPace } from './even-pace.ts';
import { RenditionMerge } from './rendition-merge.ts';
import type { MergeSource, MergeStep } from './rendition-merge.ts';
import { holdBackMs, isLowLatency } from './start-position.ts';

/** Maximum wait for one rendition at the start while another has media, in milliseconds. */
const START_GRACE_MS = 8000;
/** Bounds of the maximum wait after the start, in milliseconds; the wait is the duration of a segment or part. */
const MIN_GRACE_MS = 500;
const MAX_GRACE_MS = 4000;
/** Minimum duration of pieces of media assumed by the pace, in milliseconds. */
const MIN_SLACK_MS = 1000;

/** Emits the units of all renditions when they are due: merged, at an even pace, with a limit on the wait for one rendition. */
export class Playout {
  readonly #clock: Clock;
  readonly #merge: RenditionMerge;
  readonly #pace: EvenPace;
  #graceMs = MAX_GRACE_MS;
  /** Time at which the first rendition had media. */
  #readyMs: number | undefined;

  constructor(clock: Clock, sources: readonly MergeSource[], sink: MediaSink) {
    this.#clock = clock;
    this.#pace = new EvenPace(clock);
    this.#merge = new RenditionMerge(sources, sink);
  }

  /** Next possible step. */
  next(): MergeStep {
    return this.#merge.next();
  }

  /** Executes the next step, unless it has to wait; returns the maximum wait in milliseconds, 0 if it was executed. */
  take(step: MergeStep): number {
    const merge = this.#merge;
    const now = this.#clock.now();
    if (step.kind === 'starved' || step.kind === 'done') return Infinity;
    const { missing } = step;
    this.#readyMs ??= now;
    if (missing.length > 0) {
      const dueMs = step.kind === 'unit' ? this.#pace.dueMs(step.ticks) : this.#pace.dueMs(merge.endTicks ?? 0);
      const untilMs = merge.endTicks === undefined ? this.#readyMs + START_GRACE_MS : dueMs + this.#graceMs;
      if (now < untilMs) return untilMs - now;
      for (const rendition of missing) rendition.isAbsent = true;
    }
    if (step.kind === 'cross') {
      merge.cross();
      return 0;
    }
    const waitMs = this.#pace.waitMs(step.ticks);
    if (waitMs === 0) merge.emit(step);
    return waitMs;
  }

  /** Processes a version of the leading playlist; `aheadMs` of media are waiting. */
  listed(playlist: MediaPlaylist, aheadMs: number): void {
    const pieceMs = isLowLatency(playlist) ? (playlist.partTargetMs ?? 0) : playlist.targetMs;
    this.#graceMs = Math.min(MAX_GRACE_MS, Math.max(MIN_GRACE_MS, pieceMs));
    if (!playlist.isEnded) this.#pace.settle(aheadMs, holdBackMs(playlist), Math.max(MIN_SLACK_MS, pieceMs));
  }
}
