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

/** Writes an index. */
export function writeSegmentIndex({ trackId, timescale, startTicks, stretches }: SegmentIndex): Uint8Array {
  const out = new BoxWriter().openFull('sidx', 1, 0).u32(trackId).u32(timescale).u64(startTicks).u64(0);
  out.u16(0).u16(stretches.length);
  for (const { sizeBytes, durationTicks } of stretches) out.u32(sizeBytes).u32(durationTicks).u32(STARTS_WITH_SAP);
  return out.close().finish();
}
