import type { CursorMark } from '../../media/containers/isobmff/sample-cursor.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import type { SegmentRow } from './file-index.ts';
import type { MarkedCursor } from './marked-cursor.ts';
import type { SourceTrack } from './source-track.ts';

/** Samples that a track may have: of 60 pictures a second, a day and a half. */
const MAX_SAMPLES = 1 << 23;
/** Bytes that one sample may have: as large as a picture gets in the other containers. */
const MAX_SAMPLE_BYTES = 16 << 20;
/** How late a sample may be, in seconds. */
const MAX_SECONDS = 7 * 86_400;
/** What one segment may hold: bytes and samples. */
const MAX_SEGMENT_BYTES = 48 << 20;
const MAX_SEGMENT_SAMPLES = 20_000;
/** Samples that are looked at in one step. */
const SAMPLES_PER_STEP = 2048;

/** Sound that is kept before the presentation begins, in seconds: decoders need some frames to begin with. */
const LEAD_IN_SECONDS = 0.25;

/** The way through the samples of a track, from its first one on. It ends where the presentation does, or where a sample is not in the file. Times are in ticks of the file. */
export class TrackWalk {
  readonly source: SourceTrack;
  readonly cursor: MarkedCursor;
  /** Whether there is no sample any more. */
  isOver = false;
  #count = 0;
  readonly #endOffset: number;

  constructor(source: SourceTrack) {
    this.source = source;
    this.cursor = source.cursor();
    // What is unpacked lies somewhere behind its place.
    this.#endOffset = source.unpack ? Infinity : source.file.sizeBytes;
    this.next();
  }

  /** Decoding time of the current sample, never behind its presentation: negative composition offsets of others may have it earlier than the file says. */
  get dtsTicks(): number {
    const { dtsTicks, leastOffsetTicks } = this.cursor;
    return dtsTicks + leastOffsetTicks + this.source.shiftTicks;
  }

  get ptsTicks(): number {
    const { dtsTicks, compositionOffsetTicks } = this.cursor;
    return dtsTicks + compositionOffsetTicks + this.source.shiftTicks;
  }

  /**
   * Goes to where the presentation begins, time 0: to the last picture before it that decoding can start with, and with sound to what is heard with that. Runs in steps.
   *
   * @param fromSeconds where the pictures begin; 0 for pictures
   */
  *begin(fromSeconds = 0): Generator<void, void> {
    const { source, cursor } = this;
    if (source.track.content === 'audio') {
      const from = (fromSeconds - LEAD_IN_SECONDS) * source.timescale;
      while (!this.isOver && this.ptsTicks + cursor.durationTicks < from) if (this.next()) yield;
      return;
    }
    const first = cursor.mark();
    let start = first;
    while (!this.isOver && this.dtsTicks <= 0) {
      if (cursor.isSync && this.ptsTicks <= 0) start = cursor.mark();
      if (this.next()) yield;
    }
    cursor.goTo(start);
    this.isOver = false;
    this.#count = 1;
  }

  /** Goes to the next sample. Returns whether it is time for a pause. */
  next(): boolean {
    const { cursor } = this;
    this.isOver =
      !cursor.next() ||
      this.#count >= MAX_SAMPLES ||
      !this.#isInFile(cursor.offset, cursor.sizeBytes) ||
      // No picture that is shown before the end is decoded behind it.
      this.dtsTicks >= (this.source.endTicks ?? Infinity);
    return ++this.#count % SAMPLES_PER_STEP === 0;
  }

  #isInFile(offset: number, sizeBytes: number): boolean {
    return offset >= 0 && sizeBytes <= MAX_SAMPLE_BYTES && offset + sizeBytes <= this.#endOffset;
  }
}

/** Whether a time is one that a file can have, in ticks of the file. */
function isPossible(ticks: number, timescale: number): boolean {
  return Math.abs(ticks) <= MAX_SECONDS * timescale;
}

/** A segment that samples are added to. Times are in ticks of the file. */
export class OpenRow {
  readonly dtsTicks: number;
  readonly #ptsTicks: number;
  readonly #mark: CursorMark;
  readonly #isSync: boolean;
  #endTicks: number;
  #sampleCount = 0;
  #dataBytes = 0;

  /** It begins with the current sample of a walk. */
  constructor(walk: TrackWalk) {
    this.dtsTicks = this.#endTicks = walk.dtsTicks;
    this.#ptsTicks = walk.ptsTicks;
    this.#mark = walk.cursor.mark();
    this.#isSync = walk.cursor.isSync;
  }

  /** Adds the current sample. */
  add({ dtsTicks, cursor }: TrackWalk): void {
    this.#sampleCount++;
    this.#dataBytes += cursor.sizeBytes;
    this.#endTicks = dtsTicks + cursor.durationTicks;
  }

  /** Whether a sample of this size is too much for it. */
  isFull(sizeBytes: number): boolean {
    return this.#sampleCount >= MAX_SEGMENT_SAMPLES || this.#dataBytes + sizeBytes > MAX_SEGMENT_BYTES;
  }

  get ptsTicks(): number {
    return this.#ptsTicks;
  }

  /** Whether its times are those of a file. */
  isPossible({ timescale }: SourceTrack): boolean {
    return [this.dtsTicks, this.#ptsTicks, this.#endTicks].every((ticks) => isPossible(ticks, timescale));
  }

  get endTicks(): number {
    return this.#endTicks;
  }

  /** The segment as it is served. @param biasTicks what is added to its times, in ticks of the track */
  closed({ timescale, track }: SourceTrack, biasTicks: number): SegmentRow {
    const served = (ticks: number): number => convertTicks(ticks, timescale, track.timescale) + biasTicks;
    return {
      mark: this.#mark,
      sampleCount: this.#sampleCount,
      startTicks: served(this.#ptsTicks),
      durationTicks: Math.max(1, served(this.#endTicks) - served(this.dtsTicks)),
      dataBytes: this.#dataBytes,
      isSync: this.#isSync,
    };
  }
}
