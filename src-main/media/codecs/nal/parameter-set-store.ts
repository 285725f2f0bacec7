/** Parameter set as received, and its parsed fields. */
export interface StoredParameterSet<T> {
  /** A copy of the NAL unit. */
  readonly unit: Uint8Array;
  readonly value: T;
}

interface Entry<T> extends StoredParameterSet<T> {
  /** Number of the last access unit that carried it. */
  seenIn: number;
}

const compare = Buffer.compare;

/**
 * Parameter sets of one kind by id, only the newest copy of each. The memory is bounded, because the number of ids and the
 * length of a unit are limited.
 */
export class ParameterSetStore<T extends { readonly id: number }> {
  readonly #read: (unit: Uint8Array) => T | undefined;
  readonly #maxCount: number;
  readonly #maxBytes: number;
  readonly #entries = new Map<number, Entry<T>>();

  constructor(
    read: (unit: Uint8Array) => T | undefined,
    limits: { readonly maxCount: number; readonly maxBytes: number },
  ) {
    this.#read = read;
    this.#maxCount = limits.maxCount;
    this.#maxBytes = limits.maxBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Adds the unit from `start` to `end` of access unit number `seenIn`. */
  learn(bytes: Uint8Array, start: number, end: number, seenIn: number): 'known' | 'new' | 'bad' {
    if (end - start > this.#maxBytes) return 'bad';
    const view = bytes.subarray(start, end);
    // Encoders repeat their sets before every random access point: comparing is cheaper than parsing them again.
    for (const entry of this.#entries.values()) {
      if (entry.unit.length === view.length && compare(entry.unit, view) === 0) {
        entry.seenIn = seenIn;
        return 'known';
      }
    }
    // Not `slice`: on a Buffer it returns a view, and the bytes are borrowed.
    const unit = new Uint8Array(view);
    const value = this.#read(unit);
    if (!value) return 'bad';
    if (this.#entries.size >= this.#maxCount && !this.#entries.has(value.id)) return 'bad';
    this.#entries.set(value.id, { unit, value, seenIn });
    return 'new';
  }

  get(id: number): StoredParameterSet<T> | undefined {
    return this.#entries.get(id);
  }

  first(): StoredParameterSet<T> | undefined {
    return this.#entries.values().next().value;
  }

  /** All parsed sets. */
  values(): T[] {
    return [...this.#entries.values()].map(({ value }) => value);
  }

  /** Whether access unit number `seenIn` carried a set. */
  wasSeenIn(seenIn: number): boolean {
    for (const entry of this.#entries.values()) if (entry.seenIn === seenIn) return true;
    return false;
  }

  /** Drops the sets that access unit number `seenIn` did not carry. */
  retainSeenIn(seenIn: number): void {
    for (const [id, entry] of this.#entries) if (entry.seenIn !== seenIn) this.#entries.delete(id);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Units ordered by id; with `seenIn`, only those that this access unit carried. */
  units(seenIn?: number): Uint8Array[] {
    const entries = [...this.#entries].filter(([, entry]) => seenIn === undefined || entry.seenIn === seenIn);
    return entries.sort((a, b) => a[0] - b[0]).map(([, entry]) => entry.unit);
  }
}
