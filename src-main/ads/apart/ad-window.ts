import { inBandSets } from '../../media/codecs/in-band-sets.ts';
import { writeInitSegment } from '../../media/containers/isobmff/init-segment.ts';
import { ticksToMsUp } from '../../media/timing/ticks.ts';
import { settledTracks, type PeriodTrack } from '../../segment/live-periods.ts';
import { inRange } from '../../segment/segment-list.ts';
import type {
  ChangingWindow,
  Init,
  Segment,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from '../../segment/segment-window.ts';
import type { Clip, Delivered } from '../clip.ts';
import { StreamView } from '../stream-view.ts';
import type { AdPlan } from './ad-plan.ts';
import type { ClipStretch, ProgrammeStretch, Stretch } from './ad-stretch.ts';
import { shownClip, shownSegment } from './shown-segment.ts';
import { resumedSegment } from '../resumed-segment.ts';

/** What the window of one viewer is made of. */
export interface AdWindowOptions {
  /** The stream as all others see it. */
  readonly stream: ChangingWindow;
  readonly plan: AdPlan;
  /** Length of the longest segment of all clips that may come, in milliseconds: EXT-X-TARGETDURATION never changes. */
  readonly longestClipSegmentMs: number;
}

/** The segments of one track, as they stand at one version of the stream. */
interface Listed {
  readonly version: number;
  readonly segments: readonly WindowSegment[];
}

/**
 * A stream with the clips of one viewer in it, each with a discontinuity and an init segment of its own, and a period in DASH. Times go on over all of
 * them, and key frames carry their parameter sets where those of a clip are others than those of the stream: FFmpeg keeps the first init segment. Segments
 * of the stream keep their addresses, and no byte is copied. Where the stream has parts, clips are cut into parts of that length.
 */
export class AdWindow extends StreamView<AdPlan> implements ChangingWindow {
  readonly loadsWhole = true;
  readonly #longestClipSegmentMs: number;
  readonly #lists = new Map<string, Listed>();
  /** Ids of the tracks of each period that is settled, by the number of its first segment; only where manifests are asked for. */
  #periodTracks: ReadonlyMap<number, readonly string[]> | undefined;

  constructor({ stream, plan, longestClipSegmentMs }: AdWindowOptions) {
    super(stream, plan);
    this.#longestClipSegmentMs = longestClipSegmentMs;
  }

  get partMs(): number {
    return this.stream.partMs;
  }

  /** Numbers of a viewer begin with those of the stream, and never go back. A clip at the begin has whole segments at once: nothing has to stand before it. */
  get firstMsn(): number | undefined {
    return this.advanced().stretches[0]?.kind === 'clip' ? undefined : this.stream.firstMsn;
  }

  get longestSegmentMs(): number {
    return Math.max(this.stream.longestSegmentMs, this.#longestClipSegmentMs);
  }

  bounds(): TimeRange | undefined {
    let fromMs = Infinity;
    let toMs = 0;
    for (const { track } of this.listedTracks) {
      const segments = this.segments(track.id);
      const [first, last] = [segments[0], segments.at(-1)];
      if (!first || !last) continue;
      fromMs = Math.min(fromMs, first.startMs);
      toMs = Math.max(toMs, last.startMs + ticksToMsUp(last.segment.durationTicks, track.timescale));
    }
    return fromMs === Infinity ? undefined : { fromMs, toMs };
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const all = this.#list(trackId);
    return range ? inRange(all, range) : all;
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.#list(trackId).at(-1);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const listed = this.#list(trackId).find((entry) => entry.address === address);
    return listed ?? this.stream.segmentByAddress(trackId, address);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const all = this.#list(trackId);
    const [first] = all;
    return first && all[msn - first.msn];
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    if (addressPrefix === '') return this.stream.init(trackId, initId);
    // A clip may have been shown when the stream had other sounds.
    for (const stretch of this.advanced().stretches) {
      if (stretch.kind !== 'clip' || stretch.clip.addressPrefix !== addressPrefix) continue;
      const { window } = stretch.clip;
      const init = window.init(trackId, initId, addressPrefix);
      if (init) return window.inits.some(({ track }) => track.id === trackId) ? init : dubbedInit(init);
    }
    return undefined;
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    // Tracks that have left may have something of earlier periods than those that have just come.
    const firstMsn = Math.min(...this.listedTracks.map(({ track }) => this.#list(track.id)[0]?.msn ?? Infinity));
    if (firstMsn === Infinity) return [];
    const { stretches } = this.advanced();
    const all = stretches.flatMap((stretch, index) => {
      const isGone = (stretches[index + 1]?.firstMsn ?? Infinity) <= firstMsn;
      return isGone ? [] : stretch.kind === 'clip' ? [clipPeriod(stretch)] : this.#periodsOf(stretch);
    });
    const shown = this.#settled(all);
    return range ? inRange(shown, range) : shown;
  }

  /** Periods with their tracks, where these are settled: players take them from the first manifest that has the period. */
  #settled(periods: readonly WindowPeriod[]): readonly WindowPeriod[] {
    const listOf = ({ track }: WindowTrack): PeriodTrack => ({ track, firstMsn: 0, segments: this.#list(track.id) });
    const [tracks, listed] = [this.tracks.map(listOf), this.listedTracks.map(listOf)];
    const known = this.#periodTracks;
    const settled = new Map<number, readonly string[]>();
    this.#periodTracks = settled;
    return periods.map((period, index) => {
      const { firstMsn } = period;
      const endMsn = periods[index + 1]?.firstMsn ?? Infinity;
      const trackIds = known?.get(firstMsn) ?? settledTracks({ firstMsn, endMsn }, tracks, listed);
      if (!trackIds) return { ...period, isGathering: true };
      settled.set(firstMsn, trackIds);
      return { ...period, trackIds };
    });
  }

  /** Those of the stream, also where clips are in its place: players and downstream inserters see the same breaks as without them. */
  splices(range?: TimeRange): readonly WindowSplice[] {
    const plan = this.advanced();
    const all = this.stream.splices().map((splice) => {
      const atMs = plan.viewerMs(splice.atMs);
      return atMs === splice.atMs ? splice : { ...splice, atMs };
    });
    return range ? all.filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs) : all;
  }

  isOfViewer(trackId: string, address: string): boolean {
    const entry = this.segmentByAddress(trackId, address);
    if (this.#clipAt(entry)) return true;
    return entry !== undefined && entry.segment !== this.stream.segmentByAddress(trackId, address)?.segment;
  }

  /** The clip that a segment is of. */
  clipsIn(trackId: string, address: string): readonly Clip[] {
    const found = this.#clipAt(this.segmentByAddress(trackId, address));
    return found ? [found.clip] : [];
  }

  /** The showing that a segment is of. */
  deliveredIn(trackId: string, address: string, part?: number): readonly Delivered[] {
    const entry = this.segmentByAddress(trackId, address);
    // A segment in parts has gone with the last one of them.
    if (!entry || (part !== undefined && part + 1 < entry.segment.parts.length)) return [];
    const showing = this.#clipAt(entry);
    return showing ? [{ showing, index: entry.msn - showing.firstMsn }] : [];
  }

  /** The stretch of a clip that a listed segment is of. */
  #clipAt(entry: WindowSegment | undefined): ClipStretch | undefined {
    if (!entry) return undefined;
    return this.advanced().stretches.find(
      (one): one is ClipStretch =>
        one.kind === 'clip' &&
        entry.msn >= one.firstMsn &&
        entry.msn < one.firstMsn + one.count &&
        entry.address.startsWith(one.clip.addressPrefix),
    );
  }

  #list(trackId: string): readonly WindowSegment[] {
    const known = this.#lists.get(trackId);
    if (known?.version === this.stream.version) return known.segments;
    const segments = this.#merge(trackId, known?.segments ?? []);
    this.#lists.set(trackId, { version: this.stream.version, segments });
    return segments;
  }

  /** @param before what was listed before: renderers keep the lines of a segment by the object */
  #merge(trackId: string, before: readonly WindowSegment[]): readonly WindowSegment[] {
    const plan = this.advanced();
    const source = this.stream.segments(trackId);
    const firstMsn = source[0]?.msn ?? 0;
    const fromMs = this.stream.bounds()?.fromMs ?? 0;
    const limitMs = plan.limitMs(this.stream);
    const beforeMsn = before[0]?.msn ?? 0;
    const merged: WindowSegment[] = [];
    for (const [index, stretch] of plan.stretches.entries()) {
      const hasSets = this.#carriesSets(stretch, plan.stretches[index - 1]);
      if (stretch.kind === 'clip') {
        const sets = hasSets ? setsOf(stretch, trackId) : undefined;
        addClip(merged, stretch, { trackId, fromMs, limitMs, before, partMs: this.partMs, sets });
        continue;
      }
      // What came before a stretch has to be gone where its own begin is.
      if (firstMsn > stretch.sourceMsn) merged.length = 0;
      const end = Math.min(source.length, stretch.endMsn - firstMsn);
      for (let at = Math.max(0, stretch.sourceMsn - firstMsn); at < end; at++) {
        const entry = source[at] as WindowSegment;
        const isResumed = hasSets && entry.msn === stretch.sourceMsn;
        const segment = isResumed ? resumedSegment(this.stream, trackId, entry) : entry.segment;
        const old = before[entry.msn - stretch.sourceMsn + stretch.firstMsn - beforeMsn];
        merged.push(old?.segment === segment && old.address === entry.address ? old : placed(entry, segment, stretch));
      }
    }
    return merged;
  }

  /** Whether key frames of a stretch carry their parameter sets: of the stream those of its first segment behind a break. */
  #carriesSets(stretch: Stretch, previous: Stretch | undefined): boolean {
    const known = carrying.get(stretch);
    if (known !== undefined) return known;
    const follows = previous?.kind === 'clip' && carrying.get(previous) === true;
    const found = follows || (stretch.kind === 'clip' && this.#differs(stretch));
    carrying.set(stretch, found);
    return found;
  }

  #differs({ clip }: ClipStretch): boolean {
    return this.tracks.some(({ track: { id, content, decoderConfig } }) => {
      const own = clip.window.tracks.find(({ track }) => track.id === id)?.track;
      return content === 'video' && own !== undefined && Buffer.compare(own.decoderConfig, decoderConfig) !== 0;
    });
  }

  #periodsOf(stretch: ProgrammeStretch): readonly WindowPeriod[] {
    const { sourceMsn, sourceStartMs, startMs, firstMsn, endMsn } = stretch;
    const own = this.stream.periods().filter((period) => period.firstMsn < endMsn);
    const begin = own.findLast((period) => period.firstMsn <= sourceMsn);
    const moved = (period: WindowPeriod): WindowPeriod => ({
      firstMsn: period.firstMsn - sourceMsn + firstMsn,
      startMs: period.startMs - sourceStartMs + startMs,
      mediaOffsetMs: period.mediaOffsetMs,
      addressPrefix: period.addressPrefix,
    });
    const later = own.filter((period) => period.firstMsn > sourceMsn).map(moved);
    // It has left the window, and what is listed of the stretch is of later ones.
    if (!begin) return later;
    const isWhole = firstMsn === sourceMsn && startMs === sourceStartMs && !stretch.isDiscontinuity;
    const first = isWhole
      ? moved(begin)
      : { firstMsn, startMs, mediaOffsetMs: sourceStartMs, addressPrefix: begin.addressPrefix };
    return [first, ...later];
  }
}

