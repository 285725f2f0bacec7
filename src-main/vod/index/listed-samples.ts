import type { CursorMark, SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import type { MarkedCursor } from './source-track.ts';

/** What is kept of a sample. */
type ListedSample = Omit<SampleCursor, 'next' | 'leastOffsetTicks'>;

/** Numbers that each sample takes, beside its place. */
const FIELDS = 4;

/** Samples that stand in no table of their file, in a few bytes each. */
export class ListedSamples {
  count = 0;
  /** Smallest composition offset, 0 where none is negative. */
  leastOffsetTicks = 0;
  #offsets = new Float64Array(64);
  #times = new Float64Array(64);
  /** Size, composition offset, duration, and whether decoding can start there. Size and duration fill all 32 bits without a sign. */
  #fields = new Int32Array(64 * FIELDS);

  /** Bytes that they take in memory. */
  get memoryBytes(): number {
    return this.#offsets.byteLength + this.#times.byteLength + this.#fields.byteLength;
  }

  /** Adds the current sample of a walk. */
  add(sample: ListedSample): void {
    if (this.count === this.#offsets.length) this.#grow();
    const at = this.count++;
    this.#offsets[at] = sample.offset;
    this.#times[at] = sample.dtsTicks;
    const { sizeBytes, compositionOffsetTicks, durationTicks, isSync } = sample;
    this.#fields.set([sizeBytes, compositionOffsetTicks, durationTicks, isSync ? 1 : 0], at * FIELDS);
    this.leastOffsetTicks = Math.min(this.leastOffsetTicks, compositionOffsetTicks);
  }

  /** A walk that begins before the first one. */
  cursor(): MarkedCursor {
    return new ListCursor(this);
  }

  offset(index: number): number {
    return this.#offsets[index] ?? 0;
  }

  dtsTicks(index: number): number {
    return this.#times[index] ?? 0;
  }

  field(index: number, number: number): number {
    return this.#fields[index * FIELDS + number] ?? 0;
  }

  #grow(): void {
    const capacity = this.#offsets.length * 2;
    const [offsets, times] = [this.#offsets, this.#times];
    this.#offsets = new Float64Array(capacity);
    this.#offsets.set(offsets);
    this.#times = new Float64Array(capacity);
    this.#times.set(times);
    const fields = this.#fields;
    this.#fields = new Int32Array(capacity * FIELDS);
    this.#fields.set(fields);
  }
}

/** A walk over listed samples. */
class ListCursor implements MarkedCursor {
  readonly #samples: ListedSamples;
  #index = -1;

  constructor(samples: ListedSamples) {
    this.#samples = samples;
  }

  get offset(): number {
    return this.#samples.offset(this.#index);
  }

  get sizeBytes(): number {
    return this.#samples.field(this.#index, 0) >>> 0;
  }

  get dtsTicks(): number {
    return this.#samples.dtsTicks(this.#index);
  }

  get compositionOffsetTicks(): number {
    return this.#samples.field(this.#index, 1);
  }

  get durationTicks(): number {
    return this.#samples.field(this.#index, 2) >>> 0;
  }

  get isSync(): boolean {
    return this.#samples.field(this.#index, 3) === 1;
  }

  get leastOffsetTicks(): number {
    return this.#samples.leastOffsetTicks;
  }

  next(): boolean {
    if (this.#index + 1 >= this.#samples.count) return false;
    this.#index++;
    return true;
  }

  mark(): CursorMark {
    return [this.#index];
  }

  goTo(mark: CursorMark): void {
    this.#index = mark[0] ?? 0;
  }
}
