import { NON_SYNC_SAMPLE_FLAGS, SYNC_SAMPLE_FLAGS } from './sample-flags.ts';
import type { SampleTable } from './sample-table.ts';

/** The wall time of one place on the timeline of the track, for `prft` (ISO/IEC 14496-12, 8.16.5). */
interface ChunkWall {
  /** Epoch milliseconds. */
  readonly epochMs: number;
  /** Media time that belongs to it, in ticks of the track. */
  readonly mediaTicks: number;
}

/** One CMAF chunk without its sample data. All samples belong to track 1 and lie in decoding order without a gap. */
export interface Chunk {
  /** Position in the sequence of chunks (8.8.5), from 1. Only the low 32 bits are written. */
  readonly sequenceNumber: number;
  /** Decoding time of the first sample in ticks of the track (8.8.12), 0 to 2^53 - 1. */
  readonly baseDecodeTicks: number;
  readonly samples: SampleTable;
  readonly content: 'video' | 'audio';
  readonly wall?: ChunkWall | undefined;
}

/** What decides about the size of a chunk header besides the number of samples. */
export interface ChunkHeaderOptions {
  readonly content: 'video' | 'audio';
  /** Whether the chunk starts with `prft`. */
  readonly hasWall: boolean;
}

const PRFT_BYTES = 32;
/** Everything of the header but `prft` and the samples, with every optional field there. */
const MOST_FIXED_BYTES = 8 + 16 + 8 + 28 + 20 + 24 + 8;

const DURATION = 1;
const SIZE = 2;
const FLAGS = 4;
const OFFSET = 8;

/** Most bytes that the header of a chunk with so many samples takes. What to keep free in front of the samples. */
export function chunkHeaderBytes(sampleCount: number, options: ChunkHeaderOptions): number {
  const sampleBytes = options.content === 'video' ? 16 : 8;
  return (options.hasWall ? PRFT_BYTES : 0) + MOST_FIXED_BYTES + sampleCount * sampleBytes;
}

/**
 * Writes `prft` (where the chunk has a wall time), `moof` and the header of `mdat` so that they end at index `end` of
 * `target`, where the samples begin. Returns the index at which the header starts. The caller keeps
 * `chunkHeaderBytes` free in front of `end`.
 */
