import { isoTime } from '../../lib/clock.ts';
import { runAtOnce } from '../../lib/turns.ts';
import type { Track } from '../../media/track.ts';
import type { SegmentWindow, TimeRange, WindowSegment, WindowTrack } from '../../segment/segment-window.ts';
import { initName } from '../address.ts';
import { playableTracks, startsIndependent } from '../playable-tracks.ts';
import { segmentSteps, withNewest, type RenderStep } from '../segment-steps.ts';
import { escapeAttribute } from './escape-attribute.ts';
import { subtitleSet } from './subtitle-set.ts';
import { thumbnailSet } from './thumbnail-set.ts';
import {
  continues,
  endOf,
  type ListedPeriod,
  listedPeriods,
  type ListedTrack,
  loadsFullSegments,
  partMsOf,
  type PeriodTrack,
} from './listed-periods.ts';
import { pictureEnd, timeline } from './timeline.ts';

/** Options for rendering an MPD. */
export interface MpdOptions {
  /** Wall clock in epoch milliseconds: `publishTime`, and the time for players that cannot request it. */
  readonly nowMs: number;
  /**
   * Address, relative to the MPD, that answers with the time of the server as ISO 8601 text. Players synchronize their
   * clock with it.
   */
  readonly timeAddress?: string;
  /** Query string, without `?`, appended to segment addresses. */
  readonly query?: string;
  /** Listed range of a long window; default: all. */
  readonly range?: TimeRange;
  /** True to merge periods that continue in the same format, even across gaps (`period=mono`). */
  readonly areJoined?: boolean;
  /** Seconds between two thumbnails, listed in the MPD of a complete recording. */
  readonly thumbnailSeconds?: number;
}

/** Default number of segments of a full window (`segment_count`). */
const FULL_WINDOW_SEGMENTS = 6;
/** Minimum time without media between two periods that counts as a gap, in milliseconds. */
const GAP_MS = 500;
/** Minimum distance of the starting position from the live edge and from a gap, in milliseconds. */
const MIN_LATENCY_MS = 300;
/** Distance of the starting position from the start of the listed range, in milliseconds. */
const AFTER_START_MS = 150;
/** Minimum duration of a window that counts as seekable, in milliseconds. */
const LONG_WINDOW_MS = 60_000;
/**
 * Time by which a presentation that has ended exceeds its media, in milliseconds, because times are rounded to one. If
 * the clock of dash.js reaches the end before its video element reports it, dash.js jumps back half a second and
 * pauses.
 */
const AFTER_END_MS = 2;

/** Marks an AdaptationSet as the continuation of the AdaptationSet with the same id in an earlier Period (5.3.2.4). */
const PERIOD_CONTINUITY = 'urn:mpeg:dash:period-continuity:2015';

/**
 * MPD of a window (ISO/IEC 23009-1): one Period for each range without a discontinuity and with the same tracks, one
 * AdaptationSet for each group of tracks. The tracks of a listed Period do not change, because players notice new and
 * ended tracks only in the next Period. The MPD of a growing window is dynamic, with low latency, on the timeline of
 * the window: with UTC, availability starts in 1970. The MPD of a window that never changes is static and starts at 0.
 * Its gaps take no time, as in HLS, because not every player crosses time without media. Addresses are milliseconds, so
 * every timescale here is 1000.
 * @returns undefined before the first part of every track
 */
export function renderMpd(window: SegmentWindow, options: MpdOptions): string | undefined {
  return runAtOnce(mpdSteps(window, options));
}

