import type { LeftOutTrackInfo } from '../../src-preload/contract/api/media-info.ts';
import type { LeftOutTrack } from '../media/access-unit.ts';

/** Left-out tracks as the interfaces show them. */
export function leftOutTracks(tracks: readonly LeftOutTrack[] | undefined = []): LeftOutTrackInfo[] {
  return tracks.map(({ content, codec, isEncrypted }) => ({
    content,
    codec,
    ...(isEncrypted ? { is_encrypted: isEncrypted } : {}),
  }));
}
