import { readBlockBox, writeBlockBox } from './block-box.ts';

/** Chunk (`moof` and `mdat`, with `prft` if present) in a block. */
export interface RunChunk {
  readonly sizeBytes: number;
  readonly durationTicks: number;
  /** CRC-32 (zlib) of its bytes. */
  readonly checksum: number;
  readonly isIndependent: boolean;
  /** Whether its pictures carry closed captions (CEA-608 or CEA-708). */
  readonly hasCaptions: boolean;
}

/**
 * Announcement of the bytes that follow: adjacent chunks of one segment of one track. Track number 0 stands for
 * splice points, each an `emsg` (ISO/IEC 23009-1, 5.10.3.3).
 */
export interface BlockRun {
  readonly trackNumber: number;
  /** Presentation time of the segment start, in ticks of the track. */
  readonly segmentStartTicks: number;
  /** Whether the segment starts with this run. */
  readonly isStart: boolean;
  /** Whether the segment does not continue the previous media of the track. */
  readonly isDiscontinuity: boolean;
  /** Whether the segment has no media to load. */
  readonly isGap: boolean;
  /** Duration of the complete segment in ticks if it ends with this run; undefined if it continues. */
  readonly endDurationTicks?: number | undefined;
  readonly chunks: readonly RunChunk[];
}

const START = 1;
const DISCONTINUITY = 2;
const GAP = 4;
const END = 8;
const INDEPENDENT = 1;
const CAPTIONS = 2;
const FIXED_BYTES = 24;
const CHUNK_BYTES = 16;
/** Maximum number of chunks in a run; further chunks start another run. */
export const MAX_RUN_CHUNKS = 0xffff;

/** Writes the box that precedes the chunks. */
export function writeBlockRun(run: BlockRun): Buffer {
  const { chunks, endDurationTicks } = run;
  const body = Buffer.alloc(FIXED_BYTES + chunks.length * CHUNK_BYTES);
  body.writeUInt16BE(
    (run.isStart ? START : 0) |
      (run.isDiscontinuity ? DISCONTINUITY : 0) |
      (run.isGap ? GAP : 0) |
      (endDurationTicks === undefined ? 0 : END),
    0,
  );
  body.writeUInt16BE(chunks.length, 2);
  body.writeUInt32BE(run.trackNumber, 4);
  body.writeBigUInt64BE(BigInt(run.segmentStartTicks), 8);
  body.writeBigUInt64BE(BigInt(endDurationTicks ?? 0), 16);
  let at = FIXED_BYTES;
  for (const chunk of chunks) {
    body.writeUInt32BE(chunk.sizeBytes, at);
    body.writeUInt32BE(chunk.durationTicks, at + 4);
    body.writeUInt32BE(chunk.checksum, at + 8);
    body.writeUInt32BE((chunk.isIndependent ? INDEPENDENT : 0) | (chunk.hasCaptions ? CAPTIONS : 0), at + 12);
    at += CHUNK_BYTES;
  }
  return writeBlockBox('run ', body);
}

/** Reads the box; undefined if damaged. */
export function readBlockRun(box: Buffer): BlockRun | undefined {
  const body = readBlockBox('run ', box);
  if (!body || body.length < FIXED_BYTES) return undefined;
  const flags = body.readUInt16BE(0);
  const count = body.readUInt16BE(2);
  if (body.length !== FIXED_BYTES + count * CHUNK_BYTES) return undefined;
  const segmentStartTicks = Number(body.readBigUInt64BE(8));
  const endDurationTicks = Number(body.readBigUInt64BE(16));
  if (!Number.isSafeInteger(segmentStartTicks) || !Number.isSafeInteger(endDurationTicks)) return undefined;
  const chunks: RunChunk[] = [];
  for (let at = FIXED_BYTES; at < body.length; at += CHUNK_BYTES) {
    chunks.push({
      sizeBytes: body.readUInt32BE(at),
      durationTicks: body.readUInt32BE(at + 4),
      checksum: body.readUInt32BE(at + 8),
      isIndependent: (body.readUInt32BE(at + 12) & INDEPENDENT) !== 0,
      hasCaptions: (body.readUInt32BE(at + 12) & CAPTIONS) !== 0,
    });
  }
  return {
    trackNumber: body.readUInt32BE(4),
    segmentStartTicks,
    isStart: (flags & START) !== 0,
    isDiscontinuity: (flags & DISCONTINUITY) !== 0,
    isGap: (flags & GAP) !== 0,
    ...((flags & END) === 0 ? {} : { endDurationTicks }),
    chunks,
  };
}