/** Like `renderMpd`, in short steps, for a long window, which may change between the steps. */
export function* mpdSteps(window: SegmentWindow, options: MpdOptions): Generator<RenderStep, string | undefined> {
  const tracks = yield* listSteps(window, options.range);
  const isComplete = tracks.some(({ segments }) => segments.some(({ segment }) => segment.isComplete));
  const hasStarted = isComplete || (partMsOf(window) > 0 && playableTracks(window).length > 0);
  const bounds = boundsOf(window, tracks, options.range);
  const periods = hasStarted ? listedPeriods(window, tracks, bounds, options) : [];
  if (periods.length === 0) return undefined;
  const isLive = window.mutability !== 'static';
  const now = isoTime(options.nowMs);
  const longest = Math.max(window.longestSegmentMs, window.segmentMs);
  const depth = isLive ? bounds.toMs - bounds.fromMs : playedMs(periods);
  // A window that has just started announces its later duration: players that estimate the live edge slightly too late
  // would otherwise drop segments before loading them.
  const keptDepth = Math.max(depth, longest * FULL_WINDOW_SEGMENTS);
  const isTrimmed = window.mutability === 'live';
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
      `availabilityStartTime="${startDate(window)}"`,
      `publishTime="${now}"`,
      `minimumUpdatePeriod="${seconds(updateMs(window))}"`,
      ...(isTrimmed ? [`timeShiftBufferDepth="${seconds(keptDepth)}"`] : []),
      `suggestedPresentationDelay="${seconds(latencyTarget(window) + suggestedMoreMs(window))}"`,
    );
  } else head.push(`mediaPresentationDuration="${seconds(Math.floor(depth) + AFTER_END_MS)}"`);
  lines.push(`<MPD ${head.join(' ')}>`);
  if (isLive)
    lines.push(serviceDescription(window, periods, options.nowMs, window.canRewind === true || depth > LONG_WINDOW_MS));
  yield 'read';
  for (const period of periods) yield* addPeriod(lines, window, period, options);
  if (isLive) {
    // Fallback: this time is as old as the MPD, which caches may have stored.
    if (options.timeAddress !== undefined)
      lines.push(
        `<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="${escapeAttribute(options.timeAddress)}"/>`,
      );
    lines.push(`<UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="${now}"/>`);
  }
  lines.push('</MPD>', '');
  yield;
  return lines.join('\n');
}

/**
 * All tracks with their segments, in their state after the last step. A long window creates segments when they are
 * listed, so each is listed only once.
 */
function* listSteps(
  window: SegmentWindow,
  range: TimeRange | undefined,
): Generator<RenderStep, readonly ListedTrack[]> {
  const { version } = window;
  const lists = new Map<string, readonly WindowSegment[]>();
  for (const { track } of listedTracks(window)) lists.set(track.id, yield* segmentSteps(window, track.id, range));
  const hasChanged = window.version !== version;
  // The duration of the longest track counts: a new track is short.
  return listedTracks(window).map((track) => {
    const { id } = track.track;
    const segments = lists.get(id) ?? window.segments(id, range);
    return { track, segments: hasChanged ? withNewest(window, id, segments, range) : segments };
  });
}

/** Target latency of players, in milliseconds: three parts or segments, and a margin for the network. */
function latencyTarget(window: SegmentWindow): number {
  const usual = Math.max(stepMs(window) * 3 + 500, 1500);
  // Two segments that are loaded completely (the viewer may be a segment late after a break), and the interval of MPD
  // updates.
  return loadsFullSegments(window) ? Math.min(usual, window.segmentMs * 2 + updateMs(window) + 1000) : usual;
}

/**
 * Suggested presentation delay minus target latency, in milliseconds. The suggested delay is for players that do not
 * control their latency. Shaka Player adds the segment that it loads completely to the delay.
 */
function suggestedMoreMs(window: SegmentWindow): number {
  if (partMsOf(window) > 0) return window.segmentMs;
  return loadsFullSegments(window) ? -window.segmentMs : 0;
}

/** Interval at which players request the MPD, in milliseconds: short enough that they soon find a complete segment. */
function updateMs(window: SegmentWindow): number {
  return window.partMs || window.segmentMs;
}

/** Interval at which the window grows, in milliseconds: by parts, or by segments without parts. */
function stepMs(window: SegmentWindow): number {
  return partMsOf(window) || window.segmentMs;
}

/** Date of time 0 of the presentation. */
function startDate({ epochMs = 0 }: SegmentWindow): string {
  return isoTime(epochMs).replace('.000Z', 'Z');
}

/**
 * Instructions that keep players near the live edge. If viewers can seek back, only the starting position is given:
 * with `max`, dash.js would move viewers who went back to the live edge. The starting position is never in a gap. It is
 * never at the start of a window whose segments are loaded completely either: Chromium reports the start of the
 * seekable range as its position at once, so dash.js would not seek, and would decode nothing until it treats the state
 * as a gap.
 */
function serviceDescription(
  window: SegmentWindow,
  periods: readonly ListedPeriod[],
  nowMs: number,
  canRewind: boolean,
): string {
  const target = Math.min(latencyTarget(window), sinceGap(periods), sinceStart(window, periods, nowMs));
  const bounds = canRewind ? '' : ` min="${Math.round(target / 2)}" max="${latencyTarget(window) * 3}"`;
  const rates = canRewind ? 'min="1.00" max="1.00"' : 'min="0.96" max="1.04"';
  return `<ServiceDescription id="0"><Latency target="${target}"${bounds}/><PlaybackRate ${rates}/></ServiceDescription>`;
}

