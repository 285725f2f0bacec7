import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** `tfdt` (ISO/IEC 14496-12, 8.8.12): decoding time of the first sample of a fragment, in ticks of the track. */
export interface TrackFragmentDecodeTime {
  readonly baseDecodeTicks: number;
}

export function readTrackFragmentDecodeTime(body: ByteReader): TrackFragmentDecodeTime | undefined {
  const version = body.u32() >>> 24;
  const baseDecodeTicks = version === 1 ? body.u64() : body.u32();
  return body.isShort ? undefined : { baseDecodeTicks };
}

/** Writes `tfdt`, always with 64 bits: times since 1970 need them. */
export function writeTrackFragmentDecodeTime(out: BoxWriter, value: TrackFragmentDecodeTime): void {
  out.openFull('tfdt', 1, 0).u64(value.baseDecodeTicks).close();
}
