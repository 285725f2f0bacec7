import type { Track } from '../../media/track.ts';
import type { Segment, SegmentWindow, WindowPeriod } from '../../segment/segment-window.ts';
import { measuredRate } from '../hls/multivariant-playlist.ts';

/** What an MPD is rendered with. */
export interface MpdOptions {
  /** Wall clock in epoch milliseconds: `publishTime`, and the time for players that cannot ask for it. */
  readonly nowMs: number;
  /** Address, relative to the MPD, that answers with the time of the server as ISO 8601 text. Players set their clock by it. */
  readonly timeAddress?: string;
  /** Query string, without `?`, that segment addresses carry on. */
  readonly query?: string;
}

/** Segments of a window that has filled, by default (`segment_count`). */
const FULL_WINDOW_SEGMENTS = 6;

interface PeriodTrack {
  readonly track: Track;
  readonly initId: number;
  readonly segments: readonly Segment[];
  readonly bandwidth: number;
}

/**
 * The MPD of a window (ISO/IEC 23009-1): dynamic, low latency, one Period for each stretch without a discontinuity.
 * Media time is UTC, so availability starts in 1970 and every Period maps media time to itself; addresses are epoch
 * milliseconds, which is why every timescale here is 1000.
 *
 * @returns undefined before the first complete segment
 */
export function renderMpd(window: SegmentWindow, options: MpdOptions): string | undefined {
  const periods = window.periods
    .map((period, index) => ({ period, tracks: periodTracks(window, index) }))
    .filter(({ tracks }) => tracks.length > 0);
  if (periods.length === 0 || !window.tracks.some(({ segments }) => segments.some((segment) => segment.isComplete)))
    return undefined;
  const isLive = window.mutability !== 'static';
  const now = new Date(options.nowMs).toISOString();
  const longest = Math.max(window.longestSegmentMs, window.segmentMs);
  const depth = windowDepthMs(window);
  // A window that has just begun says what it will hold: players that take the live edge to be a little later than it is would
  // otherwise drop segments that they have not loaded yet.
  const keptDepth = Math.max(depth, longest * FULL_WINDOW_SEGMENTS);
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  const head = [
    'xmlns="urn:mpeg:dash:schema:mpd:2011"',
    'profiles="urn:mpeg:dash:profile:isoff-live:2011,urn:mpeg:dash:profile:cmaf:2019"',
    `type="${isLive ? 'dynamic' : 'static'}"`,
    `maxSegmentDuration="${seconds(longest)}"`,
    `minBufferTime="${seconds(window.segmentMs)}"`,
  ];
  if (isLive) {
    head.push(
      'availabilityStartTime="1970-01-01T00:00:00Z"',
      `publishTime="${now}"`,
      `minimumUpdatePeriod="${seconds(window.partMs)}"`,
      `timeShiftBufferDepth="${seconds(keptDepth)}"`,
      `suggestedPresentationDelay="${seconds(latencyTarget(window) + window.segmentMs)}"`,
    );
  } else head.push(`mediaPresentationDuration="${seconds(depth)}"`);
  lines.push(`<MPD ${head.join(' ')}>`);
  if (isLive) lines.push(serviceDescription(window));
  for (const { period, tracks } of periods) addPeriod(lines, window, period, tracks, options);
  if (isLive) {
    // An MPD may be as old as caches let it be, so its own time comes second.
    if (options.timeAddress !== undefined)
      lines.push(
        `<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="${attribute(options.timeAddress)}"/>`,
      );
    lines.push(`<UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="${now}"/>`);
  }
  lines.push('</MPD>', '');
  return lines.join('\n');
}

/** The latency that players are asked to keep, in milliseconds: three parts and a bit for the network. */
function latencyTarget(window: SegmentWindow): number {
  return Math.max(window.partMs * 3 + 500, 1500);
}

function serviceDescription(window: SegmentWindow): string {
  const target = latencyTarget(window);
  const latency = `<Latency target="${target}" min="${Math.round(target / 2)}" max="${target * 3}"/>`;
  return `<ServiceDescription id="0">${latency}<PlaybackRate min="0.96" max="1.04"/></ServiceDescription>`;
}

function addPeriod(
  lines: string[],
  window: SegmentWindow,
  period: WindowPeriod,
  tracks: readonly PeriodTrack[],
  options: MpdOptions,
): void {
  lines.push(`<Period id="p${period.startMs}" start="${seconds(period.startMs)}">`);
  for (const track of tracks) addAdaptationSet(lines, window, period, track, options);
  lines.push('</Period>');
}

