/** Ticks per second of the instants by which tracks of different timescales are compared: UTC microseconds since 1970. */
const MICROSECONDS = 1_000_000;

/** Output time at which all tracks start a segment: exact, in the timescale of the leading track. */
export interface Instant {
  /** Presentation time in UTC ticks since 1970. */
  readonly ticks: number;
  readonly timescale: number;
}

/** Ticks of a track in microseconds, rounded once: the error is at most half a microsecond, at any time. */
export function ticksToUs(ticks: number, timescale: number): number {
  const seconds = Math.floor(ticks / timescale);
  return seconds * MICROSECONDS + Math.round(((ticks - seconds * timescale) * MICROSECONDS) / timescale);
}

/** Start of a segment in all tracks. */
export interface CutPoint {
  readonly msn: number;
  /** Presentation time of the first unit of the leading track. */
  readonly start: Instant;
  /** `start` in microseconds, to compare tracks. */
  readonly startUs: number;
  readonly isDiscontinuity: boolean;
}

/**
 * Cut points since the last interruption that some track has not reached yet, oldest first. The last one opened the newest
 * segment.
 */
export class CutPoints {
  #list: CutPoint[] = [];

  get newest(): CutPoint | undefined {
    return this.#list[this.#list.length - 1];
  }

  add(cutPoint: CutPoint): void {
    this.#list.push(cutPoint);
  }

  clear(): void {
    this.#list = [];
  }

  /** The cut point of segment `msn`. */
  get(msn: number): CutPoint | undefined {
    const oldest = this.#list[0];
    return oldest && this.#list[msn - oldest.msn];
  }

  /** Returns the newest cut point at or before `us` (microseconds). */
  at(us: number): CutPoint | undefined {
    for (let index = this.#list.length - 1; index >= 0; index--) {
      const cutPoint = this.#list[index];
      if (cutPoint && cutPoint.startUs <= us) return cutPoint;
    }
    return undefined;
  }

  /** The first cut point with a number from `msn` on. */
  from(msn: number): CutPoint | undefined {
    const oldest = this.#list[0];
    return oldest && this.#list[Math.max(0, msn - oldest.msn)];
  }

  /** Forgets cut points before segment `msn`. */
  forgetBefore(msn: number): void {
    while ((this.#list[0]?.msn ?? Infinity) < msn) this.#list.shift();
  }
}
