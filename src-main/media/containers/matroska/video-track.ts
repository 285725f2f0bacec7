import type { VideoTrack } from '../../track.ts';
import { H264Assembler } from '../../codecs/h264/assembler.ts';
import { trackFromAvcC } from '../../codecs/h264/track.ts';
import { H265Assembler } from '../../codecs/h265/assembler.ts';
import { trackFromHvcC } from '../../codecs/h265/track.ts';
import { lengthSizeOf } from '../../codecs/nal/length-prefixed.ts';
import type { TrackOptions } from '../../codecs/track-options.ts';

/**
 * Track of a decoder configuration record. Parameter sets may also be in the first sample, and a byte stream of them may
 * replace the record. Undefined if they are damaged or missing.
 */
export function videoTrack(
  codec: VideoTrack['codec'],
  record: Uint8Array,
  options: TrackOptions,
  firstSample: Uint8Array,
): VideoTrack | undefined {
  const track = codec === 'h264' ? trackFromAvcC(record, options) : trackFromHvcC(record, options);
  const lengthSize = lengthSizeOf(record, codec);
  if (track || lengthSize === 3) return track;
  const assemblerOptions = { ...options, problem: () => undefined };
  const assembler = codec === 'h264' ? new H264Assembler(assemblerOptions) : new H265Assembler(assemblerOptions);
  assembler.configure(record);
  assembler.assembleSample(firstSample, lengthSize);
  return assembler.track;
}