/**
 * Duration from the end of the last gap between periods to a little before the live edge, in milliseconds; Infinity
 * without such a gap.
 */
function sinceGap(periods: readonly ListedPeriod[]): number {
  const [before, newest] = periods.slice(-2);
  if (!before || !newest || newest.fromMs - endOf(before) < GAP_MS) return Infinity;
  return Math.max(MIN_LATENCY_MS, Math.round(endOf(newest) - newest.fromMs) - MIN_LATENCY_MS);
}

/**
 * Distance from the live edge to shortly after the start of the listed segments, in milliseconds, if segments are
 * loaded completely.
 */
function sinceStart(window: SegmentWindow, [first]: readonly ListedPeriod[], nowMs: number): number {
  // Parts would be too late for a player this close to the start of a new stream.
  return first && loadsFullSegments(window)
    ? Math.max(MIN_LATENCY_MS, Math.round(nowMs - (window.epochMs ?? 0) - first.fromMs) - AFTER_START_MS)
    : Infinity;
}

function* addPeriod(
  lines: string[],
  window: SegmentWindow,
  listed: ListedPeriod,
  options: MpdOptions,
): Generator<void, void> {
  const { tracks, startMs } = listed;
  lines.push(`<Period id="${periodId(listed)}" start="${seconds(startMs)}">`);
  addEvents(lines, listed);
  const groups = new Map<string, PeriodTrack[]>();
  for (const track of tracks) {
    const group = groups.get(track.group);
    if (group) group.push(track);
    else groups.set(track.group, [track]);
  }
  for (const group of groups.values()) yield* addAdaptationSet(lines, window, listed, group, options);
  if (window.mutability === 'static')
    for (const one of window.subtitles ?? []) lines.push(...subtitleSet(one, options.query));
  const { thumbnailSeconds: stepSeconds, query } = options;
  // Sprites have UTC times.
  if (window.mutability === 'static' && window.epochMs === 0 && stepSeconds !== undefined) {
    const time = { fromMs: listed.offsetMs, toMs: endOf(listed), stepSeconds };
    lines.push(...thumbnailSet({ ...time, ...(query === undefined ? {} : { query }) }));
  }
  lines.push('</Period>');
}

/** Playing time of all periods of a window that never changes, in milliseconds. */
function playedMs(periods: readonly ListedPeriod[]): number {
  const last = periods.at(-1);
  return last ? last.startMs + endOf(last) - last.fromMs : 0;
}

function periodId({ period }: Pick<ListedPeriod, 'period'>): string {
  return `p${period.startMs}`;
}

/** Splice points as events (SCTE 214-1, 6.8.3): the section in its binary form. */
function addEvents(lines: string[], { period, offsetMs, splices }: ListedPeriod): void {
  if (splices.length === 0) return;
  lines.push(
    `<EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="1000" presentationTimeOffset="${offsetMs}">`,
  );
  let same = 0;
  for (const [index, { atMs, durationMs, section }] of splices.entries()) {
    const duration = durationMs === null ? '' : ` duration="${durationMs}"`;
    const at = period.mediaOffsetMs + atMs - period.startMs;
    // Several commands may take effect at the same time. An id has 32 bits, and the end of a break has another id than
    // its start
    // (5.10.2.2).
    same = splices[index - 1]?.atMs === atMs ? same + 1 : 0;
    const id = (atMs * 4 + Math.min(same, 3)) % 2 ** 32;
    const event = `<Event presentationTime="${at}"${duration} id="${id}">`;
    const signal = `<Signal xmlns="http://www.scte.org/schemas/35/2016"><Binary>${section}</Binary></Signal>`;
    lines.push(`${event}${signal}</Event>`);
  }
  lines.push('</EventStream>');
}

/**
 * AdaptationSet of a group of tracks, with one Representation each. Their segments start at the same cut points, but
 * not in the same millisecond.
 */