/** Which stretches carry parameter sets, each decided when it is first seen. */
const carrying = new WeakMap<Stretch, boolean>();

/** Media of a clip has the times of the viewer. */
function clipPeriod({ clip, firstMsn, startMs }: ClipStretch): WindowPeriod {
  return { firstMsn, startMs, mediaOffsetMs: startMs, addressPrefix: clip.addressPrefix };
}

/** The init segment of a sound of a clip that stands in another track. */
function dubbedInit({ initId, track }: Init): Init {
  const bytes = writeInitSegment(track);
  return { initId, track, sizeBytes: bytes.length, pieces: [{ bytes }] };
}

/** Parameter sets of a clip, as they stand in its key frames. */
function setsOf({ clip }: ClipStretch, trackId: string): Uint8Array | undefined {
  const own = clip.window.tracks.find(({ track }) => track.id === trackId)?.track;
  return own?.content === 'video' ? inBandSets(own)?.bytes : undefined;
}

/** What a track has of a clip, and what of it is listed. */
interface ClipListing {
  readonly trackId: string;
  readonly fromMs: number;
  readonly limitMs: number;
  /** Length of parts; 0 without them. */
  readonly partMs: number;
  /** Segments that were listed before: what has not changed stays the same object. */
  readonly before: readonly WindowSegment[];
  /** Parameter sets that key frames carry. */
  readonly sets: Uint8Array | undefined;
}

