import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** `trex` (ISO/IEC 14496-12, 8.8.3): defaults for the fragments of a track. */
export interface TrackExtends {
  readonly trackId: number;
  readonly sampleDescriptionIndex: number;
  readonly sampleDurationTicks: number;
  readonly sampleSizeBytes: number;
  readonly sampleFlags: number;
}

export function readTrackExtends(body: ByteReader): TrackExtends | undefined {
  body.skip(4);
  const value = {
    trackId: body.u32(),
    sampleDescriptionIndex: body.u32(),
    sampleDurationTicks: body.u32(),
    sampleSizeBytes: body.u32(),
    sampleFlags: body.u32(),
  };
  return body.isShort ? undefined : value;
}

export function writeTrackExtends(out: BoxWriter, value: TrackExtends): void {
  out.openFull('trex', 0, 0).u32(value.trackId).u32(value.sampleDescriptionIndex);
  out.u32(value.sampleDurationTicks).u32(value.sampleSizeBytes).u32(value.sampleFlags).close();
}
