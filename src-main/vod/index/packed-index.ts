import type { LeftOutTrack } from '../../media/access-unit.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import { SampleCache } from './sample-cache.ts';
import type { FileIndex, IndexedTrack, SegmentRow } from './file-index.ts';
import type { PackedList } from './listed-samples.ts';
import { factsOf, sourceOfFacts } from './source-of-facts.ts';
import type { SourceFile } from './source-track.ts';
import type { TrackFacts } from './track-facts.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';

/** Index as plain data for transfer between threads. Large parts are transferred, not copied. */
export interface PackedIndex {
  readonly biasMs: number;
  readonly memoryBytes: number;
  readonly leftOut?: readonly LeftOutTrack[];
  readonly tracks: readonly PackedTrack[];
}

interface PackedTrack {
  /** Position of its file in the list of indexed files. */
  readonly file: number;
  readonly facts: TrackFacts;
  /** Segments, `rowLength` numbers each. */
  readonly rows: Float64Array<ArrayBuffer>;
  readonly rowLength: number;
  /** Whether the samples of segments are looked up on request. */
  readonly hasSampleCache: boolean;
}

export interface UnpackOptions {
  readonly files: readonly SourceFile[];
  readonly unpacked: UnpackedSegments;
  /** Looks up the samples of a segment. @param track position in the index */
  readonly samplesOf: (track: number, segment: number) => Promise<PackedList>;
}

/** Numbers of a row before its mark. */
const FIXED_NUMBERS = 6;
/** Rows unpacked in one step. */
const ROWS_PER_STEP = 500;
/** Smaller buffers are copied: Node allocates them from shared pools. */
const MIN_TRANSFERRED_BYTES = 256 * 1024;

export function packIndex({ tracks, ...facts }: FileIndex, files: readonly SourceFile[]): PackedIndex {
  return {
    ...facts,
    tracks: tracks.map(({ source, rows, sampleCache }) => ({
      file: files.indexOf(source.file),
      facts: factsOf(source),
      hasSampleCache: sampleCache !== undefined,
      ...packRows(rows),
    })),
  };
}

/** Buffers of an index to transfer. */
export function transferOf({ tracks }: PackedIndex): ArrayBuffer[] {
  const memory = new Set<ArrayBufferLike>();
  for (const { rows, facts } of tracks) {
    const { samples, track } = facts;
    memory.add(rows.buffer).add(('moov' in samples ? samples.moov : samples.bytes).buffer);
    if (track.decoderConfig) memory.add(track.decoderConfig.buffer);
  }
  return [...memory].filter(
    (one): one is ArrayBuffer => one instanceof ArrayBuffer && one.byteLength >= MIN_TRANSFERRED_BYTES,
  );
}

/** Connects an index with its files. Runs in steps. */
export function* unpackIndex(
  { tracks: packed, ...shared }: PackedIndex,
  { files, unpacked, samplesOf }: UnpackOptions,
): Generator<void, FileIndex> {
  const tracks: IndexedTrack[] = [];
  for (const [position, { file: number, facts, hasSampleCache, ...rest }] of packed.entries()) {
    const file = files[number];
    if (!file) continue;
    const rows = yield* unpackRows(rest);
    tracks.push({
      source: sourceOfFacts(facts, file, unpacked),
      rows,
      biasTicks: convertTicks(shared.biasMs, 1000, facts.track.timescale),
      ...(hasSampleCache ? { sampleCache: new SampleCache(async (segment) => samplesOf(position, segment)) } : {}),
    });
  }
  return { ...shared, tracks };
}

function packRows(rows: readonly SegmentRow[]): Pick<PackedTrack, 'rows' | 'rowLength'> {
  const rowLength = FIXED_NUMBERS + rows.reduce((longest, { mark }) => Math.max(longest, mark?.length ?? 0), 0);
  const packed = new Float64Array(rows.length * rowLength);
  for (const [index, { mark, sampleCount, startTicks, durationTicks, dataBytes, isSync }] of rows.entries())
    packed.set(
      [mark?.length ?? 0, sampleCount, startTicks, durationTicks, dataBytes, isSync ? 1 : 0, ...(mark ?? [])],
      index * rowLength,
    );
  return { rows: packed, rowLength };
}

function* unpackRows({ rows, rowLength }: Pick<PackedTrack, 'rows' | 'rowLength'>): Generator<void, SegmentRow[]> {
  const unpacked: SegmentRow[] = [];
  for (let at = 0; at + FIXED_NUMBERS <= rows.length; at += rowLength) {
    const [length = 0, sampleCount = 0, startTicks = 0, durationTicks = 0, dataBytes = 0, sync = 0] = rows.subarray(at);
    const mark = length === 0 ? undefined : Array.from(rows.subarray(at + FIXED_NUMBERS, at + FIXED_NUMBERS + length));
    unpacked.push({ mark, sampleCount, startTicks, durationTicks, dataBytes, isSync: sync === 1 });
    if (unpacked.length % ROWS_PER_STEP === 0) yield;
  }
  return unpacked;
}
