/** Item with its position in the order. */
interface Placed<Row, SortKey> {
  readonly row: Row;
  readonly sortKey: SortKey;
}

/**
 * First `limit` rows of all offered rows, which may come in any order. A heap with the last of them on top: most rows
 * cost one comparison.
 */
export class FirstRows<Row, SortKey> {
  readonly #limit: number;
  readonly #compare: (a: SortKey, b: SortKey) => number;
  readonly #heap: Placed<Row, SortKey>[] = [];

  constructor(limit: number, compare: (a: SortKey, b: SortKey) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** Position of the last row once the limit is reached. Rows after it are not among the first. */
  get last(): SortKey | undefined {
    return this.#heap.length < this.#limit ? undefined : this.#heap[0]?.sortKey;
  }

  /** @param sortKey copied by `keep` if the row is among the first, so the caller may reuse it */
  offer(row: Row, sortKey: SortKey, keep: (sortKey: SortKey) => SortKey): void {
    const heap = this.#heap;
    const top = heap[0];
    if (heap.length < this.#limit) {
      heap.push({ row, sortKey: keep(sortKey) });
      this.#rise(heap.length - 1);
    } else if (top && this.#compare(sortKey, top.sortKey) < 0) {
      heap[0] = { row, sortKey: keep(sortKey) };
      this.#sink();
    }
  }

  sorted(): readonly Placed<Row, SortKey>[] {
    return [...this.#heap].sort((a, b) => this.#compare(a.sortKey, b.sortKey));
  }

  #rise(from: number): void {
    for (let index = from; index > 0;) {
      const parent = (index - 1) >> 1;
      if (!this.#isAfter(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    const { length } = heap;
    for (let index = 0; ;) {
      let last = index;
      if (2 * index + 1 < length && this.#isAfter(2 * index + 1, last)) last = 2 * index + 1;
      if (2 * index + 2 < length && this.#isAfter(2 * index + 2, last)) last = 2 * index + 2;
      if (last === index) return;
      this.#swap(index, last);
      index = last;
    }
  }

  #isAfter(a: number, b: number): boolean {
    const first = this.#heap[a];
    const second = this.#heap[b];
    return first !== undefined && second !== undefined && this.#compare(first.sortKey, second.sortKey) > 0;
  }

  #swap(a: number, b: number): void {
    const first = this.#heap[a];
    const second = this.#heap[b];
    if (!first || !second) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}
