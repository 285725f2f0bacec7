import type { VideoTrack } from '../../track.ts';
import { readAvcC } from './avcc.ts';
import { readHvcC } from './hvcc.ts';

/** Sampling of profiles whose AVC configuration record does not state it: 4:2:0 with 8 bits. */
const PLAIN_SAMPLING = [1, 8, 8] as const;

/**
 * Whether two tracks need the same decoder, so that parameter sets in the samples are enough for a change from one to the other.
 * Parameter sets, level and timing may differ; codec, profile, size, sample aspect ratio, interlacing, chroma format and bit
 * depth may not.
 */
export function isSameDecoder(a: VideoTrack, b: VideoTrack): boolean {
  return (
    a.codec === b.codec &&
    a.width === b.width &&
    a.height === b.height &&
    a.sarWidth === b.sarWidth &&
    a.sarHeight === b.sarHeight &&
    a.isInterlaced === b.isInterlaced &&
    a.profile === b.profile &&
    String(samplingOf(a)) === String(samplingOf(b))
  );
}

/** Chroma format and bit depths of a track. */
function samplingOf({ codec, decoderConfig }: VideoTrack): readonly number[] | undefined {
  if (codec === 'h264') {
    const chroma = readAvcC(decoderConfig)?.chroma;
    return chroma ? [chroma.formatIdc, chroma.bitDepthLuma, chroma.bitDepthChroma] : PLAIN_SAMPLING;
  }
  const record = readHvcC(decoderConfig);
  return record && [record.chromaFormatIdc, record.bitDepthLuma, record.bitDepthChroma];
}
