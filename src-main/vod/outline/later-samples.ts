import { ListCursor, type PackedList } from '../index/listed-samples.ts';
import type { MarkedCursor } from '../index/marked-cursor.ts';

/** Samples of segments, looked up on request and cached. */
export class LaterSamples {
  readonly #look: (number: number) => Promise<PackedList>;
  readonly #found = new Map<number, PackedList>();
  readonly #looking = new Map<number, Promise<PackedList>>();

  /** @param look returns the samples of a segment by number, in decoding order */
  constructor(look: (number: number) => Promise<PackedList>) {
    this.#look = look;
  }

  /** Looks up the samples of a segment. Throws read errors. */
  async find(number: number): Promise<PackedList> {
    const known = this.#found.get(number);
    if (known) return known;
    const looking = this.#looking.get(number) ?? this.#look(number);
    this.#looking.set(number, looking);
    try {
      const found = await looking;
      this.#found.set(number, found);
      return found;
    } finally {
      this.#looking.delete(number);
    }
  }

  /** Cursor over the samples of a segment, and their number. Throws if they were not looked up before. */
  samples(number: number): { readonly cursor: MarkedCursor; readonly count: number } {
    const list = this.#found.get(number);
    if (!list) throw new RangeError(`Segment ${number} was not looked up.`);
    return { cursor: new ListCursor(list), count: list.count };
  }
}
