import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** `tfhd` (ISO/IEC 14496-12, 8.8.7): track of a fragment, and shared fields of its samples. */
export interface TrackFragmentHeader {
  readonly trackId: number;
  /** Whether data offsets are relative to the first byte of `moof`. */
  readonly isBaseMoof: boolean;
  /** Base of data offsets otherwise, in bytes of the file. */
  readonly baseDataOffset?: number;
  readonly sampleDescriptionIndex?: number;
  readonly sampleDurationTicks?: number;
  readonly sampleSizeBytes?: number;
  readonly sampleFlags?: number;
}

const BASE_DATA_OFFSET = 0x01;
const DESCRIPTION = 0x02;
const DURATION = 0x08;
const SIZE = 0x10;
const FLAGS = 0x20;
const BASE_IS_MOOF = 0x02_0000;

export function readTrackFragmentHeader(body: ByteReader): TrackFragmentHeader | undefined {
  const flags = body.u32();
  const value = {
    trackId: body.u32(),
    isBaseMoof: (flags & BASE_IS_MOOF) !== 0,
    ...((flags & BASE_DATA_OFFSET) === 0 ? {} : { baseDataOffset: body.u64() }),
    ...((flags & DESCRIPTION) === 0 ? {} : { sampleDescriptionIndex: body.u32() }),
    ...((flags & DURATION) === 0 ? {} : { sampleDurationTicks: body.u32() }),
    ...((flags & SIZE) === 0 ? {} : { sampleSizeBytes: body.u32() }),
    ...((flags & FLAGS) === 0 ? {} : { sampleFlags: body.u32() }),
  };
  return body.isShort ? undefined : value;
}

export function writeTrackFragmentHeader(out: BoxWriter, value: TrackFragmentHeader): void {
  let flags = value.isBaseMoof ? BASE_IS_MOOF : 0;
  if (value.baseDataOffset !== undefined) flags |= BASE_DATA_OFFSET;
  if (value.sampleDescriptionIndex !== undefined) flags |= DESCRIPTION;
  if (value.sampleDurationTicks !== undefined) flags |= DURATION;
  if (value.sampleSizeBytes !== undefined) flags |= SIZE;
  if (value.sampleFlags !== undefined) flags |= FLAGS;
  out.openFull('tfhd', 0, flags).u32(value.trackId);
  if (value.baseDataOffset !== undefined) out.u64(value.baseDataOffset);
  if (value.sampleDescriptionIndex !== undefined) out.u32(value.sampleDescriptionIndex);
  if (value.sampleDurationTicks !== undefined) out.u32(value.sampleDurationTicks);
  if (value.sampleSizeBytes !== undefined) out.u32(value.sampleSizeBytes);
  if (value.sampleFlags !== undefined) out.u32(value.sampleFlags);
  out.close();
}
