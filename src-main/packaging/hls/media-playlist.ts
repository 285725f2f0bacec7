import { isoTime } from '../../lib/clock.ts';
import { runAtOnce } from '../../lib/turns.ts';
import { targetDurationOf } from '../../segment/segmenter-options.ts';
import type { SegmentWindow, TimeRange, WindowSegment } from '../../segment/segment-window.ts';
import { initName, partName, prefixOf, segmentName } from '../address.ts';
import { hasMedia } from '../playable-tracks.ts';
import { STEP_SEGMENTS, segmentSteps, type RenderStep } from '../segment-steps.ts';
import { decimal } from './attributes.ts';
import { interstitialLines } from './interstitials.ts';
import { leadInOf } from './lead-in.ts';
import { spliceLines, type SpliceLines, type SpliceMarks } from './splice-marks.ts';
import { firstSegments, startLines } from './start-position.ts';

/** Options for rendering a media playlist. */
export interface MediaPlaylistOptions {
  readonly trackId: string;
  /** True if the player requested a delta update (`_HLS_skip=YES`). */
  readonly isDelta?: boolean;
  /** True for the first playlist of a player, which is requested without a number. */
  readonly isFirst?: boolean;
  /** Listed range of a long window; default: all. */
  readonly range?: TimeRange;
  /** Name of the playlists of all tracks in their folders, without the extension; default: `index`. */
  readonly name?: string;
  /** Style of splice marks; default: none. */
  readonly marks?: SpliceMarks;
  /** Address of the folder of the stream; default: relative to that of the track. */
  readonly folder?: string;
}

/** Distance from the end, in target durations, beyond which parts are no longer listed (RFC 8216bis 6.2.2). */
const PARTS_FOR_TARGET_DURATIONS = 3;
/** Skip boundary in target durations (RFC 8216bis 6.2.5.1). */
const SKIP_TARGET_DURATIONS = 6;

/**
 * Media playlist of one track: CMAF segments, and parts near the end (RFC 8216bis).
 * @returns undefined if the window does not have the track, or no part of it yet: players treat an empty playlist as an
 * error
 */
export function renderMediaPlaylist(window: SegmentWindow, options: MediaPlaylistOptions): string | undefined {
  return runAtOnce(mediaPlaylistSteps(window, options));
}

