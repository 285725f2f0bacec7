import { isoTime } from '../../lib/clock.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import { decimal, quoted } from './attributes.ts';

/**
 * Name of the playlists of an interstitial, without the extension: the multivariant playlist is beside that of the stream, media
 * playlists are in the folders of the tracks.
 */
export function interstitialName(id: string): string {
  return `break-${id}`;
}

/**
 * EXT-X-DATERANGE of the interstitials of a window (RFC 8216bis appendix D); none for a timeline without dates. The
 * interstitials start and end at the nearest boundaries of segments (X-SNAP). Without X-RESUME-OFFSET they replace the
 * content of the window during their time; after an interstitial before the start (CUE), a live player continues at the
 * position where it would start at that time.
 *
 * @param folder complete address of the folder of the stream, as players need it
 */
export function interstitialLines(window: SegmentWindow, folder: string): string[] {
  const { epochMs } = window;
  if (epochMs === undefined) return [];
  return (window.interstitials?.() ?? []).map(({ id, placement, startMs, durationMs, limitMs }) => {
    const attributes = [
      `ID=${quoted(interstitialName(id))}`,
      'CLASS="com.apple.hls.interstitial"',
      `START-DATE="${isoTime(epochMs + startMs)}"`,
      // PLANNED-DURATION is left out for a preroll, because hls.js would skip the time before its starting position
      // in the window. Without it, hls.js starts at the start of the preroll.
      ...(placement === 'preroll' ? [] : [`PLANNED-DURATION=${decimal(durationMs / 1000)}`]),
      `X-ASSET-URI=${quoted(`${folder}${interstitialName(id)}.m3u8`)}`,
      'X-SNAP="OUT"',
      'X-RESTRICT="SKIP,JUMP"',
    ];
    if (placement === 'preroll') attributes.push('CUE="PRE,ONCE"');
    if (limitMs !== undefined) attributes.push(`X-PLAYOUT-LIMIT=${decimal(limitMs / 1000)}`);
    return `#EXT-X-DATERANGE:${attributes.join(',')}`;
  });
}
