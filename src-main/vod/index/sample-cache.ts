import { ListCursor, type PackedList } from './listed-samples.ts';
import type { MarkedCursor } from './marked-cursor.ts';

/** Samples of segments, looked up on request and cached. */
export class SampleCache {
  readonly #read: (number: number) => Promise<PackedList>;
  readonly #found = new Map<number, PackedList>();
  readonly #reading = new Map<number, Promise<PackedList>>();

  /** @param read returns the samples of a segment by number, in decoding order */
  constructor(read: (number: number) => Promise<PackedList>) {
    this.#read = read;
  }

  /** Looks up the samples of a segment. Throws read errors. */
  async find(number: number): Promise<PackedList> {
    const cached = this.#found.get(number);
    if (cached) return cached;
    const reading = this.#reading.get(number) ?? this.#read(number);
    this.#reading.set(number, reading);
    try {
      const found = await reading;
      this.#found.set(number, found);
      return found;
    } finally {
      this.#reading.delete(number);
    }
  }

  /** Cursor over the samples of a segment, and their number. Throws if they were not looked up before. */
  samples(number: number): { readonly cursor: MarkedCursor; readonly count: number } {
    const list = this.#found.get(number);
    if (!list) throw new RangeError(`Segment ${number} was not looked up.`);
    return { cursor: new ListCursor(list), count: list.count };
  }
}
