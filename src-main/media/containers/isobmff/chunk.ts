import { DURATION, FLAGS, layoutOf, OFFSET, PRFT_BYTES, shapeOf, SIZE, type ChunkShape } from './chunk-shape.ts';
import { NON_SYNC_SAMPLE_FLAGS, SYNC_SAMPLE_FLAGS } from './sample-flags.ts';
import type { SampleTable } from './sample-table.ts';

/** Wall time of one point on the timeline of the track, for `prft` (ISO/IEC 14496-12, 8.16.5). */
interface ChunkWall {
  /** Epoch milliseconds. */
  readonly epochMs: number;
  /** Corresponding media time in ticks of the track. */
  readonly mediaTicks: number;
}

/** CMAF chunk without its sample data. All samples belong to one track and are contiguous in decoding order. */
export interface Chunk {
  /** Number of the track in its init segment (`track_ID`). */
  readonly trackNumber: number;
  /** Position in the sequence of chunks (8.8.5), from 1. Only the low 32 bits are written. */
  readonly sequenceNumber: number;
  /** Decoding time of the first sample in ticks of the track (8.8.12), 0 to 2^53 - 1. */
  readonly baseDecodeTicks: number;
  readonly samples: SampleTable;
  /** Shape of the samples if it was updated with them; otherwise it is computed. */
  readonly shape?: ChunkShape;
  readonly content: 'video' | 'audio';
  readonly wall?: ChunkWall | undefined;
}

/**
 * Writes `prft` (if the chunk has a wall time), `moof` and the header of `mdat` so that they end at index `end` of `target`,
 * where the samples start. Returns the index at which the header starts. The caller leaves `chunkHeaderBytes` free before `end`.
 */
export function writeChunkHeader(target: Uint8Array, end: number, chunk: Chunk): number {
  const { count, sizes, durations, compositionOffsets, isSync } = chunk.samples;
  const shape = chunk.shape ?? shapeOf(chunk.samples);
  const layout = layoutOf(shape, chunk.content === 'video');
  const { fields, defaultFlags, firstFlags, hasFirstFlags, tfhdBytes, trunBytes, trafBytes, moofBytes } = layout;
  const hasDefaultSize = (fields & SIZE) === 0;
  const hasDefaultDuration = (fields & DURATION) === 0;
  const start = end - 8 - moofBytes - (chunk.wall ? PRFT_BYTES : 0);

  let at = start;
  if (chunk.wall) at = writeWall(target, at, chunk.trackNumber, chunk.wall);
  at = writeBoxStart(target, at, moofBytes, 0x6d6f6f66); // moof
  at = writeBoxStart(target, at, 16, 0x6d666864); // mfhd
  at = write32(target, at, 0);
  at = write32(target, at, chunk.sequenceNumber);
  at = writeBoxStart(target, at, trafBytes, 0x74726166); // traf
  at = writeBoxStart(target, at, tfhdBytes, 0x74666864); // tfhd
  // default-base-is-moof, default-sample-flags-present, and shared sample fields.
  at = write32(target, at, 0x02_0020 | (hasDefaultDuration ? 0x08 : 0) | (hasDefaultSize ? 0x10 : 0));
  at = write32(target, at, chunk.trackNumber);
  if (hasDefaultDuration) at = write32(target, at, shape.firstDurationTicks);
  if (hasDefaultSize) at = write32(target, at, shape.firstSizeBytes);
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
  writeBoxStart(target, at, shape.dataBytes + 8, 0x6d646174); // mdat
  return start;
}

/**
 * The flags state that the wall time is the time at which the picture left the encoder (8.16.5); the arrival at this server is
 * the best approximation.
 */
const PRFT_FLAGS = 1;

/** Seconds from 1900, the origin of NTP time, to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800;

function writeWall(target: Uint8Array, start: number, trackNumber: number, wall: ChunkWall): number {
  let at = writeBoxStart(target, start, PRFT_BYTES, 0x70726674); // prft
  at = write32(target, at, 0x0100_0000 | PRFT_FLAGS);
  at = write32(target, at, trackNumber);
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
