import { NON_SYNC_SAMPLE_FLAGS, SYNC_SAMPLE_FLAGS } from './sample-flags.ts';
import type { SampleTable } from './sample-table.ts';

/** Properties, besides the number of samples, that determine the size of a chunk header. */
export interface ChunkHeaderOptions {
  readonly content: 'video' | 'audio';
  /** Whether the chunk starts with `prft`. */
  readonly hasWall: boolean;
}

/** Size of `prft` (ISO/IEC 14496-12, 8.16.5). */
export const PRFT_BYTES = 32;
/** Size of the header with every optional field, except `prft` and the samples. */
const MAX_FIXED_BYTES = 8 + 16 + 8 + 28 + 20 + 24 + 8;

/** Fields of a sample in `trun` (8.8.8), as bits from `sample-duration-present` on. */
export const DURATION = 1;
export const SIZE = 2;
export const FLAGS = 4;
export const OFFSET = 8;

/** Maximum size of the header of a chunk with this number of samples: the room to leave before the samples. */
export function chunkHeaderBytes(sampleCount: number, options: ChunkHeaderOptions): number {
  const sampleBytes = options.content === 'video' ? 16 : 8;
  return (options.hasWall ? PRFT_BYTES : 0) + MAX_FIXED_BYTES + sampleCount * sampleBytes;
}

/** Properties of the samples that determine the size of a chunk. Updated sample by sample. */
export interface ChunkShape {
  count: number;
  dataBytes: number;
  firstSizeBytes: number;
  /** -1 until the duration of the first sample is known. */
  firstDurationTicks: number;
  /**
   * Fields that are needed per sample, as bits of `trun` (8.8.8) from `sample-duration-present` on: durations and sizes that differ
   * from those of the first sample, and composition offsets if one is not 0.
   */
  differing: number;
  isFirstSync: boolean;
  /** Number of sync samples after the first sample. */
  laterSyncCount: number;
}

/** Shape of a chunk that starts with a sample. */
export function startChunkShape(sizeBytes: number, compositionOffset: number, isSync: boolean): ChunkShape {
  return {
    count: 1,
    dataBytes: sizeBytes,
    firstSizeBytes: sizeBytes,
    firstDurationTicks: -1,
    differing: compositionOffset === 0 ? 0 : OFFSET,
    isFirstSync: isSync,
    laterSyncCount: 0,
  };
}

/** Adds the next sample. */
export function addToChunkShape(
  shape: ChunkShape,
  sizeBytes: number,
  compositionOffset: number,
  isSync: boolean,
): void {
  shape.count++;
  shape.dataBytes += sizeBytes;
  if (sizeBytes !== shape.firstSizeBytes) shape.differing |= SIZE;
  if (compositionOffset !== 0) shape.differing |= OFFSET;
  if (isSync) shape.laterSyncCount++;
}

/** Sets the duration of the newest sample, which is known when the next sample arrives. */
export function addDurationToChunkShape(shape: ChunkShape, durationTicks: number): void {
  if (shape.count === 1) shape.firstDurationTicks = durationTicks;
  else if (durationTicks !== shape.firstDurationTicks) shape.differing |= DURATION;
}

/** Size of a chunk with its samples. */
export function chunkBytes(shape: ChunkShape, options: ChunkHeaderOptions): number {
  const layout = layoutOf(shape, options.content === 'video');
  return (options.hasWall ? PRFT_BYTES : 0) + layout.moofBytes + 8 + shape.dataBytes;
}

/** Boxes of a chunk header in numbers. */
export interface ChunkLayout {
  /** Fields stored per sample, as bits from `sample-duration-present` on. */
  readonly fields: number;
  readonly defaultFlags: number;
  readonly firstFlags: number;
  readonly hasFirstFlags: boolean;
  readonly tfhdBytes: number;
  readonly trunBytes: number;
  readonly trafBytes: number;
  readonly moofBytes: number;
}

/** Content and box sizes of the header of a chunk with this shape. */
export function layoutOf(shape: ChunkShape, isVideo: boolean): ChunkLayout {
  const { count, isFirstSync, laterSyncCount } = shape;
  let fields = isVideo ? shape.differing : shape.differing & ~OFFSET;
  let defaultFlags = SYNC_SAMPLE_FLAGS;
  let firstFlags = SYNC_SAMPLE_FLAGS;
  if (isVideo && count > 0) {
    firstFlags = isFirstSync ? SYNC_SAMPLE_FLAGS : NON_SYNC_SAMPLE_FLAGS;
    if (count === 1) defaultFlags = firstFlags;
    else if (laterSyncCount === 0) defaultFlags = NON_SYNC_SAMPLE_FLAGS;
    else if (laterSyncCount < count - 1) fields |= FLAGS;
  }
  const hasFirstFlags = (fields & FLAGS) === 0 && firstFlags !== defaultFlags;
  const fieldBytes = 4 * ((fields & 1) + ((fields >> 1) & 1) + ((fields >> 2) & 1) + (fields >> 3));
  const tfhdBytes = 20 + ((fields & DURATION) === 0 ? 4 : 0) + ((fields & SIZE) === 0 ? 4 : 0);
  const trunBytes = 20 + (hasFirstFlags ? 4 : 0) + count * fieldBytes;
  const trafBytes = 8 + tfhdBytes + 20 + trunBytes;
  return {
    fields,
    defaultFlags,
    firstFlags,
    hasFirstFlags,
    tfhdBytes,
    trunBytes,
    trafBytes,
    moofBytes: 8 + 16 + trafBytes,
  };
}

const NO_SAMPLES: ChunkShape = {
  count: 0,
  dataBytes: 0,
  firstSizeBytes: 0,
  firstDurationTicks: 0,
  differing: 0,
  isFirstSync: true,
  laterSyncCount: 0,
};

/** Shape of a whole table. */
export function shapeOf({ count, sizes, durations, compositionOffsets, isSync }: SampleTable): ChunkShape {
  if (count === 0) return NO_SAMPLES;
  const shape = startChunkShape(sizes[0] as number, compositionOffsets[0] as number, isSync[0] === 1);
  for (let i = 1; i < count; i++) {
    addDurationToChunkShape(shape, durations[i - 1] as number);
    addToChunkShape(shape, sizes[i] as number, compositionOffsets[i] as number, isSync[i] === 1);
  }
  addDurationToChunkShape(shape, durations[count - 1] as number);
  return shape;
}
