/** Queue without its own limit; its owner limits it. Adding and removing have constant cost at any length. */
export class Fifo<Item> {
  #items: Item[] = [];
  #at = 0;

  /** Next item. */
  get head(): Item | undefined {
    return this.#items[this.#at];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes and returns the next item. */
  shift(): Item | undefined {
    const item = this.#items[this.#at];
    if (item === undefined) return undefined;
    this.#at++;
    // Removed items are released in batches.
    if (this.#at === this.#items.length || this.#at >= 512) {
      this.#items = this.#items.slice(this.#at);
      this.#at = 0;
    }
    return item;
  }
}
