import { readAvcC } from '../../media/codecs/nal/avcc.ts';
import { readSps as readH264Sps } from '../../media/codecs/h264/sps.ts';
import { readHvcC } from '../../media/codecs/nal/hvcc.ts';
import { NalType as H265NalType } from '../../media/codecs/h265/nal-type.ts';
import { readSps as readH265Sps } from '../../media/codecs/h265/sps.ts';
import type { VideoTrack } from '../../media/track.ts';

/**
 * Reorder depth stated by the parameter sets (H.264 E.2.1 `max_num_reorder_frames`, H.265 7.4.3.2.1 `sps_max_num_reorder_pics`);
 * 0 if not stated.
 */
export function reorderDepth({ codec, decoderConfig }: VideoTrack): number {
  if (codec === 'h264') {
    const sps = readAvcC(decoderConfig)?.sps[0];
    return (sps && readH264Sps(sps)?.vui.maxReorderFrames) ?? 0;
  }
  const sps = readHvcC(decoderConfig)?.arrays.find(({ nalType }) => nalType === H265NalType.sps)?.units[0];
  return (sps && readH265Sps(sps)?.maxReorderPictures) ?? 0;
}
