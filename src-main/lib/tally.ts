/** Counts by name since the start. The names are ones of this program, never of what comes from outside, so there are few. */
export class Tally<Name extends string = string> {
  readonly #counts = new Map<Name, number>();

  add(name: Name): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Each name that was counted, with how often. */
  entries(): Iterable<readonly [Name, number]> {
    return this.#counts.entries();
  }
}
