/** A queue in which callers take turns: many items of one do not hold up the single item of another. */
export class FairTurns<Item> {
  readonly #waiting = new Map<string, Item[]>();
  #size = 0;

  /** Items that wait, of all. */
  get size(): number {
    return this.#size;
  }

  /** Adds an item. @param who the caller, which takes turns with others */
  add(who: string, item: Item): void {
    const own = this.#waiting.get(who);
    if (own) own.push(item);
    else this.#waiting.set(who, [item]);
    this.#size++;
  }

  /** Takes the item whose turn it is; undefined where none waits. */
  take(): Item | undefined {
    for (const [who, own] of this.#waiting) {
      // Further items of the same caller come after those of all others.
      this.#waiting.delete(who);
      const item = own.shift();
      if (own.length > 0) this.#waiting.set(who, own);
      this.#size--;
      return item;
    }
    return undefined;
  }
}
