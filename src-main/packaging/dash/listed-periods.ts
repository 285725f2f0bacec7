import type { Track } from '../../media/track.ts';
import type {
  SegmentWindow,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from '../../segment/segment-window.ts';
import { hasMedia } from '../playable-tracks.ts';

/** A track in one period. */
export interface PeriodTrack {
  readonly track: Track;
  readonly group: string;
  readonly initId: number;
  readonly segments: readonly WindowSegment[];
  readonly bandwidth: number;
}

/** A track with its listed segments. */
export interface ListedTrack {
  readonly track: WindowTrack;
  readonly segments: readonly WindowSegment[];
}

/** A period with its listed tracks. */
export interface ListedPeriod {
  readonly period: WindowPeriod;
  readonly tracks: readonly PeriodTrack[];
  /**
   * Start of the period in the presentation, its start in the window, and the media time of this start, in
   * milliseconds.
   */
  readonly startMs: number;
  readonly fromMs: number;
  readonly offsetMs: number;
  /** Splice points that take effect in the period, or are announced for it. */
  readonly splices: readonly WindowSplice[];
  /** Previous listed period, if its media continues in this one. */
  readonly before?: ListedPeriod;
}

/**
 * Periods of a window with their segments; periods without any listed segment are omitted.
 * @param areJoined true to merge periods that continue in the same format, with or without a gap
 */
export function listedPeriods(
  window: SegmentWindow,
  tracks: readonly ListedTrack[],
  { fromMs }: TimeRange,
  { range, areJoined = false }: { readonly range?: TimeRange | undefined; readonly areJoined?: boolean | undefined },
): ListedPeriod[] {
  const periods = window.periods(range);
  const cursors = tracks.map((track) => ({ ...track, next: 0 }));
  const isStatic = window.mutability === 'static';
  const result: ListedPeriod[] = [];
  /** Total time without playback since the start of the window. */
  let silentMs: number | undefined;
  for (const [index, period] of periods.entries()) {
    const endMsn = periods[index + 1]?.firstMsn ?? Infinity;
    const periodTracks = cursors.flatMap((listed) => {
      const { track, segments, next } = listed;
      while ((segments[listed.next]?.msn ?? Infinity) < endMsn) listed.next++;
      if (period.trackIds?.includes(track.track.id) === false) return [];
      return periodTrack(window, period, track, segments.slice(next, listed.next));
    });
    // Players take the tracks of a Period from the first MPD that contains it.
    if (period.isGathering && result.length > 0) break;
    if (periodTracks.length === 0) continue;
    // Without parts an open segment cannot be loaded yet, and all tracks must be in the first MPD.
    if (!isStatic && partMsOf(window) === 0 && !periodTracks.every(hasCompleteSegment)) break;
    // If the presentation starts with the window, the trimmed start of a period is not part of the presentation.
    const startMs = isStatic ? Math.max(period.startMs, fromMs) : period.startMs;
    const offsetMs = period.mediaOffsetMs + startMs - period.startMs;
    const splices = window.splices({ fromMs: startMs, toMs: periods[index + 1]?.startMs ?? Infinity });
    const before = result.at(-1);
    const first = Math.min(...periodTracks.map(({ segments: [entry] }) => entry?.msn ?? Infinity));
    const isCut = periodTracks.some(({ segments: [entry] }) => entry?.isDiscontinuity);
    if (areJoined && before && isSameFormat(before, period, periodTracks)) {
      result[result.length - 1] = joined(before, periodTracks, splices);
      continue;
    }
    silentMs =
      silentMs === undefined || !before
        ? startMs
        : silentMs + Math.max(0, startMs - joinOf(before, periodTracks, startMs));
    const lateMs = isStatic && before ? delayOf(periodTracks, startMs) : 0;
    result.push({
      period,
      tracks: periodTracks,
      fromMs: startMs + lateMs,
      splices,
      startMs: lateMs + (isStatic ? startMs - silentMs : startMs),
      offsetMs: offsetMs + lateMs,
      ...(before && first === period.firstMsn && !isCut && isDirectlyAfter(before, first) ? { before } : {}),
    });
  }
  return result;
}

/** Duration of loadable parts of the open segment, in milliseconds; 0 if players load complete segments. */
export function partMsOf(window: SegmentWindow): number {
  return window.mutability === 'static' || loadsFullSegments(window) ? 0 : window.partMs;
}

/**
 * Whether players must load complete segments: Shaka Player may set the clock of the next period before it has appended the last
 * chunk of the current one.
 */
export function loadsFullSegments({ hasPeriodClocks = false }: SegmentWindow): boolean {
  return hasPeriodClocks;
}

/**
 * Maximum duration that may be missing from a track between two periods, in milliseconds. Players play across less
 * than two frames of sound.
 */
const BRIDGED_MS = 20;
/** Maximum duration of media that is dropped at the end of a period so that no track has a gap, in milliseconds. */
const MAX_DROPPED_MS = 100;

/**
 * Time at which a period follows the previous one, on the clock of the previous period: the end of its media, or
 * earlier if a track ends before the other tracks or starts late in the next period. This way no player has to cross
 * a gap.
 * @param startMs start of the next period on its own clock
 */
function joinOf(before: ListedPeriod, next: readonly PeriodTrack[], startMs: number): number {
  const endMs = endOf(before);
  const joins = next.flatMap(({ track, segments }) => {
    const first = segments.find(hasMedia);
    const same = before.tracks.find((one) => one.track.id === track.id);
    return same && first ? [endOf({ tracks: [same] }) + BRIDGED_MS - (first.startMs - startMs)] : [];
  });
  const joinMs = Math.min(endMs, ...joins);
  return joinMs < endMs - MAX_DROPPED_MS ? endMs : joinMs;
}

/**
 * Delay of the last track after the start of its period, in milliseconds; 0 if the delay is too long to move the
 * start of the period by it. The period is announced with the delayed start. Otherwise dash.js, when it preloads the
 * period while the viewer seeks in the previous one, seeks to the first segment of the late track.
 */
function delayOf(tracks: readonly PeriodTrack[], startMs: number): number {
  const lateMs = Math.max(0, ...tracks.map(({ segments }) => (segments.find(hasMedia)?.startMs ?? startMs) - startMs));
  return lateMs <= MAX_DROPPED_MS ? lateMs : 0;
}

/** Reports whether a period is directly followed by segment `msn`. */
function isDirectlyAfter(before: ListedPeriod, msn: number): boolean {
  return before.tracks.some(({ segments }) => segments.at(-1)?.msn === msn - 1);
}

function hasCompleteSegment({ segments }: PeriodTrack): boolean {
  return segments.some(({ segment }) => segment.isComplete && !segment.isGap);
}

function periodTrack(
  window: SegmentWindow,
  { addressPrefix }: WindowPeriod,
  { track: newest, group, rate }: WindowTrack,
  segments: readonly WindowSegment[],
): PeriodTrack[] {
  const initId = segments[0]?.segment.initId;
  if (initId === undefined || !segments.some(hasMedia)) return [];
  const track = window.init(newest.id, initId, addressPrefix)?.track ?? newest;
  return [{ track, group, initId, segments, bandwidth: rate.peak || peakOf(segments, track.timescale) }];
}

/**
 * Highest bit rate of all segments with media, at least 1. Used for clips that play before the stream has measured
 * the rate of its track.
 */
function peakOf(segments: readonly WindowSegment[], timescale: number): number {
  const rates = segments
    .filter(hasMedia)
    .map(({ segment }) => Math.ceil((segment.sizeBytes * 8 * timescale) / Math.max(1, segment.durationTicks)));
  return Math.max(1, ...rates);
}

/** Reports whether a track continues from the previous period with the same init segment. */
export function continues({ track, initId }: PeriodTrack, before: ListedPeriod | undefined): boolean {
  return before?.tracks.some((other) => other.track.id === track.id && other.initId === initId) === true;
}

/** End of the media of a Period, in milliseconds of the window. */
export function endOf({ tracks }: Pick<ListedPeriod, 'tracks'>): number {
  return Math.max(
    ...tracks.map(({ track, segments }) => {
      const last = segments.findLast(hasMedia);
      return last ? last.startMs + (last.segment.durationTicks * 1000) / track.timescale : 0;
    }),
  );
}

/** Reports whether a period has the tracks of the previous one, in the same format and on the same clock. */
function isSameFormat(
  { period, tracks, offsetMs, fromMs }: ListedPeriod,
  next: WindowPeriod,
  periodTracks: readonly PeriodTrack[],
): boolean {
  const isOnClock = offsetMs - fromMs === next.mediaOffsetMs - next.startMs;
  if (!isOnClock || period.addressPrefix !== next.addressPrefix || tracks.length !== periodTracks.length) return false;
  return periodTracks.every(({ track, initId }) =>
    tracks.some((one) => one.track.id === track.id && one.initId === initId),
  );
}

function joined(before: ListedPeriod, added: readonly PeriodTrack[], splices: readonly WindowSplice[]): ListedPeriod {
  const tracks = before.tracks.map((one) => {
    const more = added.find(({ track }) => track.id === one.track.id)?.segments ?? [];
    return { ...one, segments: [...one.segments, ...more] };
  });
  return { ...before, tracks, splices: [...before.splices, ...splices] };
}
