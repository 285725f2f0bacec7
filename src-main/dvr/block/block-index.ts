import type { WindowSplice } from '../../segment/segment-window.ts';
import { readBlockBox, writeBlockBox } from './block-box.ts';
import { spliceOf } from './block-splice.ts';
import { VarintReader, VarintWriter } from './varints.ts';

/** Contiguous bytes of a block: adjacent chunks. */
export interface BlockPiece {
  readonly offset: number;
  readonly sizeBytes: number;
}

/** Segment of one track in a block. */
export interface BlockSegment {
  readonly trackNumber: number;
  /** Presentation time of its start, in ticks of the track. */
  readonly startTicks: number;
  readonly durationTicks: number;
  /** Whether it starts with a random access point. */
  readonly isIndependent: boolean;
  /** Whether its pictures carry closed captions (CEA-608 or CEA-708). */
  readonly hasCaptions: boolean;
  /** Whether the segment does not continue the previous media of the track. */
  readonly isDiscontinuity: boolean;
  /** Whether the segment has no media to load. */
  readonly isGap: boolean;
  /** Whether the end of the segment was recorded; otherwise the recording was interrupted in it. */
  readonly isComplete: boolean;
  /** Positions of its chunks, in order. */
  readonly pieces: readonly BlockPiece[];
}

/** Numbers of the first segment of a block in the archive of its stream. */
export interface BlockNumbers {
  readonly msn: number;
  /** Number of discontinuities before the segment. */
  readonly discontinuitySequence: number;
}

/** Index of a block. */
export interface BlockIndex {
  /** Absent if not recorded, or if segments were removed from the middle. */
  readonly numbers?: BlockNumbers;
  /** In the order of their start in the file. */
  readonly segments: readonly BlockSegment[];
  /** Splice points in the order of announcement, including cancelled ones. */
  readonly splices: readonly WindowSplice[];
}

const VERSION = 1;
const INDEPENDENT = 1;
const DISCONTINUITY = 2;
const GAP = 4;
const COMPLETE = 8;
const CAPTIONS = 16;
/** Maximum number of segments, pieces and splice points; more means damage. */
const MAX_ENTRIES = 1 << 20;

/** Packs an index compactly, for the end of its block and for the catalog. */
export function packIndex({ numbers, segments, splices }: BlockIndex): Buffer {
  const out = new VarintWriter().count(VERSION).count(segments.length);
  const startOf = new Map<number, number>();
  let at = 0;
  for (const segment of segments) {
    const { trackNumber, startTicks, pieces } = segment;
    out
      .count(trackNumber)
      .count(
        (segment.isIndependent ? INDEPENDENT : 0) |
          (segment.isDiscontinuity ? DISCONTINUITY : 0) |
          (segment.isGap ? GAP : 0) |
          (segment.isComplete ? COMPLETE : 0) |
          (segment.hasCaptions ? CAPTIONS : 0),
      );
    out
      .difference(startTicks - (startOf.get(trackNumber) ?? 0))
      .count(segment.durationTicks)
      .count(pieces.length);
    startOf.set(trackNumber, startTicks);
    for (const { offset, sizeBytes } of pieces) {
      out.difference(offset - at).count(sizeBytes);
      at = offset + sizeBytes;
    }
  }
  out.count(splices.length);
  for (const { atMs, section } of splices) out.count(Math.round(atMs)).bytes(Buffer.from(section, 'base64'));
  if (numbers) out.count(numbers.msn).count(numbers.discontinuitySequence);
  return out.finish();
}

/** Unpacks an index; undefined if it is damaged or of a later version. */
export function unpackIndex(bytes: Uint8Array): BlockIndex | undefined {
  const body = new VarintReader(bytes);
  if (body.count() !== VERSION) return undefined;
  const segments: BlockSegment[] = [];
  const startOf = new Map<number, number>();
  let at = 0;
  for (let left = bounded(body); left > 0 && !body.isShort; left--) {
    const trackNumber = body.count();
    const flags = body.count();
    const startTicks = (startOf.get(trackNumber) ?? 0) + body.difference();
    startOf.set(trackNumber, startTicks);
    const durationTicks = body.count();
    const pieces: BlockPiece[] = [];
    for (let more = bounded(body); more > 0 && !body.isShort; more--) {
      const offset = at + body.difference();
      const sizeBytes = body.count();
      pieces.push({ offset, sizeBytes });
      at = offset + sizeBytes;
    }
    segments.push({
      trackNumber,
      startTicks,
      durationTicks,
      isIndependent: (flags & INDEPENDENT) !== 0,
      isDiscontinuity: (flags & DISCONTINUITY) !== 0,
      isGap: (flags & GAP) !== 0,
      isComplete: (flags & COMPLETE) !== 0,
      hasCaptions: (flags & CAPTIONS) !== 0,
      pieces,
    });
  }
  const splices: WindowSplice[] = [];
  for (let left = bounded(body); left > 0 && !body.isShort; left--) splices.push(spliceOf(body.count(), body.bytes()));
  // Indexes of earlier versions have no numbers.
  const numbers = body.isAtEnd ? undefined : { msn: body.count(), discontinuitySequence: body.count() };
  return body.isShort ? undefined : { ...(numbers ? { numbers } : {}), segments, splices };
}

function bounded(body: VarintReader): number {
  const count = body.count();
  if (count > MAX_ENTRIES) body.isShort = true;
  return count;
}

const LENGTH_BYTES = 4;

/** Bytes at the end of a finished block with the length and the checksum of its index box. */
export const INDEX_END_BYTES = 8;

/** Writes the box at the end of a finished block, which is found from the end of the file. */
export function writeIndexBox(index: BlockIndex): Buffer {
  const packed = packIndex(index);
  const body = Buffer.alloc(packed.length + LENGTH_BYTES);
  packed.copy(body);
  const box = writeBlockBox('indx', body);
  body.writeUInt32BE(box.length, packed.length);
  return writeBlockBox('indx', body);
}

/** Reads the box; undefined if damaged. */
export function readIndexBox(box: Buffer): BlockIndex | undefined {
  const body = readBlockBox('indx', box);
  return body && body.length >= LENGTH_BYTES ? unpackIndex(body.subarray(0, -LENGTH_BYTES)) : undefined;
}
