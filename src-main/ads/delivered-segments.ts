const BITS = 32;

/** Which segments of one showing of a clip went to the viewer: a bit for each. */
export class DeliveredSegments {
  readonly #words: number[] = [];
  #count = 0;

  /** How many went. */
  get count(): number {
    return this.#count;
  }

  /** Whether a segment went. @param index counted from 0 */
  has(index: number): boolean {
    return (((this.#words[Math.floor(index / BITS)] ?? 0) >>> (index % BITS)) & 1) === 1;
  }

  /** Notes that a segment went; false where it had gone before. */
  add(index: number): boolean {
    if (this.has(index)) return false;
    const word = Math.floor(index / BITS);
    while (this.#words.length < word) this.#words.push(0);
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (index % BITS));
    this.#count++;
    return true;
  }
}
