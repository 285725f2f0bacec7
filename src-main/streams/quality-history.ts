import type { StreamQuality } from '../../src-preload/contract/streams.ts';
import type { StreamEntry } from './stream-entry.ts';

/** What is seen of a stream at a moment. */
export interface QualitySample {
  /** Kilobits a second of the input. */
  readonly bitrate: number;
  /** Pictures a second; null without video. */
  readonly fps: number | null;
  /** Faults a second in what comes in. */
  readonly errors: number;
  /** Milliseconds from the newest frame that can be played to now; null while there is none. */
  readonly latency: number | null;
  readonly viewers: number;
}

/** How long one value of a graph stands for, in milliseconds. */
const STEP_MS = 10_000;
/** An hour. */
const KEPT = 360;
const KINDS = ['bitrate', 'fps', 'errors', 'latency', 'viewers'] as const;
type Kind = (typeof KINDS)[number];

/** How the samples of a step become its value: a short fault is to be seen. */
const WORST: Readonly<Record<Kind, (a: number, b: number) => number>> = {
  bitrate: Math.min,
  fps: Math.min,
  errors: Math.max,
  latency: Math.max,
  viewers: Math.max,
};

/** The last hour of streams: of each step of ten seconds the worst of what was seen in it. 7 kB for a stream that was on air. */
export class QualityHistory {
  readonly #rings = new WeakMap<StreamEntry, QualityRing>();

  /** Takes what is seen of a stream. @param nowMs epoch milliseconds */
  add(entry: StreamEntry, sample: QualitySample, nowMs: number): void {
    let ring = this.#rings.get(entry);
    if (!ring) {
      // A stream that was never on air has no graph; while it begins its pictures are not counted yet.
      if (sample.bitrate === 0 || sample.fps === 0) return;
      this.#rings.set(entry, (ring = new QualityRing()));
    }
    ring.add(sample, Math.floor(nowMs / STEP_MS));
  }

  /** The last hour of a stream, up to now; null where nothing was seen. */
  of(entry: StreamEntry, nowMs: number): StreamQuality {
    const to = Math.floor(nowMs / STEP_MS);
    const ring = this.#rings.get(entry);
    return { from_at: (to - KEPT + 1) * STEP_MS, step_ms: STEP_MS, ...(ring?.values(to) ?? emptyValues()) };
  }
}

class QualityRing {
  readonly #steps = new Float64Array(KEPT).fill(-1);
  readonly #values = new Float32Array(KEPT * KINDS.length);

  add(sample: QualitySample, step: number): void {
    const place = step % KEPT;
    const isFirst = this.#steps[place] !== step;
    this.#steps[place] = step;
    for (const [index, kind] of KINDS.entries()) {
      const at = place * KINDS.length + index;
      const value = sample[kind] ?? NaN;
      const before = isFirst ? NaN : (this.#values[at] ?? NaN);
      this.#values[at] = Number.isNaN(before) ? value : Number.isNaN(value) ? before : WORST[kind](before, value);
    }
  }

  values(to: number): Record<Kind, (number | null)[]> {
    const shown = emptyValues();
    for (let index = 0; index < KEPT; index++) {
      const step = to - KEPT + 1 + index;
      const place = ((step % KEPT) + KEPT) % KEPT;
      if (this.#steps[place] !== step) continue;
      for (const [kindIndex, kind] of KINDS.entries()) {
        const value = this.#values[place * KINDS.length + kindIndex] ?? NaN;
        if (!Number.isNaN(value)) shown[kind][index] = Math.round(value * 100) / 100;
      }
    }
    return shown;
  }
}

function emptyValues(): Record<Kind, (number | null)[]> {
  const none = (): (number | null)[] => new Array<number | null>(KEPT).fill(null);
  return { bitrate: none(), fps: none(), errors: none(), latency: none(), viewers: none() };
}
