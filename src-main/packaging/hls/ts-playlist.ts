import { isoTime } from '../../lib/clock.ts';
import type { SegmentWindow, WindowTrack } from '../../segment/segment-window.ts';
import { tsSegmentName } from '../address.ts';
import { decimal } from './attributes.ts';
import { targetDuration, type MediaPlaylistOptions } from './media-playlist.ts';
import { spliceLines } from './splice-marks.ts';

/** The tracks of the TS rendition: one picture, in the first of its qualities, and all sound. */
export function tracksOfTs(window: SegmentWindow): readonly WindowTrack[] {
  const leader = leadingTrack(window)?.track.id;
  return window.tracks.filter(({ track }) => track.id === leader || track.content === 'audio');
}

/** The track whose segments are the segments of the TS rendition: the first video, or else the first audio. */
export function leadingTrack(window: SegmentWindow): WindowTrack | undefined {
  return window.tracks.find(({ track }) => track.content === 'video') ?? window.tracks[0];
}

/** Whether all tracks have given what belongs to a segment: those that come later than the leading one count too. */
export function isTsSegmentReady(window: SegmentWindow, msn: number): boolean {
  return tracksOfTs(window).every(({ track, firstMsn = 0 }) => {
    const own = window.segmentByMsn(track.id, msn);
    const last = window.lastSegment(track.id);
    // A track that began later, or is to begin later, has nothing of it, and will not have.
    return own ? own.segment.isComplete : last ? last.msn > msn : msn < firstMsn;
  });
}

/** What the playlist is rendered for. */
export type TsPlaylistOptions = Pick<MediaPlaylistOptions, 'range' | 'marks'>;

/**
 * The media playlist of muxed MPEG-TS segments, for players that know neither CMAF nor parts (RFC 8216).
 *
 * @returns undefined before the first complete segment
 */
export function renderTsPlaylist(window: SegmentWindow, options: TsPlaylistOptions = {}): string | undefined {
  const leader = leadingTrack(window)?.track;
  if (!leader) return undefined;
  const listed = window.segments(leader.id, options.range);
  const segments = window.mutability === 'static' ? listed : listed.filter(({ msn }) => isTsSegmentReady(window, msn));
  const [first] = segments;
  if (!first) return undefined;
  const lines = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${targetDuration(window)}`];
  if (window.mutability === 'event') lines.push('#EXT-X-PLAYLIST-TYPE:EVENT');
  if (window.mutability === 'static') lines.push('#EXT-X-PLAYLIST-TYPE:VOD');
  lines.push(`#EXT-X-MEDIA-SEQUENCE:${first.msn}`);
  if (first.discontinuitySequence > 0) lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${first.discontinuitySequence}`);
  const splices = spliceLines(window, options);
  lines.push(...splices.head);
  for (const entry of segments) {
    const { segment, isDiscontinuity, startMs } = entry;
    if (isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(...splices.before(entry));
    if (window.epochMs !== undefined) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${isoTime(window.epochMs + startMs)}`);
    if (segment.isGap) lines.push('#EXT-X-GAP');
    lines.push(`#EXTINF:${decimal(segment.durationTicks / leader.timescale)},`, tsSegmentName(entry));
  }
  if (window.mutability === 'static') lines.push('#EXT-X-ENDLIST');
  lines.push('');
  return lines.join('\n');
}