function addClip(
  merged: WindowSegment[],
  stretch: ClipStretch,
  { trackId, fromMs, limitMs, before, partMs, sets }: ClipListing,
): void {
  const { clip, count, firstMsn, startMs, sourceStartMs, isDiscontinuity, discontinuitySequence } = stretch;
  const leader = clip.window.tracks[0]?.track;
  if (!leader) return;
  const leading = clip.window.segments(leader.id);
  const segments = trackId === leader.id ? leading : clip.window.segments(trackId);
  const end = Math.min(count, segments.length, leading.length);
  const track = clip.window.tracks.find((one) => one.track.id === trackId)?.track;
  if (!track) return;
  for (let index = 0; index < end; index++) {
    const lead = leading[index] as WindowSegment;
    const leadMs = startMs + lead.startMs - sourceStartMs;
    if (leadMs < fromMs) continue;
    if (leadMs + ticksToMsUp(lead.segment.durationTicks, leader.timescale) > limitMs) break;
    const own = segments[index] as WindowSegment;
    const msn = firstMsn + index;
    const ownMs = startMs + own.startMs - sourceStartMs;
    const old = before[msn - (before[0]?.msn ?? 0)];
    if (old?.startMs === ownMs && old.address.startsWith(clip.addressPrefix)) merged.push(old);
    else
      merged.push(
        shownClip(own, { track, partMs, sets }, clip.addressPrefix, {
          ...{ msn, startMs: ownMs },
          isDiscontinuity: isDiscontinuity && index === 0,
          discontinuitySequence: discontinuitySequence + (isDiscontinuity && index > 0 ? 1 : 0),
        }),
      );
  }
}

/** A segment of the stream as it stands in a stretch. */
function placed(entry: WindowSegment, segment: Segment, stretch: ProgrammeStretch): WindowSegment {
  const { firstMsn, sourceMsn, startMs, sourceStartMs, isDiscontinuity, sourceDiscontinuities } = stretch;
  const isAsItIs = firstMsn === sourceMsn && startMs === sourceStartMs && !isDiscontinuity;
  if (isAsItIs && segment === entry.segment) return entry;
  const isFirst = entry.msn === sourceMsn;
  const before = stretch.discontinuitySequence;
  return shownSegment(entry, segment, {
    msn: entry.msn - sourceMsn + firstMsn,
    startMs: entry.startMs - sourceStartMs + startMs,
    isDiscontinuity: isFirst ? isDiscontinuity : entry.isDiscontinuity,
    discontinuitySequence: isFirst
      ? before
      : before + (isDiscontinuity ? 1 : 0) + entry.discontinuitySequence - sourceDiscontinuities,
  });
}
