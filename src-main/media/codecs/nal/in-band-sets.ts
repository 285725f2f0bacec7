import type { VideoTrack } from '../../track.ts';
import { readAvcC } from './avcc.ts';
import { readHvcC } from './hvcc.ts';
import type { LengthSize } from './length-prefixed.ts';

/** Parameter sets of a video track in the form of a sample, before its slices. */
export interface InBandSets {
  /** NAL units, each after its length. */
  readonly bytes: Uint8Array;
  readonly lengthSize: LengthSize;
}

/**
 * Parameter sets of the decoder configuration (`avcC`, `hvcC`) as NAL units of a sample, so that a key frame can be decoded
 * although the sample entry has another configuration (ISO/IEC 14496-15, 5.3.3 and 8.3.3). Undefined if the configuration is
 * damaged.
 */
export function inBandSets({
  codec,
  decoderConfig,
}: Pick<VideoTrack, 'codec' | 'decoderConfig'>): InBandSets | undefined {
  if (codec === 'h264') {
    const record = readAvcC(decoderConfig);
    return (
      record && { bytes: prefixed([...record.sps, ...record.pps], record.lengthSize), lengthSize: record.lengthSize }
    );
  }
  const record = readHvcC(decoderConfig);
  return (
    record && {
      bytes: prefixed(
        record.arrays.flatMap(({ units }) => units),
        record.lengthSize,
      ),
      lengthSize: record.lengthSize,
    }
  );
}

function prefixed(units: readonly Uint8Array[], lengthSize: LengthSize): Uint8Array {
  const bytes = new Uint8Array(units.reduce((sum, { length }) => sum + length + lengthSize, 0));
  let at = 0;
  for (const unit of units) {
    for (let shift = lengthSize - 1; shift >= 0; shift--) bytes[at++] = unit.length >>> (8 * shift);
    bytes.set(unit, at);
    at += unit.length;
  }
  return bytes;
}
