import { ticksToMs } from '../../media/timing/ticks.ts';
import type { Piece } from '../../segment/media-bytes.ts';
import type { Part, Segment, WindowSegment } from '../../segment/segment-window.ts';
import type { IndexedTrack, SegmentRow } from '../index/file-index.ts';
import { FileFormats } from './file-formats.ts';
import type { FileChunks } from './file-chunk.ts';

/** Single part of a file segment. Its bytes are located on request. */
class FilePart implements Part {
  readonly index = 0;
  readonly arrivedMs = 0;
  readonly ready?: () => Promise<void>;
  readonly #number: number;
  readonly #row: SegmentRow;
  readonly #chunks: FileChunks;

  constructor(number: number, row: SegmentRow, chunks: FileChunks) {
    this.#number = number;
    this.#row = row;
    this.#chunks = chunks;
    const ready = chunks.ready(number);
    if (ready) this.ready = ready;
  }

  get startTicks(): number {
    return this.#row.startTicks;
  }

  get durationTicks(): number {
    return this.#row.durationTicks;
  }

  get isIndependent(): boolean {
    return this.#row.isSync;
  }

  get sizeBytes(): number {
    return this.#chunks.get(this.#number).sizeBytes;
  }

  get pieces(): readonly Piece[] {
    return this.#chunks.get(this.#number).pieces;
  }
}

class FileSegment implements Segment {
  readonly isComplete = true;
  readonly initId: number;
  readonly trackId: string;
  readonly startMs: number;
  readonly parts: readonly Part[];
  readonly #row: SegmentRow;

  constructor(
    { number, initId }: { readonly number: number; readonly initId: number },
    row: SegmentRow,
    { source }: IndexedTrack,
    chunks: FileChunks,
  ) {
    this.initId = initId;
    this.trackId = source.track.id;
    this.#row = row;
    this.startMs = ticksToMs(row.startTicks, source.track.timescale);
    this.parts = row.mark ? [new FilePart(number, row, chunks)] : [];
  }

  get startTicks(): number {
    return this.#row.startTicks;
  }

  get durationTicks(): number {
    return this.#row.durationTicks;
  }

  get sizeBytes(): number {
    return this.parts[0]?.sizeBytes ?? 0;
  }

  get isGap(): boolean {
    return this.#row.mark === undefined;
  }
}

/** Segments of one track in the window of a file, by number. */
export class FileSegments {
  readonly indexed: IndexedTrack;
  readonly formats: FileFormats;
  readonly #chunks: FileChunks;
  readonly #biasMs: number;
  readonly #addressPrefix: string;
  #breaks: readonly number[] = [];
  #segments: readonly WindowSegment[] | undefined;

  constructor(indexed: IndexedTrack, chunks: FileChunks, biasMs: number, addressPrefix: string) {
    this.indexed = indexed;
    this.formats = new FileFormats(indexed);
    this.#chunks = chunks;
    this.#biasMs = biasMs;
    this.#addressPrefix = addressPrefix;
  }

  /** Sets the numbers of the segments, in order, before which the media of all tracks is interrupted. */
  setBreaks(numbers: readonly number[]): void {
    this.#breaks = numbers;
  }

  /** All segments; created on first use. */
  get all(): readonly WindowSegment[] {
    let breaks = 0;
    return (this.#segments ??= this.indexed.rows.map((row, number) => {
      const initId = this.formats.initIdAt(number);
      const segment = new FileSegment({ number, initId }, row, this.indexed, this.#chunks);
      const discontinuitySequence = breaks;
      const isDiscontinuity = this.#breaks[breaks] === number;
      if (isDiscontinuity) breaks++;
      return {
        segment,
        msn: number,
        // Audio may start slightly before the video.
        startMs: segment.startMs - this.#biasMs,
        isDiscontinuity,
        discontinuitySequence,
        address: `${this.#addressPrefix}${segment.startMs}`,
      };
    }));
  }
}