function* addAdaptationSet(
  lines: string[],
  window: SegmentWindow,
  period: ListedPeriod,
  group: readonly PeriodTrack[],
  options: MpdOptions,
): Generator<void, void> {
  const [first] = group;
  if (!first) return;
  const { track } = first;
  const language = track.language === undefined ? '' : ` lang="${escapeAttribute(track.language)}"`;
  // Also 1 for open GOPs and intra refresh (types 3 and 4): windows do not know the type, and players ignore the value.
  const sap = group.every((one) => startsIndependent(window, one.track.id)) ? ' startWithSAP="1"' : '';
  const set = `id="${setId(track)}" contentType="${track.content}" mimeType="${track.content}/mp4" segmentAlignment="true"${sap}${language}`;
  lines.push(`<AdaptationSet ${set}>`);
  if (period.before && group.every((one) => continues(one, period.before)))
    lines.push(`<SupplementalProperty schemeIdUri="${PERIOD_CONTINUITY}" value="${periodId(period.before)}"/>`);
  // Shaka Player switches between audio tracks without languages by their bit rate, unless one has the role `main`.
  const isMain = period.tracks.find((one) => one.track.content === track.content) === first;
  lines.push(`<Role schemeIdUri="urn:mpeg:dash:role:2011" value="${isMain ? 'main' : 'alternate'}"/>`);
  if (group.length === 1)
    lines.push(...(yield* segmentTemplate(window, period, first, options)), representation(first));
  else for (const one of group) lines.push(representation(one, yield* segmentTemplate(window, period, one, options)));
  lines.push('</AdaptationSet>');
}

function* segmentTemplate(
  window: SegmentWindow,
  { period, offsetMs, tracks }: ListedPeriod,
  { track, initId, segments }: PeriodTrack,
  options: MpdOptions,
): Generator<void, string[]> {
  const query = options.query ? `?${escapeAttribute(options.query)}` : '';
  const partMs = partMsOf(window);
  const early =
    partMs > 0
      ? ` availabilityTimeOffset="${decimalSeconds(window.segmentMs - partMs)}" availabilityTimeComplete="false"`
      : '';
  const folder = `${track.id}/`;
  const prefix = escapeAttribute(period.addressPrefix);
  return [
    `<SegmentTemplate timescale="1000" presentationTimeOffset="${offsetMs}" initialization="${folder}${escapeAttribute(initName(initId, period.addressPrefix))}${query}" media="${folder}${prefix}$Time$.m4s${query}"${early}>`,
    `<SegmentTimeline>${yield* timeline(segments, window, track, pictureEnd(tracks, window))}</SegmentTimeline>`,
    '</SegmentTemplate>',
  ];
}

/** Id of an AdaptationSet: constant for a track in every update, independent of other tracks. */
function setId(track: Track): number {
  return Number(track.id.slice(1)) + (track.content === 'video' ? 0 : 1000);
}

/** @param content lines inside the element */
function representation({ track, bandwidth }: PeriodTrack, content: readonly string[] = []): string {
  const common = `id="${track.id}" codecs="${escapeAttribute(track.codecString)}" bandwidth="${bandwidth}"`;
  if (track.content === 'video') {
    const rate = track.fps === undefined ? '' : ` frameRate="${frameRate(track.fps)}"`;
    const start = `<Representation ${common} width="${track.width}" height="${track.height}" sar="${track.sarWidth}:${track.sarHeight}"${rate}`;
    return content.length === 0 ? `${start}/>` : [`${start}>`, ...content, '</Representation>'].join('\n');
  }
  const scheme = 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011';
  return `<Representation ${common} audioSamplingRate="${track.sampleRate}"><AudioChannelConfiguration schemeIdUri="${scheme}" value="${track.channels}"/>${content.join('')}</Representation>`;
}

/** All tracks with segments in the window. */
function listedTracks(window: SegmentWindow): readonly WindowTrack[] {
  return window.listedTracks ?? window.tracks;
}

/** Listed range, from the start of the first segment to the end of the last one. */
function boundsOf(window: SegmentWindow, tracks: readonly ListedTrack[], range: TimeRange | undefined): TimeRange {
  const bounds = window.bounds() ?? { fromMs: 0, toMs: 0 };
  if (!range) return bounds;
  const starts = tracks.map(({ segments }) => segments[0]?.startMs ?? Infinity);
  const ends = tracks.map(({ track: { track }, segments }) => {
    const last = segments.at(-1);
    return last ? last.startMs + Math.round((last.segment.durationTicks * 1000) / track.timescale) : 0;
  });
  return { fromMs: Math.min(...starts), toMs: Math.max(...ends) };
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
