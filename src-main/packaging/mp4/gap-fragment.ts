import { BoxWriter } from '../../media/containers/isobmff/box-writer.ts';
import { writeTrackFragmentDecodeTime } from '../../media/containers/isobmff/track-fragment-decode-time.ts';
import { writeTrackFragmentHeader } from '../../media/containers/isobmff/track-fragment-header.ts';
import { trackNumber } from '../../media/track.ts';
import type { Segment } from '../../segment/segment-window.ts';

/**
 * Fragment without samples that replaces damaged media. Players that have already loaded the list of segments continue after it:
 * hls.js, ExoPlayer and Shaka Player stop at a segment that is answered with an error, but skip a segment without media.
 */
export function gapFragment({ trackId, startTicks }: Pick<Segment, 'trackId' | 'startTicks'>): Uint8Array {
  const out = new BoxWriter();
  out.open('moof').openFull('mfhd', 0, 0).u32(1).close().open('traf');
  writeTrackFragmentHeader(out, { trackId: trackNumber(trackId), isBaseMoof: true });
  writeTrackFragmentDecodeTime(out, { baseDecodeTicks: startTicks });
  out.close().close();
  return out.open('mdat').close().finish();
}
