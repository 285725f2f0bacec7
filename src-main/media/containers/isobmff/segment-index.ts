import { readBoxStart } from './box.ts';
import { BoxWriter } from './box-writer.ts';

/** A stretch of a file that starts with a random access point: whole chunks, one behind the other. */
interface IndexedStretch {
  readonly sizeBytes: number;
  readonly durationTicks: number;
}

/** The index of the stretches that follow it without a gap (`sidx`, ISO/IEC 14496-12, 8.16.3). */
export interface SegmentIndex {
  /** The track whose random access points they start with, and whose timescale counts. */
  readonly trackId: number;
  readonly timescale: number;
  /** Presentation time of the first sample in the media of the track. */
  readonly startTicks: number;
  /** At most `MOST_STRETCHES`; each of less than 2 GiB. */
  readonly stretches: readonly IndexedStretch[];
}

/** Most stretches that one index can have: their count has 16 bits. */
export const MOST_STRETCHES = 0xffff;

/** `starts_with_SAP` 1, `SAP_type` 1: decoding and presentation start with the same sample. */
const STARTS_WITH_SAP = 0x9000_0000;

/** Length of an index of so many stretches. */
export function segmentIndexBytes(stretchCount: number): number {
  return 40 + 12 * stretchCount;
}

/** Writes an index. @param firstOffset bytes between its end and the first stretch: indexes of other tracks */
export function writeSegmentIndex(
  { trackId, timescale, startTicks, stretches }: SegmentIndex,
  firstOffset = 0,
): Uint8Array {
  const out = new BoxWriter().openFull('sidx', 1, 0).u32(trackId).u32(timescale).u64(startTicks).u64(firstOffset);
  out.u16(0).u16(stretches.length);
  for (const { sizeBytes, durationTicks } of stretches) out.u32(sizeBytes).u32(durationTicks).u32(STARTS_WITH_SAP);
  return out.close().finish();
}

/** An index as it is read from a file. */
export interface ReadSegmentIndex {
  readonly trackId: number;
  readonly timescale: number;
  /** Earliest presentation time of the first stretch. */
  readonly startTicks: number;
  /** Bytes between the end of the index and the first stretch. */
  readonly firstOffset: number;
  readonly stretches: readonly (IndexedStretch & {
    /** Whether it starts with a picture that decoding can start with: `SAP_type` 1 or 2, or one that is not said. */
    readonly startsWithSync: boolean;
  })[];
}

/** Reads a whole `sidx` box; undefined where it is damaged, or names other indexes. */
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
  const stretches: ReadSegmentIndex['stretches'][number][] = [];
  for (let index = 0; index < count; index++, at += 12) {
    const size = view.getUint32(at);
    if (size >= 0x8000_0000) return undefined;
    const access = view.getUint32(at + 8);
    const kind = (access >>> 28) & 7;
    const startsWithSync = access >= 0x8000_0000 && kind <= 2;
    stretches.push({ sizeBytes: size, durationTicks: view.getUint32(at + 4), startsWithSync });
  }
  return { trackId, timescale, startTicks, firstOffset, stretches };
}
