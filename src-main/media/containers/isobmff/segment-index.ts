import { readBoxStart } from './box.ts';
import { BoxWriter } from './box-writer.ts';

/** Range of a file that starts with a random access point: consecutive complete chunks. */
interface IndexedRange {
  readonly sizeBytes: number;
  readonly durationTicks: number;
}

/** Index of the ranges that follow it without a gap (`sidx`, ISO/IEC 14496-12, 8.16.3). */
export interface SegmentIndex {
  /** Track whose random access points start the ranges, and whose timescale counts. */
  readonly trackId: number;
  readonly timescale: number;
  /** Presentation time of the first sample of the track, after its edit list. */
  readonly startTicks: number;
  /** At most `MAX_REFERENCES` ranges, each smaller than 2 GiB. */
  readonly ranges: readonly IndexedRange[];
}

/** Maximum number of ranges of an index: the count has 16 bits. */
export const MAX_REFERENCES = 0xffff;

/**
 * `starts_with_SAP` 1, `SAP_type` 1: decoding and presentation start with the same sample. It is also written for open GOPs and
 * intra refresh (types 3 and 4), because the type is not known here.
 */
const STARTS_WITH_SAP = 0x9000_0000;

/** Size of an index with this number of ranges. */
export function segmentIndexBytes(rangeCount: number): number {
  return 40 + 12 * rangeCount;
}

/** Writes an index. @param firstOffset bytes between its end and the first range: indexes of other tracks */
export function writeSegmentIndex(
  { trackId, timescale, startTicks, ranges }: SegmentIndex,
  firstOffset = 0,
): Uint8Array {
  const out = new BoxWriter().openFull('sidx', 1, 0).u32(trackId).u32(timescale).u64(startTicks).u64(firstOffset);
  out.u16(0).u16(ranges.length);
  for (const { sizeBytes, durationTicks } of ranges) out.u32(sizeBytes).u32(durationTicks).u32(STARTS_WITH_SAP);
  return out.close().finish();
}

/** Index read from a file. */
export interface ReadSegmentIndex {
  readonly trackId: number;
  readonly timescale: number;
  /** Earliest presentation time of the first range. */
  readonly startTicks: number;
  /** Bytes between the end of the index and the first range. */
  readonly firstOffset: number;
  readonly ranges: readonly (IndexedRange & {
    /** Whether the range starts with a random access point: `SAP_type` 1 or 2, or unspecified. */
    readonly startsWithSync: boolean;
  })[];
}

/** Reads a complete `sidx` box; undefined if it is damaged, or refers to other indexes. */
export function readSegmentIndex(bytes: Uint8Array): ReadSegmentIndex | undefined {
  const start = readBoxStart(bytes, 0);
  if (start?.type !== 'sidx' || start.sizeBytes !== bytes.length || bytes.length < 32) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start.headerBytes;
  const isLong = bytes[at] === 1;
  const [trackId, timescale] = [view.getUint32(at + 4), view.getUint32(at + 8)];
  at += 12;
  const number = (from: number): number =>
    isLong ? view.getUint32(from) * 0x1_0000_0000 + view.getUint32(from + 4) : view.getUint32(from);
  const numberBytes = isLong ? 8 : 4;
  if (at + 2 * numberBytes + 4 > bytes.length) return undefined;
  const [startTicks, firstOffset] = [number(at), number(at + numberBytes)];
  at += 2 * numberBytes;
  const count = view.getUint16(at + 2);
  at += 4;
  if (at + count * 12 > bytes.length) return undefined;
  const ranges: ReadSegmentIndex['ranges'][number][] = [];
  for (let index = 0; index < count; index++, at += 12) {
    const size = view.getUint32(at);
    if (size >= 0x8000_0000) return undefined;
    const access = view.getUint32(at + 8);
    const kind = (access >>> 28) & 7;
    const startsWithSync = access >= 0x8000_0000 && kind <= 2;
    ranges.push({ sizeBytes: size, durationTicks: view.getUint32(at + 4), startsWithSync });
  }
  return { trackId, timescale, startTicks, firstOffset, ranges };
}
