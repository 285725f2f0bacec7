import { inBandSets } from '../../../media/codecs/nal/in-band-sets.ts';
import type { Track } from '../../../media/track.ts';
import { inRange } from '../../../segment/segment-list.ts';
import type {
  ChangingWindow,
  Init,
  Segment,
  SegmentWindow,
  TimeRange,
  WindowPeriod,
  WindowSegment,
} from '../../../segment/segment-window.ts';
import type { StepKey, Replacement } from '../../clips/clip-loop.ts';
import type { Clip } from '../../clips/clip.ts';
import { StreamView } from '../stream-view.ts';
import { clipPart, positionOf, resumedSegment } from './in-place-part.ts';
import type { BreakBoundary, InPlacePlan } from './in-place-plan.ts';
import { InPlaceSegment, type PartWriter } from './in-place-segment.ts';
import type { Delivered } from '../../proof/showing.ts';

/**
 * Stream with the clips of one viewer inside its segments. Addresses, numbers, durations, parts, init segments and periods are
 * the same as in the stream, and there is no discontinuity. Key frames of clips carry their parameter sets if the sets of the
 * stream differ; so do key frames of the first segment after the clips.
 */
export class InPlaceWindow extends StreamView<InPlacePlan> implements ChangingWindow {
  readonly #hasPeriods: boolean;
  /** Segments of each track at one version of the stream. */
  readonly #lists = new Map<string, { readonly version: number; readonly segments: readonly WindowSegment[] }>();

  /** @param hasPeriods true if each break, and the stream after it, is a separate period; default false */
  constructor(stream: ChangingWindow, plan: InPlacePlan, hasPeriods = false) {
    super(stream, plan);
    this.#hasPeriods = hasPeriods;
  }

  get firstMsn(): number | undefined {
    return this.stream.firstMsn;
  }

  get startMsn(): number | undefined {
    const { firstMsn, hasPreroll } = this.advanced();
    return hasPreroll ? firstMsn : undefined;
  }

  override bounds(): TimeRange | undefined {
    const bounds = this.stream.bounds();
    const [leader] = this.tracks;
    const first = leader && this.#list(leader.track.id)[0];
    return bounds && first && { fromMs: Math.max(bounds.fromMs, first.startMs), toMs: bounds.toMs };
  }

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const all = this.#list(trackId);
    return range ? inRange(all, range) : all;
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    const listed = this.#listed(trackId);
    if (listed) return listed.at(-1);
    const last = this.stream.lastSegment(trackId);
    return this.#shownEntry(trackId, last) ?? (last && this.segmentByMsn(trackId, last.msn - 1));
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return this.#shownEntry(trackId, this.stream.segmentByAddress(trackId, address));
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const listed = this.#listed(trackId);
    const found = listed?.[msn - (listed[0]?.msn ?? 0)];
    return found?.msn === msn ? found : this.#shownEntry(trackId, this.stream.segmentByMsn(trackId, msn));
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    return this.stream.init(trackId, initId, addressPrefix);
  }

  override periods(range?: TimeRange): readonly WindowPeriod[] {
    const { firstMsn, boundaries } = this.advanced();
    const streamPeriods = this.#hasPeriods
      ? withBoundaries(this.stream.periods(), boundaries)
      : this.stream.periods(range);
    const shown = streamPeriods.filter((_, index) => (streamPeriods[index + 1]?.firstMsn ?? Infinity) > firstMsn);
    const all = this.#hasPeriods && this.stream.mutability === 'live' ? this.settled(shown) : shown;
    return range && this.#hasPeriods ? inRange(all, range) : all;
  }

  /** Clip segments in a segment of a track, or in one part of it. */
  deliveredIn(trackId: string, address: string, part: number | undefined): readonly Delivered[] {
    const entry = this.stream.segmentByAddress(trackId, address);
    const state = entry && this.advanced().stateOf(entry.msn);
    const timescale = this.stream.tracks.find(({ track }) => track.id === trackId)?.track.timescale;
    if (!state || state === 'resumed' || timescale === undefined) return [];
    const { startTicks, durationTicks, isComplete, parts } = entry.segment;
    const toMs = (ticks: number): number => (ticks * 1000) / timescale;
    const media = part === undefined ? entry.segment : parts[part];
    if (!media) return [];
    const fromMs = toMs(media.startTicks - startTicks);
    const toEndMs = fromMs + toMs(media.durationTicks);
    return this.advanced().deliveredIn(state, isComplete ? toMs(durationTicks) : undefined, { fromMs, toMs: toEndMs });
  }

  /** Reports whether a segment differs from that of the stream in media or parameter sets. */
  isOfViewer(trackId: string, address: string): boolean {
    const entry = this.stream.segmentByAddress(trackId, address);
    return entry !== undefined && this.advanced().stateOf(entry.msn) !== undefined;
  }

  /** Clips in a segment. */
  clipsIn(trackId: string, address: string): readonly Clip[] {
    const entry = this.stream.segmentByAddress(trackId, address);
    const state = entry && this.advanced().stateOf(entry.msn);
    return state && state !== 'resumed' ? state.loop.clips : [];
  }

  /**
   * Shows the stream from a segment on.
   * @returns true if it showed clips before
   */
  giveUp(trackId: string, address: string): boolean {
    const entry = this.stream.segmentByAddress(trackId, address);
    this.#lists.clear();
    return entry !== undefined && this.advanced().giveUp(entry.msn);
  }

  /** Cached segments of a track, if it was listed at this version: a window of files may be long. */
  #listed(trackId: string): readonly WindowSegment[] | undefined {
    const cached = this.#lists.get(trackId);
    return cached?.version === this.stream.version ? cached.segments : undefined;
  }

  #list(trackId: string): readonly WindowSegment[] {
    const { version } = this.stream;
    const cached = this.#lists.get(trackId);
    if (cached?.version === version) return cached.segments;
    const plan = this.advanced();
    const before = cached?.segments ?? [];
    const beforeMsn = before[0]?.msn ?? 0;
    const segments: WindowSegment[] = [];
    for (const entry of this.stream.segments(trackId)) {
      if (!plan.shows(entry)) continue;
      // The content of a segment never changes (except by `giveUp`, which clears the lists), so listed segments are reused.
      const old = before[entry.msn - beforeMsn];
      const isKnown = old !== entry && old?.address === entry.address && old.startMs === entry.startMs;
      segments.push(isKnown ? old : this.#shown(trackId, entry));
    }
    this.#lists.set(trackId, { version, segments });
    return segments;
  }

  #shownEntry(trackId: string, entry: WindowSegment | undefined): WindowSegment | undefined {
    return entry && this.advanced().shows(entry) ? this.#shown(trackId, entry) : undefined;
  }

  #shown(trackId: string, entry: WindowSegment): WindowSegment {
    const state = this.advanced().stateOf(entry.msn);
    if (!state) return entry;
    const key = state === 'resumed' ? state : state.key;
    const cached = shownSegments.get(entry);
    const same = cached?.get(key);
    if (same) return same;
    const segment = segmentIn(this.stream, trackId, entry, state);
    if (segment === entry.segment) return entry;
    const { msn, startMs, isDiscontinuity, discontinuitySequence, address } = entry;
    const shown = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address };
    if (cached) cached.set(key, shown);
    else shownSegments.set(entry, new Map([[key, shown]]));
    return shown;
  }
}

