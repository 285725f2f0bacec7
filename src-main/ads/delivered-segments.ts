const BITS = 32;

/** Set of the delivered segments of one showing, one bit each. */
export class DeliveredSegments {
  readonly #bits: number[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @param index counted from 0 */
  has(index: number): boolean {
    return (((this.#bits[Math.floor(index / BITS)] ?? 0) >>> (index % BITS)) & 1) === 1;
  }

  /** Records a segment as delivered; false if it was already. */
  add(index: number): boolean {
    if (this.has(index)) return false;
    const word = Math.floor(index / BITS);
    while (this.#bits.length < word) this.#bits.push(0);
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (index % BITS));
    this.#count++;
    return true;
  }
}
