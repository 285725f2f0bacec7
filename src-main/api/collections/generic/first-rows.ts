/** Item with its position in the order. */
interface Placed<Row, SortKey> {
  readonly row: Row;
  readonly sortKey: SortKey;
}

/**
 * First `limit` rows of all offered rows, which may come in any order. Collects twice as many and drops the later half, so the
 * cost of most rows is one comparison with `last`.
 */
export class FirstRows<Row, SortKey> {
  readonly #limit: number;
  readonly #compare: (a: SortKey, b: SortKey) => number;
  #rows: Placed<Row, SortKey>[] = [];
  #last: SortKey | undefined;

  constructor(limit: number, compare: (a: SortKey, b: SortKey) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** Position after which no row is among the first; undefined while any may be. Do not offer such rows. */
  get last(): SortKey | undefined {
    return this.#last;
  }

  offer(row: Row, sortKey: SortKey): void {
    this.#rows.push({ row, sortKey });
    if (this.#rows.length < 2 * this.#limit) return;
    this.#rows = this.sorted();
    this.#last = this.#rows.at(-1)?.sortKey;
  }

  sorted(): Placed<Row, SortKey>[] {
    return this.#rows.sort((a, b) => this.#compare(a.sortKey, b.sortKey)).slice(0, this.#limit);
  }
}
