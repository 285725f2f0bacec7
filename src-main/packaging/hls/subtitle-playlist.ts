import type { SegmentWindow } from '../../segment/segment-window.ts';
import { decimal } from './attributes.ts';

/** Name of a file of subtitles in the folder of its rendition. */
export const SUBTITLES_NAME = 'subtitles.vtt';

/**
 * Media playlist of subtitles: one segment with the duration of the window (RFC 8216bis, 3.1.4). Undefined if the
 * window has no subtitles with this id.
 */
export function renderSubtitlePlaylist(window: SegmentWindow, id: string): string | undefined {
  const bounds = window.bounds();
  if (!bounds || window.subtitles?.some((one) => one.id === id) !== true) return undefined;
  const seconds = (bounds.toMs - bounds.fromMs) / 1000;
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${Math.ceil(seconds)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${decimal(seconds)},`,
    SUBTITLES_NAME,
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}