function addAdaptationSet(
  lines: string[],
  window: SegmentWindow,
  period: WindowPeriod,
  { track, initId, segments, bandwidth }: PeriodTrack,
  options: MpdOptions,
): void {
  const isLive = window.mutability !== 'static';
  const language = track.language === undefined ? '' : ` lang="${attribute(track.language)}"`;
  const set = `id="${setId(track)}" contentType="${track.content}" mimeType="${track.content}/mp4" segmentAlignment="true" startWithSAP="1"${language}`;
  lines.push(`<AdaptationSet ${set}>`);
  lines.push('<Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>');
  const query = options.query ? `?${attribute(options.query)}` : '';
  const early = isLive
    ? ` availabilityTimeOffset="${decimalSeconds(window.segmentMs - window.partMs)}" availabilityTimeComplete="false"`
    : '';
  lines.push(
    `<SegmentTemplate timescale="1000" presentationTimeOffset="${period.startMs}" initialization="${track.id}/init-${initId}.mp4${query}" media="${track.id}/$Time$.m4s${query}"${early}>`,
    `<SegmentTimeline>${timeline(segments, window, track.timescale)}</SegmentTimeline>`,
    '</SegmentTemplate>',
  );
  lines.push(representation(track, bandwidth), '</AdaptationSet>');
}

/** Number of an AdaptationSet: the same for a track in every update, whichever other tracks there are. */
function setId(track: Track): number {
  return Number(track.id.slice(1)) + (track.content === 'video' ? 0 : 1000);
}

function representation(track: Track, bandwidth: number): string {
  const common = `id="${track.id}" codecs="${attribute(track.codecString)}" bandwidth="${bandwidth}"`;
  if (track.content === 'video') {
    const rate = track.fps === undefined ? '' : ` frameRate="${frameRate(track.fps)}"`;
    return `<Representation ${common} width="${track.width}" height="${track.height}" sar="${track.sarWidth}:${track.sarHeight}"${rate}/>`;
  }
  const scheme = 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011';
  return `<Representation ${common} audioSamplingRate="${track.sampleRate}"><AudioChannelConfiguration schemeIdUri="${scheme}" value="${track.channels}"/></Representation>`;
}

/**
 * The segments of a period. The open segment is listed too, as soon as it has a part, with the length that the last one
 * had: a player may ask for it, and gets its parts as they come.
 */
function timeline(segments: readonly Segment[], window: SegmentWindow, timescale: number): string {
  let text = '';
  let expected = Number.NaN;
  let lastMs = window.segmentMs;
  for (const [index, segment] of segments.entries()) {
    if (segment.isGap || (!segment.isComplete && segment.parts.length === 0)) continue;
    const next = segments[index + 1];
    const ownMs = Math.max(1, Math.round((segment.durationTicks * 1000) / timescale));
    const duration = next ? next.startMs - segment.startMs : segment.isComplete ? ownMs : Math.max(lastMs, ownMs);
    lastMs = duration;
    text += segment.startMs === expected ? `<S d="${duration}"/>` : `<S t="${segment.startMs}" d="${duration}"/>`;
    expected = segment.startMs + duration;
  }
  return text;
}

/** The segments of each track that belong to the period at `index`. A period ends where the next one begins. */
function periodTracks(window: SegmentWindow, index: number): PeriodTrack[] {
  const period = window.periods[index];
  const endMsn = window.periods[index + 1]?.firstMsn ?? Infinity;
  if (!period) return [];
  const result: PeriodTrack[] = [];
  for (const windowTrack of window.tracks) {
    const segments = windowTrack.segments.filter((segment) => segment.msn >= period.firstMsn && segment.msn < endMsn);
    const initId = segments[0]?.initId;
    if (initId === undefined || !hasMedia(segments)) continue;
    const track = window.init(windowTrack.track.id, initId)?.track ?? windowTrack.track;
    result.push({ track, initId, segments, bandwidth: measuredRate(windowTrack).peak });
  }
  return result;
}

function hasMedia(segments: readonly Segment[]): boolean {
  return segments.some((segment) => segment.parts.length > 0);
}

function windowDepthMs(window: SegmentWindow): number {
  let from = Infinity;
  let to = 0;
  for (const { track, segments } of window.tracks) {
    const first = segments[0];
    const last = segments.at(-1);
    if (!first || !last) continue;
    from = Math.min(from, first.startMs);
    to = Math.max(to, last.startMs + Math.round((last.durationTicks * 1000) / track.timescale));
  }
  return to > from ? to - from : 0;
}

/** Milliseconds as xs:duration. */
function seconds(ms: number): string {
  return `PT${decimalSeconds(ms)}S`;
}

function decimalSeconds(ms: number): string {
  return String(Math.round(ms) / 1000);
}

function frameRate(fps: number): string {
  const rounded = Math.round(fps);
  if (Math.abs(fps - rounded) < 0.001) return String(rounded);
  return `${Math.round(fps * 1.001) * 1000}/1001`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
