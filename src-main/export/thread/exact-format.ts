import type { VideoTrack } from '../../media/track.ts';
import { avcFormat } from './exact-avc.ts';
import type { CutFormat } from './exact-coding.ts';
import { hevcFormat } from './exact-hevc.ts';

/** What pictures of a track need to be cut. Raises `export_not_exact` for what is not encoded. */
export function cutFormat(track: VideoTrack): CutFormat {
  return track.codec === 'h264' ? avcFormat(track) : hevcFormat(track);
}
