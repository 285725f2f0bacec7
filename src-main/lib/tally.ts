/**
 * Counts events by name since the start. Names must come from this program, never from outside, so that their number is
 * limited.
 */
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
