import type { CursorMark } from '../../media/containers/isobmff/sample-cursor.ts';
import type { AudioCodec } from '../../media/track.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import type { SegmentRow } from './file-index.ts';
import type { MarkedCursor } from './marked-cursor.ts';
import type { SourceTrack } from './source-track.ts';

/** Maximum number of samples of a track: a day and a half at 60 frames per second. */
const MAX_SAMPLES = 1 << 23;
/** Maximum size of a sample, the same as in other containers. */
const MAX_SAMPLE_BYTES = 16 << 20;
/** Maximum time of a sample, in seconds; a larger time is an error in the file. */
const MAX_SECONDS = 7 * 86_400;
/** Maximum number of bytes, and of samples, in one segment. */
const MAX_SEGMENT_BYTES = 48 << 20;
const MAX_SEGMENT_SAMPLES = 20_000;
/** Samples processed in one step. */
const SAMPLES_PER_STEP = 2048;

/**
 * Number of audio frames before the start of the presentation, which decoders need: frames overlap, MP3 frames also share
 * bytes, and Opus needs 80 ms (RFC 7845, 4.6). Viewers hear these frames, so their number is as small as possible.
 */
const LEAD_IN_FRAMES: Readonly<Record<AudioCodec, number>> = { aac: 2, mp2: 1, mp3: 6, ac3: 1, eac3: 1, opus: 4 };

/**
 * Walk through the samples of a track. Ends with the presentation, or at a sample outside the file. Times are in ticks of the
 * file.
 */
export class TrackWalk {
  readonly source: SourceTrack;
  readonly cursor: MarkedCursor;
  /** Whether no sample is left. */
  isOver = false;
  /** Number of the format of the current sample in its track; the first one is 0. */
  format = 0;
  #count = 0;
  /** Number of the current sample in its track. */
  #sample = -1;
  readonly #endOffset: number;

  constructor(source: SourceTrack) {
    this.source = source;
    this.cursor = source.cursor();
    // Unpacked samples may be anywhere after their offset.
    this.#endOffset = source.unpack ? Infinity : source.file.sizeBytes;
    this.next();
  }

  /**
   * Decoding time of the current sample, never later than its presentation: negative composition offsets in the track move
   * decoding times back.
   */
  get dtsTicks(): number {
    const { dtsTicks, minOffsetTicks } = this.cursor;
    return dtsTicks + minOffsetTicks + this.source.shiftTicks;
  }

  get ptsTicks(): number {
    const { dtsTicks, compositionOffsetTicks } = this.cursor;
    return dtsTicks + compositionOffsetTicks + this.source.shiftTicks;
  }

  /**
   * Moves to the start of the presentation (time 0). Video starts with the last random access point at or before it, audio
   * with the frames that its decoder needs first. Runs in steps.
   *
   * @param fromSeconds start of the video; 0 for video itself
   */
  *start(fromSeconds = 0): Generator<void, void> {
    const { source, cursor } = this;
    if (source.track.content === 'audio') {
      const { codec, samplesPerFrame, sampleRate } = source.track;
      const leadInSeconds = (LEAD_IN_FRAMES[codec] * samplesPerFrame) / sampleRate;
      const from = (fromSeconds - leadInSeconds) * source.timescale;
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
    this.#sample = start[0] ?? 0;
    this.format = 0;
    this.#followFormat();
    this.isOver = false;
    this.#count = 1;
  }

  /** Moves to the next sample. Returns true if the caller should yield. */
  next(): boolean {
    const { cursor } = this;
    this.isOver =
      !cursor.next() ||
      this.#count >= MAX_SAMPLES ||
      !this.#isInFile(cursor.offset, cursor.sizeBytes) ||
      // A picture is never decoded after it is shown, so all later pictures are shown after the end.
      this.dtsTicks >= (this.source.endTicks ?? Infinity);
    this.#sample++;
    this.#followFormat();
    return ++this.#count % SAMPLES_PER_STEP === 0;
  }

  #followFormat(): void {
    const { formats } = this.source;
    while (formats && (formats[this.format]?.first ?? Infinity) <= this.#sample) this.format++;
  }

  #isInFile(offset: number, sizeBytes: number): boolean {
    return offset >= 0 && sizeBytes <= MAX_SAMPLE_BYTES && offset + sizeBytes <= this.#endOffset;
  }
}

/** Whether a time is plausible for a file, in ticks of the file. */
function isPlausibleTime(ticks: number, timescale: number): boolean {
  return Math.abs(ticks) <= MAX_SECONDS * timescale;
}

/** Segment that samples are added to. Times are in ticks of the file. */
export class OpenRow {
  readonly dtsTicks: number;
  readonly #ptsTicks: number;
  readonly #mark: CursorMark;
  readonly #isSync: boolean;
  /** Format of its samples, as in `TrackWalk`. */
  readonly format: number;
  #endTicks: number;
  #sampleCount = 0;
  #dataBytes = 0;

  /** Starts with the current sample of a walk. */
  constructor(walk: TrackWalk) {
    this.dtsTicks = this.#endTicks = walk.dtsTicks;
    this.#ptsTicks = walk.ptsTicks;
    this.#mark = walk.cursor.mark();
    this.#isSync = walk.cursor.isSync;
    this.format = walk.format;
  }

  /** Adds the current sample. */
  add({ dtsTicks, cursor }: TrackWalk): void {
    this.#sampleCount++;
    this.#dataBytes += cursor.sizeBytes;
    this.#endTicks = dtsTicks + cursor.durationTicks;
  }

  /** Whether a sample of this size exceeds the limits of the segment. */
  isFull(sizeBytes: number): boolean {
    return this.#sampleCount >= MAX_SEGMENT_SAMPLES || this.#dataBytes + sizeBytes > MAX_SEGMENT_BYTES;
  }

  get ptsTicks(): number {
    return this.#ptsTicks;
  }

  /** Whether the times of the segment are plausible. */
  isPlausible({ timescale }: SourceTrack): boolean {
    return [this.dtsTicks, this.#ptsTicks, this.#endTicks].every((ticks) => isPlausibleTime(ticks, timescale));
  }

  get endTicks(): number {
    return this.#endTicks;
  }

  /** Returns the segment on the output timeline. @param biasTicks offset added to its times, in ticks of the track */
  closed({ timescale, track }: SourceTrack, biasTicks: number): SegmentRow {
    const outputTicks = (ticks: number): number => convertTicks(ticks, timescale, track.timescale) + biasTicks;
    return {
      mark: this.#mark,
      sampleCount: this.#sampleCount,
      startTicks: outputTicks(this.#ptsTicks),
      durationTicks: Math.max(1, outputTicks(this.#endTicks) - outputTicks(this.dtsTicks)),
      dataBytes: this.#dataBytes,
      isSync: this.#isSync,
    };
  }
}
