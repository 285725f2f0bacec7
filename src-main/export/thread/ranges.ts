import { MAX_REFERENCES } from '../../media/containers/isobmff/segment-index.ts';

/** Start and duration of parts of a file, in bounded memory: if there are too many, neighbours are merged. */
export class Ranges {
  readonly #max: number;
  #startMs: number[] = [];
  #sizeBytes: number[] = [];
  /** Rows per range. */
  #step = 1;
  #rows = 0;

  /** @param max maximum number of ranges; default: the maximum of an index */
  constructor(max = MAX_REFERENCES) {
    this.#max = max;
  }

  get list(): readonly { readonly startMs: number; readonly sizeBytes: number }[] {
    return this.#startMs.map((startMs, index) => ({ startMs, sizeBytes: this.#sizeBytes[index] ?? 0 }));
  }

  add(startMs: number, sizeBytes: number): void {
    if (this.#rows % this.#step > 0) {
      const last = this.#sizeBytes.length - 1;
      this.#sizeBytes[last] = (this.#sizeBytes[last] ?? 0) + sizeBytes;
    } else {
      if (this.#startMs.length === this.#max) this.#join();
      if (this.#rows % this.#step > 0) {
        this.add(startMs, sizeBytes);
        return;
      }
      this.#startMs.push(startMs);
      this.#sizeBytes.push(sizeBytes);
    }
    this.#rows++;
  }

  #join(): void {
    const sizes = this.#sizeBytes;
    this.#startMs = this.#startMs.filter((_, index) => index % 2 === 0);
    this.#sizeBytes = this.#startMs.map((_, index) => (sizes[index * 2] ?? 0) + (sizes[index * 2 + 1] ?? 0));
    this.#step *= 2;
  }
}
