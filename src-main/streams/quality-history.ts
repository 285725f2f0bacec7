import type { StreamQuality } from '../../src-preload/contract/api/streams.ts';
import type { StreamEntry } from './stream-entry.ts';

/** State of a stream at a moment. */
export interface QualitySample {
  /** Bitrate of the input, in kilobits per second. */
  readonly bitrate: number;
  /** Frames per second; null without video. */
  readonly fps: number | null;
  /** Faults per second of the inputs. */
  readonly errors: number;
  /** Milliseconds from the newest playable frame to now; null without one. */
  readonly latency: number | null;
  readonly viewers: number;
}

/** Length of one step of a graph, in milliseconds. */
const STEP_MS = 10_000;
/** Number of steps: one hour. */
const STEPS = 360;
const KINDS = ['bitrate', 'fps', 'errors', 'latency', 'viewers'] as const;
type Kind = (typeof KINDS)[number];

/** Merges the samples of a step. The worst value counts, so that short faults are visible. */
const WORST: Readonly<Record<Kind, (a: number, b: number) => number>> = {
  bitrate: Math.min,
  fps: Math.min,
  errors: Math.max,
  latency: Math.max,
  viewers: Math.max,
};

/**
 * History of streams over the last hour: the worst values of each step of ten seconds. It takes 7 kB for each stream
 * that was on air.
 */
export class QualityHistory {
  readonly #rings = new WeakMap<StreamEntry, QualityRing>();

  /**
   * Adds a sample of a stream.
   * @param nowMs epoch milliseconds
   */
  add(entry: StreamEntry, sample: QualitySample, nowMs: number): void {
    let ring = this.#rings.get(entry);
    if (!ring) {
      // A stream that was never on air has no graph. At its start, its pictures are not counted yet.
      if (sample.bitrate === 0 || sample.fps === 0) return;
      this.#rings.set(entry, (ring = new QualityRing()));
    }
    ring.add(sample, Math.floor(nowMs / STEP_MS));
  }

  /** Last hour of a stream; null for steps without a sample. */
  of(entry: StreamEntry, nowMs: number): StreamQuality {
    const to = Math.floor(nowMs / STEP_MS);
    const ring = this.#rings.get(entry);
    return { from_at: (to - STEPS + 1) * STEP_MS, step_ms: STEP_MS, ...(ring?.values(to) ?? emptyValues()) };
  }
}

class QualityRing {
  readonly #steps = new Float64Array(STEPS).fill(-1);
  readonly #values = new Float32Array(STEPS * KINDS.length);

  add(sample: QualitySample, step: number): void {
    const slot = step % STEPS;
    const isFirst = this.#steps[slot] !== step;
    this.#steps[slot] = step;
    for (const [index, kind] of KINDS.entries()) {
      const at = slot * KINDS.length + index;
      const value = sample[kind] ?? NaN;
      const before = isFirst ? NaN : (this.#values[at] ?? NaN);
      this.#values[at] = Number.isNaN(before) ? value : Number.isNaN(value) ? before : WORST[kind](before, value);
    }
  }

  values(to: number): Record<Kind, (number | null)[]> {
    const values = emptyValues();
    for (let index = 0; index < STEPS; index++) {
      const step = to - STEPS + 1 + index;
      const slot = ((step % STEPS) + STEPS) % STEPS;
      if (this.#steps[slot] !== step) continue;
      for (const [kindIndex, kind] of KINDS.entries()) {
        const value = this.#values[slot * KINDS.length + kindIndex] ?? NaN;
        if (!Number.isNaN(value)) values[kind][index] = Math.round(value * 100) / 100;
      }
    }
    return values;
  }
}

function emptyValues(): Record<Kind, (number | null)[]> {
  const none = (): (number | null)[] => new Array<number | null>(STEPS).fill(null);
  return { bitrate: none(), fps: none(), errors: none(), latency: none(), viewers: none() };
}
