/** Recent values of a condition, one per second. */
export interface ValueGraph {
  /** Time of the first value, in epoch milliseconds. */
  readonly fromMs: number;
  readonly stepMs: number;
  readonly values: readonly (number | null)[];
}

/** Number of stored values per condition. */
const KEPT = 180;
const STEP_MS = 1000;

interface Ring {
  readonly values: Float32Array;
  count: number;
  lastMs: number;
}

/**
 * Recent values of conditions, one per round. If a round does not measure a condition, all values of the condition are dropped.
 */
export class ValueHistory {
  #rings = new Map<string, Ring>();
  #measured = new Map<string, Ring>();

  /**
   * Adds a value; null if unknown.
   * @param nowMs epoch milliseconds
   */
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

  /** Values of a condition, oldest first; undefined if there are none. */
  graph(name: string, alarm: string): ValueGraph | undefined {
    const ring = this.#rings.get(keyOf(name, alarm));
    if (!ring) return undefined;
    const { values, count, lastMs } = ring;
    const length = Math.min(count, KEPT);
    const latest = Array.from({ length }, (_, index) => values[(count - length + index) % KEPT] ?? NaN);
    return {
      fromMs: lastMs - (length - 1) * STEP_MS,
      stepMs: STEP_MS,
      values: latest.map((value) => (Number.isNaN(value) ? null : Math.round(value * 100) / 100)),
    };
  }
}

function keyOf(name: string, alarm: string): string {
  return `${alarm}\n${name}`;
}