/** Like `renderMediaPlaylist`, in short steps, for a long window, which may change between the steps. */
export function* mediaPlaylistSteps(
  window: SegmentWindow,
  options: MediaPlaylistOptions,
): Generator<RenderStep, string | undefined> {
  const { trackId, range } = options;
  const isDelta = options.isDelta === true && window.mutability !== 'static';
  const newest = isDelta && !range ? newestOf(window, trackId) : undefined;
  const all = newest?.segments ?? (yield* segmentSteps(window, trackId, range));
  const track = window.tracks.find((candidate) => candidate.track.id === trackId)?.track;
  const first = newest?.first ?? all[0];
  if (!track || !first || !all.some(hasMedia)) return undefined;
  const isLive = window.mutability !== 'static';
  const targetSeconds = targetDuration(window);
  const lines: string[] = ['#EXTM3U', '#EXT-X-VERSION:9', `#EXT-X-TARGETDURATION:${targetSeconds}`];
  if (isLive) addServerControl(lines, window, targetSeconds);
  if (window.mutability === 'event') lines.push('#EXT-X-PLAYLIST-TYPE:EVENT');
  if (window.mutability === 'static') lines.push('#EXT-X-PLAYLIST-TYPE:VOD');
  const leadIn = isLive ? leadInOf(window, all, targetSeconds, track.timescale) : undefined;
  const segments =
    options.isFirst === true && window.partMs > 0 && !leadIn
      ? firstSegments(window, all, partTarget(window) * track.timescale)
      : all;
  lines.push(`#EXT-X-MEDIA-SEQUENCE:${leadIn?.firstMsn ?? first.msn}`);
  const { discontinuitySequence } = first;
  if (discontinuitySequence > 0) lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuitySequence}`);
  const isAlone = leadIn === undefined && isOpenAlone(segments, targetSeconds * track.timescale);
  const hasParts = isLive && window.partMs > 0 && !isAlone;
  if (!leadIn && !newest) lines.push(...startLines(window, segments));
  const splices = spliceLines(window, options);
  lines.push(...splices.head, ...interstitialLines(window, options.folder ?? '../'), ...(leadIn?.lines ?? []));
  const tail = isLive ? tailOf(window, options, hasParts && segments === all) : ['#EXT-X-ENDLIST'];
  const isLong = segments.length > STEP_SEGMENTS;
  if (isLong) yield 'read';
  yield* addSegments(
    lines,
    {
      segments: isLong ? asOfNow(segments) : segments,
      leftOut: newest?.leftOut ?? 0,
      timescale: track.timescale,
      epochMs: window.epochMs,
      targetSeconds,
      isStatic: !isLive,
      hasParts,
      splices,
    },
    isDelta,
  );
  lines.push(...tail, '');
  if (isLong) yield;
  return lines.join('\n');
}

/** Input for the lines of segments. */
interface Listing {
  readonly segments: readonly WindowSegment[];
  /** Number of earlier segments that a delta update leaves out. */
  readonly leftOut: number;
  readonly timescale: number;
  readonly epochMs: number | undefined;
  readonly targetSeconds: number;
  /** True if the window never changes. */
  readonly isStatic: boolean;
  /** True to list the parts of the newest segments. */
  readonly hasParts: boolean;
  readonly splices: SpliceLines;
}

/**
 * Minimum duration of a window from which on a delta update reads only its end, and the duration of that end, in
 * milliseconds.
 */
const LONG_MS = 3_600_000;
const NEWEST_MS = 900_000;

/**
 * End of a long window for a delta update, and its first segment; undefined if the complete window must be read,
 * because it is short or has gaps.
 */
function newestOf(
  window: SegmentWindow,
  trackId: string,
):
  { readonly first: WindowSegment; readonly segments: readonly WindowSegment[]; readonly leftOut: number } | undefined {
  const bounds = window.bounds();
  if (!bounds || bounds.toMs - bounds.fromMs <= LONG_MS) return undefined;
  const [first] = window.segments(trackId, {
    fromMs: bounds.fromMs,
    toMs: bounds.fromMs + 4 * window.longestSegmentMs,
  });
  const segments = window.segments(trackId, { fromMs: bounds.toMs - NEWEST_MS, toMs: Infinity });
  const [second] = segments;
  const timescale = window.tracks.find(({ track }) => track.id === trackId)?.track.timescale ?? 1;
  if (!first || !second || firstWithin(segments, SKIP_TARGET_DURATIONS, targetDuration(window) * timescale) === 0)
    return undefined;
  return { first, segments, leftOut: second.msn - first.msn };
}

/** Copies of the segments in their current state: the newest segment may get parts while older ones are rendered. */
function asOfNow(segments: readonly WindowSegment[]): readonly WindowSegment[] {
  const copied = [...segments];
  for (let at = copied.length - 1; at >= 0; at--) {
    const entry = copied[at];
    if (!entry || entry.segment.isComplete) break;
    const { msn, startMs, isDiscontinuity, discontinuitySequence, address } = entry;
    const { trackId, startTicks, durationTicks, parts, sizeBytes, isComplete, isGap, initId } = entry.segment;
    const times = { startTicks, durationTicks, startMs: entry.segment.startMs };
    const segment = { ...times, trackId, parts: [...parts], sizeBytes, isComplete, isGap, initId };
    copied[at] = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address };
  }
  return copied;
}

/** EXT-X-TARGETDURATION of a window. */
export function targetDuration(window: SegmentWindow): number {
  return targetDurationOf(window.segmentMs, window.longestSegmentMs);
}

/**
 * PART-TARGET in seconds: no part is longer; rounded up to 10 ms so that jitter of a millisecond does not change it.
 */
function partTarget(window: SegmentWindow): number {
  return Math.ceil(Math.max(window.partMs, window.longestPartMs) / 10 - 1e-6) / 100;
}

function addServerControl(lines: string[], window: SegmentWindow, targetSeconds: number): void {
  const hasParts = window.partMs > 0;
  const skipUntil = targetSeconds * SKIP_TARGET_DURATIONS;
  const partHoldBack = hasParts ? `,PART-HOLD-BACK=${decimal(partTarget(window) * 3)}` : '';
  lines.push(
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=${skipUntil},HOLD-BACK=${targetSeconds * 3}${partHoldBack}`,
  );
  if (hasParts) lines.push(`#EXT-X-PART-INF:PART-TARGET=${decimal(partTarget(window))}`);
}

