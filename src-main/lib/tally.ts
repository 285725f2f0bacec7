/** Counts by name since the start. The names come from this program, never from outside, so there are few. */
export class Tally<Name extends string = string> {
  readonly #counts = new Map<Name, number>();

  add(name: Name): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Counts of all names. */
  entries(): Iterable<readonly [Name, number]> {
    return this.#counts.entries();
  }
}
