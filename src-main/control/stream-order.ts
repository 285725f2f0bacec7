/**
 * The places of streams in lists. They are those in the file, but a stream that is removed moves no other: whoever goes through all streams in portions
 * would miss some otherwise. New streams at the end of the file follow; any other order of the file begins the places anew.
 */
export class StreamOrder {
  #places: ReadonlyMap<string, number> = new Map();
  #known: ReadonlyMap<string, unknown> | undefined;
  #next = 0;

  /** The places of these streams. @param streams in the order of the file */
  of(streams: ReadonlyMap<string, unknown>): ReadonlyMap<string, number> {
    if (this.#known === streams) return this.#places;
    this.#known = streams;
    this.#places = this.#follow(streams) ?? new Map([...streams.keys()].map((name, index) => [name, index]));
    this.#next = Math.max(this.#next, this.#places.size);
    return this.#places;
  }

  /** The places as they go on; undefined where the order is another one. */
  #follow(streams: ReadonlyMap<string, unknown>): ReadonlyMap<string, number> | undefined {
    const places = new Map<string, number>();
    let next = this.#next;
    let last = -1;
    for (const name of streams.keys()) {
      const place = this.#places.get(name) ?? next++;
      if (place < last) return undefined;
      last = place;
      places.set(name, place);
    }
    this.#next = next;
    return places;
  }
}
