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
    const waiting = this.#waiting.get(who);
    if (waiting) waiting.push(item);
    else this.#waiting.set(who, [item]);
    this.#size++;
  }

  /** Removes a queued item. */
  remove(who: string, item: Item): void {
    const waiting = this.#waiting.get(who) ?? [];
    const index = waiting.indexOf(item);
    if (index < 0) return;
    waiting.splice(index, 1);
    if (waiting.length === 0) this.#waiting.delete(who);
    this.#size--;
  }

  /**
   * Takes the next item: callers take turns. Undefined if no item waits.
   *
   * @param mayGo selects the callers whose items may be taken; default: all callers
   */
  take(mayGo: (who: string) => boolean = () => true): Item | undefined {
    for (const [who, waiting] of this.#waiting) {
      if (!mayGo(who)) continue;
      // The remaining items of this caller go to the end of the queue.
      this.#waiting.delete(who);
      const item = waiting.shift();
      if (waiting.length > 0) this.#waiting.set(who, waiting);
      this.#size--;
      return item;
    }
    return undefined;
  }
}
