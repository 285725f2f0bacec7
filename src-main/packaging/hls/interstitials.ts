import { isoTime } from '../../lib/clock.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import { decimal, quoted } from './attributes.ts';

/** Name of the playlists of an interstitial, without extension: the multivariant playlist is beside that of the stream, media playlists are in the folders of its tracks. */
export function interstitialName(id: string): string {
  return `break-${id}`;
}

/**
 * EXT-X-DATERANGE of the interstitials of a window (RFC 8216bis appendix D); none if the timeline has no dates.
 *
 * They start and end at the nearest segment boundaries (X-SNAP). They replace the media of the window, because there is no
 * X-RESUME-OFFSET. After one that comes before the window (CUE) a live player continues where it would have started by then.
 *
 * @param folder absolute address of the folder of the stream
 */
export function interstitialLines(window: SegmentWindow, folder: string): string[] {
  const { epochMs } = window;
  if (epochMs === undefined) return [];
  return (window.interstitials?.() ?? []).map(({ id, placement, startMs, durationMs, limitMs }) => {
    const attributes = [
      `ID=${quoted(interstitialName(id))}`,
      'CLASS="com.apple.hls.interstitial"',
      `START-DATE="${isoTime(epochMs + startMs)}"`,
      // Without the length of a preroll hls.js starts at its start; otherwise it skips the part before the start position of the window.
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