function* addSegments(lines: string[], listing: Listing, isDelta: boolean): Generator<RenderStep, void> {
  const { segments, leftOut, timescale, targetSeconds, hasParts, splices } = listing;
  const targetTicks = targetSeconds * timescale;
  const withParts = hasParts ? firstWithin(segments, PARTS_FOR_TARGET_DURATIONS, targetTicks) : segments.length;
  const from = isDelta ? firstWithin(segments, SKIP_TARGET_DURATIONS, targetTicks) : 0;
  let map = '';
  let mapId: number | undefined;
  const dates = new FollowingDates(listing);
  const skipped = segments[from - 1];
  if (skipped) {
    lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${leftOut + from}`);
    map = mapOf(skipped);
  }
  for (let index = from; index < segments.length; index++) {
    const entry = segments[index] as WindowSegment;
    if (index % STEP_SEGMENTS === STEP_SEGMENTS - 1) yield;
    if (!entry.segment.isComplete && !listing.hasParts) break;
    if (entry.isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    for (const line of splices.before(entry)) lines.push(line);
    const { initId } = entry.segment;
    // Only at a discontinuity, where media of another source starts, an equal id may have another address.
    if (initId !== mapId || entry.isDiscontinuity) {
      const entryMap = mapOf(entry);
      if (entryMap !== map) lines.push(`#EXT-X-MAP:URI="${entryMap}"`);
      map = entryMap;
      mapId = initId;
    }
    if (entry.segment.isComplete) {
      if (listing.isStatic) addComplete(lines, entry, listing, dates.follows(entry));
      else lines.push(completeText(entry, listing, index >= withParts));
    } else {
      // Without parts an open segment cannot be loaded yet.
      if (listing.hasParts && hasMedia(entry)) addDate(lines, entry, listing);
      if (listing.hasParts) addParts(lines, entry, timescale);
    }
  }
}

/**
 * Whether the open segment is the only one with parts, after segments of an archive without parts. The playlist then
 * leaves it out. hls.js loads parts only after a part of an earlier segment: it would take the video from the
 * previous segment and the audio from the open one. With a discontinuity between the two segments, video and audio
 * would wait for each other forever.
 */
function isOpenAlone(segments: readonly WindowSegment[], targetTicks: number): boolean {
  const last = segments.length - 1;
  if (last < 1 || segments[last]?.segment.isComplete !== false) return false;
  const from = firstWithin(segments, PARTS_FOR_TARGET_DURATIONS, targetTicks);
  const parts = segments.slice(from, last).flatMap(({ segment }) => segment.parts);
  return parts.length > 0 && parts.every(({ hasManyChunks }) => hasManyChunks === true);
}

function mapOf(entry: WindowSegment): string {
  return initName(entry.segment.initId, prefixOf(entry));
}

/**
 * Maximum difference, in milliseconds, between the date of a segment and the date calculated from the previous
 * segment at which the date is left out.
 */
const DATE_MS = 20;

/** Detects dates that follow from an earlier date and the durations since: a static playlist, which may be long, omits them. */
class FollowingDates {
  readonly #listing: Listing;
  #nextMs = Number.NaN;

  constructor(listing: Listing) {
    this.#listing = listing;
  }

