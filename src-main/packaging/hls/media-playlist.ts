import type { Segment, SegmentWindow, WindowTrack } from '../../segment/segment-window.ts';
import { initName, partName, segmentName } from '../address.ts';
import { dateTime, decimal } from './attributes.ts';

/** What a media playlist is rendered for. */
export interface MediaPlaylistOptions {
  readonly trackId: string;
  /** Whether the player asked for a delta update (`_HLS_skip=YES`). */
  readonly isDelta?: boolean;
}

/** Parts older than this many target durations before the end are not listed any more (RFC 8216bis 6.2.2). */
const PARTS_FOR_TARGET_DURATIONS = 3;
/** The skip boundary in target durations (RFC 8216bis 6.2.5.1). */
const SKIP_TARGET_DURATIONS = 6;

/**
 * A media playlist of one track: CMAF segments, and parts near the end (RFC 8216bis).
 *
 * @returns undefined when the window has no such track, or no part of it yet: players take an empty playlist for an error
 */
export function renderMediaPlaylist(window: SegmentWindow, options: MediaPlaylistOptions): string | undefined {
  const track = window.tracks.find((candidate) => candidate.track.id === options.trackId);
  const first = track?.segments[0];
  if (!track || !first || !track.segments.some(({ parts }) => parts.length > 0)) return undefined;
  const isLive = window.mutability !== 'static';
  const targetSeconds = targetDuration(window);
  const lines: string[] = ['#EXTM3U', '#EXT-X-VERSION:9', `#EXT-X-TARGETDURATION:${targetSeconds}`];
  if (isLive)
    lines.push(serverControl(window, targetSeconds), `#EXT-X-PART-INF:PART-TARGET=${decimal(partTarget(window))}`);
  if (window.mutability === 'event') lines.push('#EXT-X-PLAYLIST-TYPE:EVENT');
  if (window.mutability === 'static') lines.push('#EXT-X-PLAYLIST-TYPE:VOD');
  lines.push(`#EXT-X-MEDIA-SEQUENCE:${first.msn}`);
  if (track.discontinuitySequence > 0) lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${track.discontinuitySequence}`);
  addSegments(lines, track, isLive ? targetSeconds : 0, options.isDelta === true && isLive);
  if (isLive) addTail(lines, window, track);
  else lines.push('#EXT-X-ENDLIST');
  lines.push('');
  return lines.join('\n');
}

/** EXT-X-TARGETDURATION: no segment is longer, once rounded. */
export function targetDuration(window: SegmentWindow): number {
  return Math.max(1, Math.round(Math.max(window.segmentMs, window.longestSegmentMs) / 1000));
}

/** PART-TARGET in seconds: no part is longer; on a grid of 10 ms so that jitter of a millisecond does not move it. */
function partTarget(window: SegmentWindow): number {
  return Math.ceil(Math.max(window.partMs, window.longestPartMs) / 10 - 1e-6) / 100;
}

function serverControl(window: SegmentWindow, targetSeconds: number): string {
  const holdBack = decimal(partTarget(window) * 3);
  const skipUntil = targetSeconds * SKIP_TARGET_DURATIONS;
  return `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=${skipUntil},HOLD-BACK=${targetSeconds * 3},PART-HOLD-BACK=${holdBack}`;
}

function addSegments(lines: string[], track: WindowTrack, targetSeconds: number, isDelta: boolean): void {
  const { segments } = track;
  const timescale = track.track.timescale;
  const withParts = firstWithin(segments, PARTS_FOR_TARGET_DURATIONS, targetSeconds * timescale);
  const from = isDelta ? firstWithin(segments, SKIP_TARGET_DURATIONS, targetSeconds * timescale) : 0;
  let initId = -1;
  if (from > 0) {
    lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${from}`);
    initId = (segments[from - 1] as Segment).initId;
  }
  for (let index = from; index < segments.length; index++) {
    const segment = segments[index] as Segment;
    if (segment.isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.initId !== initId) {
      initId = segment.initId;
      lines.push(`#EXT-X-MAP:URI="${initName(initId)}"`);
    }
    if (segment.isComplete) {
      lines.push(completeText(segment, timescale, index >= withParts));
    } else {
      if (segment.parts.length > 0) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${dateTime(segment.startMs)}`);
      addParts(lines, segment, timescale, 0);
    }
  }
}

/**
 * Index of the first segment that ends less than so many target durations of play before the end. Holes in time are not
 * played and do not count. An open segment that has outgrown the target counts as one: it says nothing of what a player
 * has missed of those before it.
 */
function firstWithin(segments: readonly Segment[], targets: number, targetTicks: number): number {
  let played = 0;
  let index = segments.length;
  while (index > 0 && played < targets * targetTicks)
    played += Math.min((segments[--index] as Segment).durationTicks, targetTicks);
  return index;
}

/** Lines of complete segments never change, so they are made once: with their parts, and without. */
const textWithParts = new WeakMap<Segment, string>();
const textWithoutParts = new WeakMap<Segment, string>();

function completeText(segment: Segment, timescale: number, hasParts: boolean): string {
  const cache = hasParts ? textWithParts : textWithoutParts;
  const known = cache.get(segment);
  if (known !== undefined) return known;
  const lines = [`#EXT-X-PROGRAM-DATE-TIME:${dateTime(segment.startMs)}`];
  if (hasParts) addParts(lines, segment, timescale, 0);
  if (segment.isGap) lines.push('#EXT-X-GAP');
  lines.push(`#EXTINF:${decimal(segment.durationTicks / timescale)},`, segmentName(segment));
  const text = lines.join('\n');
  cache.set(segment, text);
  return text;
}

function addParts(lines: string[], segment: Segment, timescale: number, from: number): void {
  for (let index = from; index < segment.parts.length; index++) {
    const part = segment.parts[index];
    if (!part) continue;
    const independent = part.isIndependent ? ',INDEPENDENT=YES' : '';
    lines.push(
      `#EXT-X-PART:DURATION=${decimal(part.durationTicks / timescale)},URI="${partName(segment, part)}"${independent}`,
    );
  }
}

/** The hint of the next part, and where the other renditions are. */
function addTail(lines: string[], window: SegmentWindow, track: WindowTrack): void {
  const open = track.segments.at(-1);
  if (open && !open.isComplete) {
    lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${partName(open, { index: open.parts.length })}"`);
  }
  for (const other of window.tracks) {
    const last = other.segments.at(-1);
    if (other === track || !last) continue;
    const position = lastPosition(other);
    lines.push(
      `#EXT-X-RENDITION-REPORT:URI="../${other.track.id}/index.m3u8",LAST-MSN=${position.msn},LAST-PART=${position.part}`,
    );
  }
}

/** Media sequence number and part index of the newest part of a track (LAST-MSN, LAST-PART). */
export function lastPosition(track: WindowTrack): { msn: number; part: number } {
  for (let index = track.segments.length - 1; index >= 0; index--) {
    const segment = track.segments[index] as Segment;
    if (segment.parts.length > 0) return { msn: segment.msn, part: segment.parts.length - 1 };
    if (segment.isComplete) return { msn: segment.msn, part: 0 };
  }
  return { msn: (track.segments[0]?.msn ?? 0) - 1, part: 0 };
}
