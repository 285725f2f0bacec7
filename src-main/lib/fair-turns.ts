/** Fair queue: many items of one caller do not delay the single item of another. */
export class FairTurns<Item> {
  readonly #waiting = new Map<string, Item[]>();
  #size = 0;

  /** Number of queued items of all callers. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds an item.
   * @param who name of the caller
   */
  add(who: string, item: Item): void {
    const own = this.#waiting.get(who);
    if (own) own.push(item);
    else this.#waiting.set(who, [item]);
    this.#size++;
  }

  /** Removes the next item; undefined if the queue is empty. */
  take(): Item | undefined {
    for (const [who, own] of this.#waiting) {
      // Further items of the same caller come after those of the other callers.
      this.#waiting.delete(who);
      const item = own.shift();
      if (own.length > 0) this.#waiting.set(who, own);
      this.#size--;
      return item;
    }
    return undefined;
  }
}
