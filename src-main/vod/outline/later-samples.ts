import { ListCursor, type PackedList } from '../index/listed-samples.ts';
import type { MarkedCursor } from '../index/marked-cursor.ts';

/** The samples of the segments of a track, which are looked up when a segment is asked for, and stay. */
export class LaterSamples {
  readonly #look: (number: number) => Promise<PackedList>;
  readonly #found = new Map<number, PackedList>();
  readonly #looking = new Map<number, Promise<PackedList>>();

  /** @param look the samples of a segment by its number, in decoding order */
  constructor(look: (number: number) => Promise<PackedList>) {
    this.#look = look;
  }

  /** Looks up the samples of a segment. Raises what keeps the file from being read. */
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

  /** A walk over the samples of a segment, and how many there are. Raises if they were not looked up. */
  samples(number: number): { readonly cursor: MarkedCursor; readonly count: number } {
    const list = this.#found.get(number);
    if (!list) throw new RangeError(`Segment ${number} was not looked up.`);
    return { cursor: new ListCursor(list), count: list.count };
  }
}
