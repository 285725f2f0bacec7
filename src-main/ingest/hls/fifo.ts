/** A queue without a limit of its own: its owner bounds it. Both ends cost the same at any length. */
export class Fifo<Item> {
  #items: Item[] = [];
  #at = 0;

  /** The item that comes next. */
  get head(): Item | undefined {
    return this.#items[this.#at];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes and returns the item that comes next. */
  shift(): Item | undefined {
    const item = this.#items[this.#at];
    if (item === undefined) return undefined;
    this.#at++;
    // The items that are gone are let go of now and then, all at once.
    if (this.#at === this.#items.length || this.#at >= 512) {
      this.#items = this.#items.slice(this.#at);
      this.#at = 0;
    }
    return item;
  }
}
