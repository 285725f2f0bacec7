/** Where a segment starts, in all tracks. */
export interface Border {
  readonly msn: number;
  /** UTC seconds at which the segment starts, as presentation time. */
  readonly startSeconds: number;
  readonly isDiscontinuity: boolean;
}

/** The borders since the last interruption that a track may still have to follow, oldest first; the last one opened the newest segment. */
export class Borders {
  #list: Border[] = [];

  get newest(): Border | undefined {
    return this.#list[this.#list.length - 1];
  }

  add(border: Border): void {
    this.#list.push(border);
  }

  clear(): void {
    this.#list = [];
  }

  /** The border of segment `msn`. */
  get(msn: number): Border | undefined {
    const oldest = this.#list[0];
    return oldest && this.#list[msn - oldest.msn];
  }

  /** The newest border that is not after `seconds`. */
  at(seconds: number): Border | undefined {
    for (let index = this.#list.length - 1; index >= 0; index--) {
      const border = this.#list[index];
      if (border && border.startSeconds <= seconds) return border;
    }
    return undefined;
  }

  /** The first border with a number from `msn` on. */
  from(msn: number): Border | undefined {
    const oldest = this.#list[0];
    return oldest && this.#list[Math.max(0, msn - oldest.msn)];
  }

  /** Forgets what lies before segment `msn`. */
  forgetBefore(msn: number): void {
    while ((this.#list[0]?.msn ?? Infinity) < msn) this.#list.shift();
  }
}
