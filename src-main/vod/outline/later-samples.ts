import { ListedSamples } from '../index/listed-samples.ts';
import type { FoundSample } from './outline.ts';

/** The samples of the segments of a track, which are looked up when a segment is asked for, and stay. */
export class LaterSamples {
  readonly #look: (number: number) => Promise<readonly FoundSample[]>;
  readonly #found = new Map<number, ListedSamples>();
  readonly #looking = new Map<number, Promise<void>>();

  /** @param look the samples of a segment by its number, in decoding order */
  constructor(look: (number: number) => Promise<readonly FoundSample[]>) {
    this.#look = look;
  }

  /** Looks up the samples of a segment. Raises what keeps the file from being read. */
  async find(number: number): Promise<void> {
    if (this.#found.has(number)) return;
    const looking = this.#looking.get(number) ?? this.#lookUp(number);
    this.#looking.set(number, looking);
    try {
      await looking;
    } finally {
      this.#looking.delete(number);
    }
  }

  /** The samples of a segment; undefined before they were looked up. */
  get(number: number): ListedSamples | undefined {
    return this.#found.get(number);
  }

  async #lookUp(number: number): Promise<void> {
    const samples = new ListedSamples();
    for (const { ptsTicks, ...sample } of await this.#look(number))
      samples.add({ ...sample, compositionOffsetTicks: ptsTicks - sample.dtsTicks });
    samples.pack();
    this.#found.set(number, samples);
  }
}
