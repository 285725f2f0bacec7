import type { Track } from '../media/track.ts';
import type {
  SegmentWindow,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from '../segment/segment-window.ts';
import { tsSegmentName } from './address.ts';
import { hasMedia, playableTracks } from './playable-tracks.ts';
import { Programme } from './programme.ts';
import { STEP_SEGMENTS, type RenderStep } from './segment-steps.ts';

/** A period with its segments. */
interface ListedPeriod {
  readonly segments: readonly WindowSegment[];
  readonly tracks: readonly object[];
}

/** Input for the text of a period, besides its segments. */
interface PeriodText {
  readonly timescales: ReadonlyMap<string, number>;
  readonly splices: readonly WindowSplice[];
  /** Epoch milliseconds of time 0 of the window; 0 without dates. */
  readonly zeroMs: number;
  /** Suffix of the addresses of segments. */
  readonly end: string;
}

/**
 * Window as JSON, for programs: periods with tracks and segments, and splice points at their segments. Times are
 * milliseconds, since 1970 in windows with dates; addresses belong to the MPEG-TS rendition.
 *
 * @param query string, without `?`, appended to the addresses of segments
 * @returns undefined if there is nothing to play yet
 */
export function* jsonManifestSteps(window: SegmentWindow, query = ''): Generator<RenderStep, string | undefined> {
  if (playableTracks(window).length === 0) return undefined;
  const listed = yield* new Programme(window).segmentSteps();
  const programme = new Programme(window);
  const segments = listed.filter((entry) => hasMedia(entry) && (isOld(listed, entry) || programme.isReady(entry.msn)));
  const periods = byPeriod(window, segments);
  const text = {
    timescales: new Map((window.listedTracks ?? window.tracks).map(({ track }) => [track.id, track.timescale])),
    splices: window.splices(),
    zeroMs: window.epochMs ?? 0,
    end: query === '' ? '' : `?${query}`,
  };
  const head = { mutability: window.mutability, segment_prefix: prefixOf(window) };
  const isLong = segments.length > STEP_SEGMENTS;
  if (isLong) yield 'read';
  const texts: string[] = [];
  for (const one of periods) texts.push(yield* periodText(one, text));
  return `${JSON.stringify(head).slice(0, -1)},"periods":[${texts.join(',')}]}\n`;
}

/** Whether a segment is old enough that it must be complete. */
function isOld(listed: readonly WindowSegment[], { msn }: WindowSegment): boolean {
  return (listed.at(-1)?.msn ?? 0) - msn > STEP_SEGMENTS;
}

/** Value of `segment_prefix`: where the segments come from. */
function prefixOf({ mutability, epochMs }: SegmentWindow): 'live' | 'dvr' | 'vod' {
  if (epochMs === undefined) return 'vod';
  return mutability === 'live' ? 'live' : 'dvr';
}

function byPeriod(window: SegmentWindow, segments: readonly WindowSegment[]): ListedPeriod[] {
  const periods = window.periods();
  const result: { readonly period: WindowPeriod; readonly segments: WindowSegment[] }[] = [];
  let at = 0;
  for (const entry of segments) {
    let isNext = result.length === 0;
    for (; (periods[at + 1]?.firstMsn ?? Infinity) <= entry.msn; at++) isNext = true;
    const period = periods[at];
    if (!period) continue;
    if (isNext) result.push({ period, segments: [] });
    result.at(-1)?.segments.push(entry);
  }
  return result.map((one) => ({ segments: one.segments, tracks: tracksOf(window, one.period, one.segments) }));
}

function* periodText(
  { segments, tracks }: ListedPeriod,
  { timescales, splices, zeroMs, end }: PeriodText,
): Generator<RenderStep, string> {
  const texts: string[] = [];
  const lengthMs = ({ segment }: WindowSegment): number =>
    Math.round((segment.durationTicks * 1000) / (timescales.get(segment.trackId) ?? Infinity));
  let spliceAt = 0;
  for (const [index, entry] of segments.entries()) {
    if (index % STEP_SEGMENTS === STEP_SEGMENTS - 1) yield 'read';
    const nextMs = segments[index + 1]?.startMs ?? entry.startMs + lengthMs(entry);
    while ((splices[spliceAt]?.atMs ?? Infinity) < entry.startMs) spliceAt++;
    const ad: object[] = [];
    for (let one = splices[spliceAt]; one && one.atMs < nextMs; one = splices[++spliceAt]) ad.push(adOf(one, zeroMs));
    texts.push(
      JSON.stringify({
        dts: zeroMs + entry.startMs,
        duration: lengthMs(entry),
        address: `${tsSegmentName(entry)}${end}`,
        ...(ad.length > 0 ? { ad } : {}),
      }),
    );
  }
  const [first] = segments;
  const last = segments.at(-1);
  const head = {
    dts: zeroMs + (first?.startMs ?? 0),
    duration: first && last ? last.startMs + lengthMs(last) - first.startMs : 0,
    media_info: { tracks },
    drm: null,
  };
  return `${JSON.stringify(head).slice(0, -1)},"segments":[${texts.join(',')}]}`;
}

function adOf({ atMs, durationMs, eventId, kind, needsReturn, section }: WindowSplice, zeroMs: number): object {
  return {
    cue_id: eventId,
    kind,
    at: zeroMs + atMs,
    duration: durationMs,
    ...(kind === 'out' ? { auto_return: needsReturn !== true } : {}),
    section,
  };
}

/** Description of the tracks of a period. */
function tracksOf(window: SegmentWindow, period: WindowPeriod, segments: readonly WindowSegment[]): readonly object[] {
  const msns = [segments[0]?.msn ?? 0, segments.at(-1)?.msn ?? 0];
  return (window.listedTracks ?? window.tracks).flatMap((one) => {
    const { id } = one.track;
    const entry = msns.map((msn) => window.segmentByMsn(id, msn)).find((found) => found && hasMedia(found));
    if (!entry || period.trackIds?.includes(id) === false) return [];
    return [trackText(window.init(id, entry.segment.initId, period.addressPrefix)?.track ?? one.track, one)];
  });
}

function trackText(track: Track, { rate }: WindowTrack): object {
  const common = {
    track_id: track.id,
    content: track.content,
    codec: track.codec,
    codecs: track.codecString,
    bitrate: Math.round((rate.average ?? rate.peak) / 1000),
    ...(track.language === undefined ? {} : { lang: track.language }),
  };
  return track.content === 'video'
    ? { ...common, width: track.width, height: track.height, ...(track.fps === undefined ? {} : { fps: track.fps }) }
    : { ...common, channels: track.channels, sample_rate: track.sampleRate };
}
