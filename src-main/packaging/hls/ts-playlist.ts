import type { SegmentWindow, WindowTrack } from '../../segment/segment-window.ts';
import { tsSegmentName } from '../address.ts';
import { dateTime, decimal } from './attributes.ts';
import { targetDuration } from './media-playlist.ts';

/** The track whose segments are the segments of the TS rendition: the first video, or else the first audio. */
export function leadingTrack(window: SegmentWindow): WindowTrack | undefined {
  return window.tracks.find(({ track }) => track.content === 'video') ?? window.tracks[0];
}

/** Whether all tracks have given what belongs to a segment: those that come later than the leading one count too. */
export function isTsSegmentReady(window: SegmentWindow, msn: number): boolean {
  return window.tracks.every(({ segments }) => {
    const own = segments.find((segment) => segment.msn === msn);
    return own ? own.isComplete : (segments[0]?.msn ?? -1) > msn;
  });
}

/**
 * The media playlist of muxed MPEG-TS segments, for players that know neither CMAF nor parts (RFC 8216).
 *
 * @returns undefined before the first complete segment
 */
export function renderTsPlaylist(window: SegmentWindow): string | undefined {
  const leader = leadingTrack(window);
  const segments = leader?.segments.filter((segment) => isTsSegmentReady(window, segment.msn)) ?? [];
  const first = segments[0];
  if (!leader || !first) return undefined;
  const timescale = leader.track.timescale;
  const lines = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${targetDuration(window)}`];
  lines.push(`#EXT-X-MEDIA-SEQUENCE:${first.msn}`);
  if (leader.discontinuitySequence > 0) lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${leader.discontinuitySequence}`);
  for (const segment of segments) {
    if (segment.isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${dateTime(segment.startMs)}`);
    if (segment.isGap) lines.push('#EXT-X-GAP');
    lines.push(`#EXTINF:${decimal(segment.durationTicks / timescale)},`, tsSegmentName(segment));
  }
  if (window.mutability === 'static') lines.push('#EXT-X-ENDLIST');
  lines.push('');
  return lines.join('\n');
}