export function writeChunkHeader(target: Uint8Array, end: number, chunk: Chunk): number {
  const { samples } = chunk;
  const { count, sizes, durations, compositionOffsets, isSync } = samples;
  const isVideo = chunk.content === 'video';
  // One pass over the samples says which fields all of them share.
  const firstDuration = count > 0 ? (durations[0] as number) : 0;
  const firstSize = count > 0 ? (sizes[0] as number) : 0;
  let dataBytes = 0;
  let differing = 0;
  let anyOffset = 0;
  let laterSync = 0;
  for (let i = 0; i < count; i++) {
    const size = sizes[i] as number;
    dataBytes += size;
    if (size !== firstSize) differing |= SIZE;
    if (durations[i] !== firstDuration) differing |= DURATION;
    if (isVideo) {
      anyOffset |= compositionOffsets[i] as number;
      if (i > 0) laterSync += isSync[i] as number;
    }
  }
  let fields = differing;
  if (anyOffset !== 0) fields |= OFFSET;
  let defaultFlags = SYNC_SAMPLE_FLAGS;
  let firstFlags = SYNC_SAMPLE_FLAGS;
  if (isVideo && count > 0) {
    firstFlags = isSync[0] === 1 ? SYNC_SAMPLE_FLAGS : NON_SYNC_SAMPLE_FLAGS;
    if (count === 1) defaultFlags = firstFlags;
    else if (laterSync === 0) defaultFlags = NON_SYNC_SAMPLE_FLAGS;
    else if (laterSync < count - 1) fields |= FLAGS;
  }
  const hasFirstFlags = (fields & FLAGS) === 0 && firstFlags !== defaultFlags;
  const hasDefaultSize = (fields & SIZE) === 0;
  const hasDefaultDuration = (fields & DURATION) === 0;

  const fieldBytes = 4 * ((fields & 1) + ((fields >> 1) & 1) + ((fields >> 2) & 1) + (fields >> 3));
  const tfhdBytes = 20 + (hasDefaultDuration ? 4 : 0) + (hasDefaultSize ? 4 : 0);
  const trunBytes = 20 + (hasFirstFlags ? 4 : 0) + count * fieldBytes;
  const trafBytes = 8 + tfhdBytes + 20 + trunBytes;
  const moofBytes = 8 + 16 + trafBytes;
  const start = end - 8 - moofBytes - (chunk.wall ? PRFT_BYTES : 0);

  let at = start;
  if (chunk.wall) at = writeWall(target, at, chunk.wall);
  at = writeBoxStart(target, at, moofBytes, 0x6d6f6f66); // moof
  at = writeBoxStart(target, at, 16, 0x6d666864); // mfhd
  at = write32(target, at, 0);
  at = write32(target, at, chunk.sequenceNumber);
  at = writeBoxStart(target, at, trafBytes, 0x74726166); // traf
  at = writeBoxStart(target, at, tfhdBytes, 0x74666864); // tfhd
  // default-base-is-moof, default-sample-flags-present, and what all samples share.
  at = write32(target, at, 0x02_0020 | (hasDefaultDuration ? 0x08 : 0) | (hasDefaultSize ? 0x10 : 0));
  at = write32(target, at, 1);
  if (hasDefaultDuration) at = write32(target, at, firstDuration);
  if (hasDefaultSize) at = write32(target, at, firstSize);
  at = write32(target, at, defaultFlags);
  at = writeBoxStart(target, at, 20, 0x74666474); // tfdt
  at = write32(target, at, 0x0100_0000);
  at = write64(target, at, chunk.baseDecodeTicks);
  at = writeBoxStart(target, at, trunBytes, 0x7472756e); // trun
  at = write32(target, at, 0x0100_0001 | (hasFirstFlags ? 4 : 0) | (fields << 8));
  at = write32(target, at, count);
  at = write32(target, at, moofBytes + 8);
  if (hasFirstFlags) at = write32(target, at, firstFlags);
  if (fields !== 0) {
    for (let i = 0; i < count; i++) {
      if ((fields & DURATION) !== 0) at = write32(target, at, durations[i] as number);
      if ((fields & SIZE) !== 0) at = write32(target, at, sizes[i] as number);
      if ((fields & FLAGS) !== 0) at = write32(target, at, isSync[i] === 1 ? SYNC_SAMPLE_FLAGS : NON_SYNC_SAMPLE_FLAGS);
      if ((fields & OFFSET) !== 0) at = write32(target, at, compositionOffsets[i] as number);
    }
  }
  writeBoxStart(target, at, dataBytes + 8, 0x6d646174); // mdat
  return start;
}

/** The wall time is the one at which the picture left the encoder (8.16.5), which its arrival here comes closest to. */
const PRFT_FLAGS = 1;

/** Seconds from 1900, where NTP time begins, to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800;

function writeWall(target: Uint8Array, start: number, wall: ChunkWall): number {
  let at = writeBoxStart(target, start, PRFT_BYTES, 0x70726674); // prft
  at = write32(target, at, 0x0100_0000 | PRFT_FLAGS);
  at = write32(target, at, 1);
  const seconds = Math.floor(wall.epochMs / 1000);
  at = write32(target, at, seconds + NTP_EPOCH_SECONDS);
  at = write32(target, at, Math.floor(((wall.epochMs - seconds * 1000) / 1000) * 0x1_0000_0000));
  return write64(target, at, wall.mediaTicks);
}

function writeBoxStart(target: Uint8Array, at: number, size: number, type: number): number {
  return write32(target, write32(target, at, size), type);
}

function write32(target: Uint8Array, at: number, value: number): number {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
  return at + 4;
}

function write64(target: Uint8Array, at: number, value: number): number {
  return write32(target, write32(target, at, Math.floor(value / 0x1_0000_0000)), value);
}
