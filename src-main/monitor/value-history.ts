/** Values of the last minutes, one a second. */
export interface ValueGraph {
  /** When the first of them was measured, epoch milliseconds. */
  readonly fromMs: number;
  readonly stepMs: number;
  readonly values: readonly (number | null)[];
}

/** Values that are kept of one condition. */
const KEPT = 180;
const STEP_MS = 1000;

interface Ring {
  readonly values: Float32Array;
  count: number;
  lastMs: number;
}

/** What was measured of conditions that have a value, round by round; a condition that is not measured in a round is forgotten. */
export class ValueHistory {
  #rings = new Map<string, Ring>();
  #measured = new Map<string, Ring>();

  /** Takes a value; null where it is not known. @param nowMs epoch milliseconds */
  add(name: string, alarm: string, value: number | null, nowMs: number): void {
    const key = keyOf(name, alarm);
    const ring = this.#rings.get(key) ?? { values: new Float32Array(KEPT), count: 0, lastMs: 0 };
    ring.values[ring.count % KEPT] = value ?? NaN;
    ring.count++;
    ring.lastMs = nowMs;
    this.#measured.set(key, ring);
  }

  endRound(): void {
    this.#rings = this.#measured;
    this.#measured = new Map();
  }

  /** The values of a condition, oldest first; undefined where none are kept. */
  graph(name: string, alarm: string): ValueGraph | undefined {
    const ring = this.#rings.get(keyOf(name, alarm));
    if (!ring) return undefined;
    const { values, count, lastMs } = ring;
    const length = Math.min(count, KEPT);
    const kept = Array.from({ length }, (_, index) => values[(count - length + index) % KEPT] ?? NaN);
    return {
      fromMs: lastMs - (length - 1) * STEP_MS,
      stepMs: STEP_MS,
      values: kept.map((value) => (Number.isNaN(value) ? null : Math.round(value * 100) / 100)),
    };
  }
}

function keyOf(name: string, alarm: string): string {
  return `${alarm}\n${name}`;
}
