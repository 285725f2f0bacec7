const BITS = 32;

/** Set of the delivered segments of one showing, one bit each. */
export class DeliveredSegments {
  readonly #words: number[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @param index counted from 0 */
  has(index: number): boolean {
    return (((this.#words[Math.floor(index / BITS)] ?? 0) >>> (index % BITS)) & 1) === 1;
  }

  /** Records a segment as delivered; false if it was already. */
  add(index: number): boolean {
    if (this.has(index)) return false;
    const word = Math.floor(index / BITS);
    while (this.#words.length < word) this.#words.push(0);
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (index % BITS));
    this.#count++;
    return true;
  }
}