/** Splits periods where breaks start and end; media times continue. */
function withBoundaries(
  periods: readonly WindowPeriod[],
  boundaries: readonly BreakBoundary[],
): readonly WindowPeriod[] {
  const parts = boundaries.flatMap(({ msn, startMs }): WindowPeriod[] => {
    const period = periods.findLast(({ firstMsn }) => firstMsn <= msn);
    if (!period || period.firstMsn === msn || period.isGathering) return [];
    return [{ ...period, firstMsn: msn, startMs, mediaOffsetMs: period.mediaOffsetMs + startMs - period.startMs }];
  });
  return parts.length === 0 ? periods : [...periods, ...parts].sort((a, b) => a.firstMsn - b.firstMsn);
}

/**
 * Segments of streams with clips in them, shared by viewers with the same clips, so that renderers cache their lines
 * once.
 */
const shownSegments = new WeakMap<WindowSegment, Map<StepKey | 'resumed', WindowSegment>>();

function segmentIn(
  stream: SegmentWindow,
  trackId: string,
  entry: WindowSegment,
  state: Replacement | 'resumed',
): Segment {
  if (state === 'resumed') return resumedSegment(stream, trackId, entry);
  const write = writerOf(stream, trackId, entry, state);
  return write ? new InPlaceSegment(entry.segment, write) : entry.segment;
}

function writerOf(
  stream: SegmentWindow,
  trackId: string,
  entry: WindowSegment,
  replacement: Replacement,
): PartWriter | undefined {
  const track = stream.tracks.find((one) => one.track.id === trackId)?.track;
  if (!track) return undefined;
  const ownTrack = (clip: Clip): Track | undefined => clip.window.tracks.find((one) => one.track.id === trackId)?.track;
  // A segment may contain several clips: if one has other parameter sets than the stream, each clip carries its own sets.
  const hasOther = replacement.loop.clips.some((clip) => {
    const clipTrack = ownTrack(clip);
    return clipTrack?.content === 'video' && Buffer.compare(clipTrack.decoderConfig, track.decoderConfig) !== 0;
  });
  const setsOf = (clip: Clip): Uint8Array | undefined => {
    const clipTrack = hasOther ? ownTrack(clip) : undefined;
    return clipTrack?.content === 'video' ? inBandSets(clipTrack)?.bytes : undefined;
  };
  return (source) => clipPart(source, replacement, positionOf(stream, track, entry, source), setsOf);
}