  /** Reports whether the date of a segment may be omitted. Must be called for all segments in order. */
  follows({ startMs, isDiscontinuity, segment }: WindowSegment): boolean {
    const { isStatic, timescale } = this.#listing;
    if (!isStatic) return false;
    const isKnown = !isDiscontinuity && Math.abs(startMs - this.#nextMs) <= DATE_MS;
    this.#nextMs = (isKnown ? this.#nextMs : startMs) + (segment.durationTicks * 1000) / timescale;
    return isKnown;
  }
}

/** EXT-X-PROGRAM-DATE-TIME, for a timeline with dates. */
function addDate(lines: string[], { startMs }: WindowSegment, { epochMs }: Listing): void {
  if (epochMs !== undefined) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${isoTime(epochMs + startMs)}`);
}

/**
 * Index of the first segment that ends less than a number of target durations of playback before the end. Gaps in
 * time do not count, because they are not played. An open segment longer than the target counts as one target
 * duration, because its length does not mean that players have loaded earlier segments.
 */
function firstWithin(segments: readonly WindowSegment[], targets: number, targetTicks: number): number {
  let played = 0;
  let index = segments.length;
  while (index > 0 && played < targets * targetTicks)
    played += Math.min((segments[--index] as WindowSegment).segment.durationTicks, targetTicks);
  return index;
}

/**
 * Lines of complete segments, with and without parts. They never change, so they are created once. Not used for a
 * static window: its playlist is rendered once, may be long, and may have new segment objects for each answer.
 */
const textWithParts = new WeakMap<WindowSegment, string>();
const textWithoutParts = new WeakMap<WindowSegment, string>();

function completeText(entry: WindowSegment, listing: Listing, hasParts: boolean): string {
  const cache = hasParts ? textWithParts : textWithoutParts;
  const cached = cache.get(entry);
  if (cached !== undefined) return cached;
  const lines: string[] = [];
  addComplete(lines, entry, listing, false, hasParts);
  const text = lines.join('\n');
  cache.set(entry, text);
  return text;
}

function addComplete(
  lines: string[],
  entry: WindowSegment,
  listing: Listing,
  isDateKnown: boolean,
  hasParts = false,
): void {
  const { segment } = entry;
  if (!isDateKnown) addDate(lines, entry, listing);
  if (hasParts) addParts(lines, entry, listing.timescale);
  if (segment.isGap) lines.push('#EXT-X-GAP');
  lines.push(`#EXTINF:${decimal(segment.durationTicks / listing.timescale)},\n${segmentName(entry)}`);
}

function addParts(lines: string[], entry: WindowSegment, timescale: number): void {
  for (const part of entry.segment.parts) {
    // A complete segment from a file is not a part (RFC 8216bis 4.4.4.9), and has no address as a part.
    if (part.hasManyChunks) continue;
    const independent = part.isIndependent ? ',INDEPENDENT=YES' : '';
    lines.push(
      `#EXT-X-PART:DURATION=${decimal(part.durationTicks / timescale)},URI="${partName(entry, part)}"${independent}`,
    );
  }
}

/** Lines at the end: hint for the next part, and positions of the other renditions. */
function tailOf(window: SegmentWindow, { trackId, name = 'index' }: MediaPlaylistOptions, hasParts: boolean): string[] {
  const lines: string[] = [];
  const open = window.lastSegment(trackId);
  if (hasParts && open && !open.segment.isComplete)
    lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${partName(open, { index: open.segment.parts.length })}"`);
  for (const { track } of window.tracks) {
    if (track.id === trackId || !window.lastSegment(track.id)) continue;
    const { msn, part } = lastPosition(window, track.id);
    const lastPart = window.partMs > 0 ? `,LAST-PART=${part}` : '';
    lines.push(`#EXT-X-RENDITION-REPORT:URI="../${track.id}/${name}.m3u8",LAST-MSN=${msn}${lastPart}`);
  }
  // Without a line after the last segment, hls.js (1.7) takes it for the start of the next segment, and rejects the next
  // playlist.
  if (hasParts && lines.length === 0) lines.push('# The next segment is not known yet');
  return lines;
}

/** Media sequence number and part index of the newest part of a track (LAST-MSN, LAST-PART). */
export function lastPosition(window: SegmentWindow, trackId: string): { msn: number; part: number } {
  const last = window.lastSegment(trackId);
  if (!last) return { msn: -1, part: 0 };
  for (let entry: WindowSegment | undefined = last; entry; entry = window.segmentByMsn(trackId, entry.msn - 1)) {
    const { parts, isComplete } = entry.segment;
    if (parts.length > 0) return { msn: entry.msn, part: parts.length - 1 };
    if (isComplete) return { msn: entry.msn, part: 0 };
  }
  return { msn: last.msn - 1, part: 0 };
}
