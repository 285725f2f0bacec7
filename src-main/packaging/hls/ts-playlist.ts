import { isoTime } from '../../lib/clock.ts';
import { runAtOnce } from '../../lib/turns.ts';
import type { Segment, SegmentWindow } from '../../segment/segment-window.ts';
import { tsSegmentName } from '../address.ts';
import { Programme } from '../programme.ts';
import { STEP_SEGMENTS, type RenderStep } from '../segment-steps.ts';
import { decimal } from './attributes.ts';
import { targetDuration, type MediaPlaylistOptions } from './media-playlist.ts';
import { spliceLines } from './splice-marks.ts';
import { startLines } from './start-position.ts';

/** Options for rendering the playlist. */
export interface TsPlaylistOptions extends Pick<MediaPlaylistOptions, 'range' | 'marks'> {
  /** Query string, without `?`, appended to the addresses of segments. */
  readonly query?: string;
}

/**
 * Media playlist of muxed MPEG-TS segments, for players that support neither CMAF nor parts (RFC 8216). It has a
 * discontinuity when its tracks change.
 * @returns undefined before the first complete segment
 */
export function renderTsPlaylist(window: SegmentWindow, options: TsPlaylistOptions = {}): string | undefined {
  return runAtOnce(tsPlaylistSteps(window, options));
}

/** Like `renderTsPlaylist`, in short steps, for a long window, which may change between the steps. */
export function* tsPlaylistSteps(
  window: SegmentWindow,
  options: TsPlaylistOptions = {},
): Generator<RenderStep, string | undefined> {
  const listed = yield* new Programme(window).segmentSteps(options.range);
  const programme = new Programme(window);
  // Only the newest segments may be incomplete.
  const newest = Math.max(0, listed.length - STEP_SEGMENTS);
  const segments =
    window.mutability === 'static'
      ? listed
      : [...listed.slice(0, newest), ...listed.slice(newest).filter(({ msn }) => programme.isReady(msn))];
  const [first] = segments;
  if (!first) return undefined;
  const lines = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${targetDuration(window)}`];
  if (window.mutability === 'event') lines.push('#EXT-X-PLAYLIST-TYPE:EVENT');
  if (window.mutability === 'static') lines.push('#EXT-X-PLAYLIST-TYPE:VOD');
  lines.push(`#EXT-X-MEDIA-SEQUENCE:${first.msn}`);
  const { earlierCount } = programme.discontinuityAt(first);
  if (earlierCount > 0) lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${earlierCount}`);
  lines.push(...startLines(window, segments));
  const tracks = window.listedTracks ?? window.tracks;
  const timescaleOf = ({ trackId }: Segment): number =>
    tracks.find(({ track }) => track.id === trackId)?.track.timescale ?? Infinity;
  const splices = spliceLines(window, options);
  lines.push(...splices.head);
  const end = options.query === undefined ? '' : `?${options.query}`;
  const isLong = segments.length > STEP_SEGMENTS;
  if (isLong) yield 'read';
  for (const [index, entry] of segments.entries()) {
    if (index % STEP_SEGMENTS === STEP_SEGMENTS - 1) yield;
    const { segment, startMs } = entry;
    if (programme.discontinuityAt(entry).isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(...splices.before(entry));
    if (window.epochMs !== undefined) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${isoTime(window.epochMs + startMs)}`);
    if (segment.isGap) lines.push('#EXT-X-GAP');
    lines.push(`#EXTINF:${decimal(segment.durationTicks / timescaleOf(segment))},`, `${tsSegmentName(entry)}${end}`);
  }
  if (window.mutability === 'static') lines.push('#EXT-X-ENDLIST');
  lines.push('');
  if (isLong) yield;
  return lines.join('\n');
}
