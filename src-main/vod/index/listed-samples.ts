import type { CursorMark, SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import type { MarkedCursor } from './marked-cursor.ts';

type ListedSample = Omit<SampleCursor, 'next' | 'minOffsetTicks'> & {
  /** Size of the sample in the file; default: `sizeBytes`. */
  readonly storedBytes?: number;
};

/**
 * Flags in the first byte of a sample: one bit for a sync sample, and one for each field that cannot be predicted from the
 * previous sample.
 */
const IS_SYNC = 1;
const HAS_GAP = 2;
const HAS_PAUSE = 4;
const HAS_DURATION = 8;
const HAS_COMPOSITION = 16;
const HAS_STORED_SIZE = 32;

/** Maximum encoded size of a sample: flags and six numbers of up to 8 bytes. */
const MAX_BYTES = 1 + 6 * 8;
const FIRST_BYTES = 1024;
/** NaN and larger numbers are replaced by this number; no file has such offsets or times. */
const MAX_NUMBER = 2 ** 52;

/** Serialized form of a sample list, in memory and on disk. */
export interface PackedList {
  readonly count: number;
  readonly minOffsetTicks: number;
  readonly bytes: Uint8Array;
}

/**
 * Compact list of samples that no table of the file describes, about 5 bytes each: the size, and other fields only if samples
 * are not adjacent, not consecutive or differ in duration. Can be read in order from any marked position.
 */
export class ListedSamples {
  count = 0;
  /** Smallest composition offset; 0 if none is negative. */
  minOffsetTicks = 0;
  #bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #endOffset = 0;
  #endTicks = 0;
  #durationTicks = 0;
  #compositionOffsetTicks = 0;

  /** Returns the serialized list. Nothing may be added afterwards. */
  pack(): PackedList {
    if (this.#length < this.#bytes.length) this.#bytes = this.#bytes.slice(0, this.#length);
    return { count: this.count, minOffsetTicks: this.minOffsetTicks, bytes: this.#bytes };
  }

  /** Appends the current sample of a cursor. */
  add(sample: ListedSample): void {
    if (this.#length + MAX_BYTES > this.#bytes.length) this.#grow();
    const offset = possible(sample.offset);
    const sizeBytes = possible(sample.sizeBytes);
    const storedBytes = possible(sample.storedBytes ?? sizeBytes);
    const dtsTicks = possible(sample.dtsTicks);
    const durationTicks = Math.abs(possible(sample.durationTicks));
    const compositionOffsetTicks = possible(sample.compositionOffsetTicks);
    let flags = sample.isSync ? IS_SYNC : 0;
    const flagsAt = this.#length++;
    this.#write(Math.abs(sizeBytes));
    if (offset !== this.#endOffset) {
      flags |= HAS_GAP;
      this.#writeSigned(offset - this.#endOffset);
    }
    if (dtsTicks !== this.#endTicks) {
      flags |= HAS_PAUSE;
      this.#writeSigned(dtsTicks - this.#endTicks);
    }
    if (durationTicks !== this.#durationTicks) {
      flags |= HAS_DURATION;
      this.#write(durationTicks);
    }
    if (compositionOffsetTicks !== this.#compositionOffsetTicks) {
      flags |= HAS_COMPOSITION;
      this.#writeSigned(compositionOffsetTicks);
    }
    if (storedBytes !== sizeBytes) {
      flags |= HAS_STORED_SIZE;
      this.#writeSigned(storedBytes - sizeBytes);
    }
    this.#bytes[flagsAt] = flags;
    this.#endOffset = offset + storedBytes;
    this.#endTicks = dtsTicks + durationTicks;
    this.#durationTicks = durationTicks;
    this.#compositionOffsetTicks = compositionOffsetTicks;
    this.count++;
    this.minOffsetTicks = Math.min(this.minOffsetTicks, compositionOffsetTicks);
  }

  /** Cursor before the first sample. Nothing may be added afterwards. */
  cursor(): ListCursor {
    return new ListCursor(this.pack());
  }

  /** Variable-length number: seven bits per byte, lowest first; the top bit says that more bytes follow. */
  #write(value: number): void {
    let left = value;
    while (left >= 0x80) {
      this.#bytes[this.#length++] = (left % 0x80) + 0x80;
      left = Math.floor(left / 0x80);
    }
    this.#bytes[this.#length++] = left;
  }

  #writeSigned(value: number): void {
    this.#write(value < 0 ? -value * 2 - 1 : value * 2);
  }

  #grow(): void {
    const bytes = new Uint8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}

function possible(value: number): number {
  return Math.abs(value) < MAX_NUMBER ? Math.round(value) : MAX_NUMBER / 4;
}

/** Cursor over listed samples. */
export class ListCursor implements MarkedCursor {
  offset = 0;
  sizeBytes = 0;
  storedBytes = 0;
  dtsTicks = 0;
  compositionOffsetTicks = 0;
  durationTicks = 0;
  isSync = false;
  readonly minOffsetTicks: number;
  readonly #bytes: Uint8Array;
  readonly #count: number;
  #index = -1;
  #at = 0;

  constructor({ bytes, count, minOffsetTicks }: PackedList) {
    this.#bytes = bytes;
    this.#count = count;
    this.minOffsetTicks = minOffsetTicks;
  }

  next(): boolean {
    if (this.#index + 1 >= this.#count || this.#at >= this.#bytes.length) return false;
    this.#index++;
    const flags = this.#bytes[this.#at++] ?? 0;
    const endOffset = this.offset + this.storedBytes;
    const endTicks = this.dtsTicks + this.durationTicks;
    this.sizeBytes = this.#read();
    this.offset = (flags & HAS_GAP) === 0 ? endOffset : endOffset + this.#readSigned();
    this.dtsTicks = (flags & HAS_PAUSE) === 0 ? endTicks : endTicks + this.#readSigned();
    if ((flags & HAS_DURATION) !== 0) this.durationTicks = this.#read();
    if ((flags & HAS_COMPOSITION) !== 0) this.compositionOffsetTicks = this.#readSigned();
    this.storedBytes = (flags & HAS_STORED_SIZE) === 0 ? this.sizeBytes : this.sizeBytes + this.#readSigned();
    this.isSync = (flags & IS_SYNC) !== 0;
    return true;
  }

  mark(): CursorMark {
    const { offset, sizeBytes, storedBytes, dtsTicks, compositionOffsetTicks, durationTicks } = this;
    const times = [dtsTicks, compositionOffsetTicks, durationTicks];
    return [this.#index, this.#at, offset, sizeBytes, storedBytes, ...times, this.isSync ? 1 : 0];
  }

  goTo(mark: CursorMark): void {
    const at = (index: number): number => mark[index] ?? 0;
    this.#index = at(0);
    this.#at = at(1);
    this.offset = at(2);
    this.sizeBytes = at(3);
    this.storedBytes = at(4);
    this.dtsTicks = at(5);
    this.compositionOffsetTicks = at(6);
    this.durationTicks = at(7);
    this.isSync = at(8) === 1;
  }

  #read(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at++] ?? 0;
      if (byte < 0x80) return value + byte * scale;
      value += (byte - 0x80) * scale;
    }
  }

  #readSigned(): number {
    const value = this.#read();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
