/** Where a segment starts, in all tracks. */
export interface CutPoint {
  readonly msn: number;
  /** UTC seconds at which the segment starts, as presentation time. */
  readonly startSeconds: number;
  readonly isDiscontinuity: boolean;
}

/** The cut points since the last interruption that a track may still have to follow, oldest first; the last one opened the newest segment. */
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

  /** The newest cut point that is not after `seconds`. */
  at(seconds: number): CutPoint | undefined {
    for (let index = this.#list.length - 1; index >= 0; index--) {
      const cutPoint = this.#list[index];
      if (cutPoint && cutPoint.startSeconds <= seconds) return cutPoint;
    }
    return undefined;
  }

  /** The first cut point with a number from `msn` on. */
  from(msn: number): CutPoint | undefined {
    const oldest = this.#list[0];
    return oldest && this.#list[Math.max(0, msn - oldest.msn)];
  }

  /** Forgets what lies before segment `msn`. */
  forgetBefore(msn: number): void {
    while ((this.#list[0]?.msn ?? Infinity) < msn) this.#list.shift();
  }
}
