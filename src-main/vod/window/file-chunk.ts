import { newestOf } from '../../lib/limits/newest.ts';
import { chunkHeaderBytes } from '../../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../../media/containers/isobmff/chunk.ts';
import type { CursorMark } from '../../media/containers/isobmff/sample-cursor.ts';
import { createSampleTable } from '../../media/containers/isobmff/sample-table.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import type { MediaBytes, Piece } from '../../segment/media-bytes.ts';
import type { IndexedTrack, SegmentRow } from '../index/file-index.ts';
import type { MarkedCursor } from '../index/marked-cursor.ts';
import type { PackedSamples } from '../index/source-track.ts';
import { SampleRuns, type Run } from './sample-runs.ts';

/**
 * Maximum number of cached chunks per track. Viewers of a cached chunk share one object, and so the bytes that were read from
 * the file.
 */
const MAX_CACHED = 64;

/**
 * Builds the CMAF chunks of the segments of a track: a generated header, and the samples as stored in the file. Reads no media.
 */
export class FileChunks {
  readonly #indexed: IndexedTrack;
  /** Chunks by segment number, the least recently used first. */
  readonly #cache = new Map<number, MediaBytes>();
  #cursor: MarkedCursor | undefined;

  constructor(indexed: IndexedTrack) {
    this.#indexed = indexed;
  }

  /** Function that must finish before the chunk of a segment can be requested; undefined if its samples are known. */
  ready(number: number): (() => Promise<void>) | undefined {
    const { sampleCache } = this.#indexed;
    return (
      sampleCache &&
      (async () => {
        await sampleCache.find(number);
      })
    );
  }

  /** Chunk of a segment. */
  get(number: number): MediaBytes {
    return newestOf(this.#cache, number, MAX_CACHED, () => this.#make(number));
  }

  #make(number: number): MediaBytes {
    const row = this.#indexed.rows[number];
    if (!row?.mark) return { sizeBytes: 0, pieces: [] };
    const { samples, runs, first, baseDecodeTicks } = this.#samplesOf(number, row, row.mark);
    const { track, file, unpack } = this.#indexed.source;
    const headerBytes = chunkHeaderBytes(samples.count, { content: track.content, hasWall: false });
    const bytes = new Uint8Array(headerBytes);
    const chunk = {
      trackNumber: trackNumber(track.id),
      sequenceNumber: number + 1,
      baseDecodeTicks,
      samples,
      content: track.content,
    };
    const header = bytes.subarray(writeChunkHeader(bytes, headerBytes, chunk));
    const sizes = samples.sizes.subarray(0, samples.count);
    const data = unpack ? unpack({ mark: row.mark, sizes, ...first }) : new SampleRuns(file, runs);
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
    const pieces: Piece[] = [{ bytes: header }];
    if (sizeBytes > 0) pieces.push({ file: data, offset: 0, sizeBytes });
    return { sizeBytes: header.length + sizeBytes, pieces };
  }

  /** Cursor at the first sample of a segment, and the number of its samples. */
  #firstOf(number: number, { sampleCount }: SegmentRow, mark: CursorMark): { cursor: MarkedCursor; count: number } {
    const { sampleCache, source } = this.#indexed;
    if (!sampleCache) {
      const cursor = (this.#cursor ??= source.cursor());
      cursor.goTo(mark);
      return { cursor, count: sampleCount };
    }
    const found = sampleCache.samples(number);
    found.cursor.next();
    return found;
  }

  #samplesOf(
    number: number,
    row: SegmentRow,
    mark: CursorMark,
  ): {
    samples: ReturnType<typeof createSampleTable>;
    runs: readonly Run[];
    first: Pick<PackedSamples, 'offset' | 'dtsTicks'>;
    baseDecodeTicks: number;
  } {
    const { source, biasTicks } = this.#indexed;
    const { shiftTicks, timescale, track } = source;
    const outputTicks = (ticks: number): number =>
      convertTicks(ticks + shiftTicks, timescale, track.timescale) + biasTicks;
    const { cursor, count } = this.#firstOf(number, row, mark);
    const samples = createSampleTable(count);
    const runs: { offset: number; sizeBytes: number }[] = [];
    const first = { offset: cursor.offset, dtsTicks: cursor.dtsTicks };
    const minOffset = cursor.minOffsetTicks;
    const baseDecodeTicks = outputTicks(cursor.dtsTicks + minOffset);
    let decodeTicks = baseDecodeTicks;
    for (let index = 0; index < count; index++) {
      if (index > 0 && !cursor.next()) break;
      const { offset, sizeBytes, dtsTicks, compositionOffsetTicks, durationTicks } = cursor;
      const nextTicks = outputTicks(dtsTicks + durationTicks + minOffset);
      samples.sizes[index] = sizeBytes;
      samples.durations[index] = Math.max(0, nextTicks - decodeTicks);
      samples.compositionOffsets[index] = outputTicks(dtsTicks + compositionOffsetTicks) - decodeTicks;
      samples.isSync[index] = cursor.isSync ? 1 : 0;
      samples.count = index + 1;
      decodeTicks = nextTicks;
      const last = runs.at(-1);
      if (last && last.offset + last.sizeBytes === offset) last.sizeBytes += sizeBytes;
      else if (sizeBytes > 0) runs.push({ offset, sizeBytes });
    }
    return { samples, runs, first, baseDecodeTicks };
  }
}
