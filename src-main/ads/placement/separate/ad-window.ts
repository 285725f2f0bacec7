import { inBandSets } from '../../../media/codecs/nal/in-band-sets.ts';
import { writeInitSegment } from '../../../media/containers/isobmff/init-segment.ts';
import { ticksToMsUp } from '../../../media/timing/ticks.ts';
import { inRange } from '../../../segment/segment-list.ts';
import type {
  ChangingWindow,
  Init,
  Segment,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
} from '../../../segment/segment-window.ts';
import type { Clip } from '../../clips/clip.ts';
import { StreamView } from '../stream-view.ts';
import type { AdPlan } from './ad-plan.ts';
import type { ClipRange, ProgrammeRange, PlannedRange } from './planned-range.ts';
import { shownClip, shownSegment } from './shown-segment.ts';
import type { Delivered } from '../../proof/showing.ts';
import { resumedSegment } from '../in-place/in-place-part.ts';

export interface AdWindowOptions {
  /** Window of the stream for all viewers. */
  readonly stream: ChangingWindow;
  readonly plan: AdPlan;
  /** Length of the longest segment of any clip, in milliseconds: EXT-X-TARGETDURATION must never change. */
  readonly longestClipSegmentMs: number;
}

/** Segments of one track at one version of the stream. */
interface Listed {
  readonly version: number;
  readonly segments: readonly WindowSegment[];
}

/**
 * Stream with the clips of one viewer, each with a discontinuity, its own init segment, and its own DASH period.
 * Times are continuous. Key frames carry their parameter sets if the sets of a clip differ from the sets of the
 * stream, because FFmpeg keeps the first init segment. Segments of the stream keep their addresses, and no byte is
 * copied. If the stream has parts, clips are cut into parts of the same length.
 */
export class AdWindow extends StreamView<AdPlan> implements ChangingWindow {
  readonly hasPeriodClocks = true;
  readonly #longestClipSegmentMs: number;
  readonly #lists = new Map<string, Listed>();

  constructor({ stream, plan, longestClipSegmentMs }: AdWindowOptions) {
    super(stream, plan);
    this.#longestClipSegmentMs = longestClipSegmentMs;
  }

  /**
   * First media sequence number, from the stream. Media sequence numbers never decrease. Undefined while a clip is
   * first: its segments are complete at once, so no lead-in is needed.
   */
  get firstMsn(): number | undefined {
    return this.advanced().ranges[0]?.kind === 'clip' ? undefined : this.stream.firstMsn;
  }

  get startMsn(): number | undefined {
    const [first] = this.advanced().ranges;
    return first?.kind === 'clip' && first.placement === 'preroll' ? first.firstMsn : undefined;
  }

  override get longestSegmentMs(): number {
    return Math.max(this.stream.longestSegmentMs, this.#longestClipSegmentMs);
  }

  override bounds(): TimeRange | undefined {
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

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const all = this.#list(trackId);
    return range ? inRange(all, range) : all;
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    return this.#list(trackId).at(-1);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const listed = this.#list(trackId).find((entry) => entry.address === address);
    if (listed) return listed;
    const entry = this.stream.segmentByAddress(trackId, address);
    for (const planned of this.advanced().ranges) {
      const isOwn = planned.kind === 'clip' && address.startsWith(planned.clip.addressPrefix);
      const found = isOwn
        ? this.#clipSegments(planned, trackId).find((one) => one.address === address)
        : planned.kind === 'programme' && this.#shown(planned, entry);
      if (found) return found;
    }
    return entry;
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const all = this.#list(trackId);
    const [first] = all;
    if (!first || msn >= first.msn) return first && all[msn - first.msn];
    const planned = this.advanced().ranges.findLast(({ firstMsn }) => firstMsn <= msn);
    if (planned?.kind === 'clip') return this.#clipSegments(planned, trackId).find((entry) => entry.msn === msn);
    return (
      planned && this.#shown(planned, this.stream.segmentByMsn(trackId, msn - planned.firstMsn + planned.sourceMsn))
    );
  }

  /** Segments of a clip up to the end of the listed ones, including segments that have left the list. */
  #clipSegments(planned: ClipRange, trackId: string): readonly WindowSegment[] {
    const segments: WindowSegment[] = [];
    const sets = carrying.get(planned) === true ? setsOf(planned, trackId) : undefined;
    const limitMs = this.advanced().limitMs(this.stream);
    addClip(segments, planned, { trackId, fromMs: -Infinity, limitMs, before: [], partMs: this.partMs, sets });
    return segments;
  }

  /** Segment of the stream at its position in a range; undefined if the range does not contain it. */
  #shown(planned: ProgrammeRange, entry: WindowSegment | undefined): WindowSegment | undefined {
    if (!entry || entry.msn < planned.sourceMsn || entry.msn >= planned.endMsn) return undefined;
    return moved(entry, this.#mediaOf(planned, entry), planned);
  }

  #mediaOf(planned: ProgrammeRange, entry: WindowSegment): Segment {
    const isResumed = carrying.get(planned) === true && entry.msn === planned.sourceMsn;
    return isResumed ? resumedSegment(this.stream, entry.segment.trackId, entry) : entry.segment;
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    if (addressPrefix === '') return this.stream.init(trackId, initId);
    // A clip may have been shown when the stream had other audio tracks.
    for (const planned of this.advanced().ranges) {
      if (planned.kind !== 'clip' || planned.clip.addressPrefix !== addressPrefix) continue;
      const { window } = planned.clip;
      const init = window.init(trackId, initId, addressPrefix);
      if (init) return window.inits.some(({ track }) => track.id === trackId) ? init : dubbedInit(init);
    }
    return undefined;
  }

  override periods(range?: TimeRange): readonly WindowPeriod[] {
    // Tracks that ended may cover earlier periods than tracks that have just started.
    const firstMsn = Math.min(...this.listedTracks.map(({ track }) => this.#list(track.id)[0]?.msn ?? Infinity));
    if (firstMsn === Infinity) return [];
    const { ranges } = this.advanced();
    const all = ranges.flatMap((planned, index) => {
      const isGone = (ranges[index + 1]?.firstMsn ?? Infinity) <= firstMsn;
      return isGone ? [] : planned.kind === 'clip' ? [clipPeriod(planned)] : this.#periodsOf(planned);
    });
    const shown = this.settled(all);
    return range ? inRange(shown, range) : shown;
  }

  /** Splice points of the stream, even where clips replace it: players and downstream inserters see the same breaks. */
  override splices(range?: TimeRange): readonly WindowSplice[] {
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

  /** Clip that contains a segment, if any. */
  clipsIn(trackId: string, address: string): readonly Clip[] {
    const found = this.#clipAt(this.segmentByAddress(trackId, address));
    return found ? [found.clip] : [];
  }

  /** Clip segment with an address; none for the stream, and for a part that is not the last one. */
  deliveredIn(trackId: string, address: string, part?: number): readonly Delivered[] {
    const entry = this.segmentByAddress(trackId, address);
    // A segment in parts counts as sent with its last part.
    if (!entry || (part !== undefined && part + 1 < entry.segment.parts.length)) return [];
    const showing = this.#clipAt(entry);
    return showing ? [{ showing, index: entry.msn - showing.firstMsn }] : [];
  }

  /** Range of a clip that contains a listed segment. */
  #clipAt(entry: WindowSegment | undefined): ClipRange | undefined {
    if (!entry) return undefined;
    return this.advanced().ranges.find(
      (one): one is ClipRange =>
        one.kind === 'clip' &&
        entry.msn >= one.firstMsn &&
        entry.msn < one.firstMsn + one.count &&
        entry.address.startsWith(one.clip.addressPrefix),
    );
  }

  #list(trackId: string): readonly WindowSegment[] {
    const cached = this.#lists.get(trackId);
    if (cached?.version === this.stream.version) return cached.segments;
    const segments = this.#merge(trackId, cached?.segments ?? []);
    this.#lists.set(trackId, { version: this.stream.version, segments });
    return segments;
  }

  /**
   * @param before segments listed before; they stay the same objects, because renderers cache the lines of a segment by
   * object
   */
  #merge(trackId: string, before: readonly WindowSegment[]): readonly WindowSegment[] {
    const plan = this.advanced();
    const source = this.stream.segments(trackId);
    const firstMsn = source[0]?.msn ?? 0;
    const fromMs = this.stream.bounds()?.fromMs ?? 0;
    const limitMs = plan.limitMs(this.stream);
    const beforeMsn = before[0]?.msn ?? 0;
    const merged: WindowSegment[] = [];
    for (const [index, planned] of plan.ranges.entries()) {
      const hasSets = this.#carriesSets(planned, plan.ranges[index - 1]);
      if (planned.kind === 'clip') {
        const sets = hasSets ? setsOf(planned, trackId) : undefined;
        addClip(merged, planned, { trackId, fromMs, limitMs, before, partMs: this.partMs, sets });
        continue;
      }
      // Drops media before a range once the start of the range has left the window.
      if (firstMsn > planned.sourceMsn) merged.length = 0;
      const end = Math.min(source.length, planned.endMsn - firstMsn);
      for (let at = Math.max(0, planned.sourceMsn - firstMsn); at < end; at++) {
        const entry = source[at] as WindowSegment;
        const segment = this.#mediaOf(planned, entry);
        const old = before[entry.msn - planned.sourceMsn + planned.firstMsn - beforeMsn];
        merged.push(old?.segment === segment && old.address === entry.address ? old : moved(entry, segment, planned));
      }
      // A late track is still before the break: the clips follow when its open segment is complete.
      const last = source.at(-1);
      if (last && planned.endMsn > firstMsn && (last.segment.isComplete ? last.msn + 1 : last.msn) < planned.endMsn)
        break;
    }
    return merged;
  }

  /**
   * Reports whether key frames of a range carry their parameter sets. In a range of the stream, only the first
   * segment after a break has them.
   */
  #carriesSets(planned: PlannedRange, previous: PlannedRange | undefined): boolean {
    const cached = carrying.get(planned);
    if (cached !== undefined) return cached;
    const follows = previous?.kind === 'clip' && carrying.get(previous) === true;
    const found = follows || (planned.kind === 'clip' && this.#differs(planned));
    carrying.set(planned, found);
    return found;
  }

  #differs({ clip }: ClipRange): boolean {
    return this.tracks.some(({ track: { id, content, decoderConfig } }) => {
      const clipTrack = clip.window.tracks.find(({ track }) => track.id === id)?.track;
      return (
        content === 'video' && clipTrack !== undefined && Buffer.compare(clipTrack.decoderConfig, decoderConfig) !== 0
      );
    });
  }

  #periodsOf(planned: ProgrammeRange): readonly WindowPeriod[] {
    const { sourceMsn, sourceStartMs, startMs, firstMsn, endMsn } = planned;
    const streamPeriods = this.stream.periods().filter((period) => period.firstMsn < endMsn);
    const start = streamPeriods.findLast((period) => period.firstMsn <= sourceMsn);
    const moved = (period: WindowPeriod): WindowPeriod => ({
      firstMsn: period.firstMsn - sourceMsn + firstMsn,
      startMs: period.startMs - sourceStartMs + startMs,
      mediaOffsetMs: period.mediaOffsetMs,
      addressPrefix: period.addressPrefix,
    });
    const later = streamPeriods.filter((period) => period.firstMsn > sourceMsn).map(moved);
    // The first period of the range has left the window; only later periods are listed.
    if (!start) return later;
    const isUnchanged = firstMsn === sourceMsn && startMs === sourceStartMs && !planned.isDiscontinuity;
    const first = isUnchanged
      ? moved(start)
      : { firstMsn, startMs, mediaOffsetMs: sourceStartMs, addressPrefix: start.addressPrefix };
    return [first, ...later];
  }
}

/** Ranges whose key frames carry parameter sets, each decided when first seen. */
const carrying = new WeakMap<PlannedRange, boolean>();

/** Period of a clip; its media has the viewer's times. */
function clipPeriod({ clip, firstMsn, startMs }: ClipRange): WindowPeriod {
  return { firstMsn, startMs, mediaOffsetMs: startMs, addressPrefix: clip.addressPrefix };
}

/** Init segment for an audio track that gets the sound of a clip from another track. */
function dubbedInit({ initId, track }: Init): Init {
  const bytes = writeInitSegment(track);
  return { initId, track, sizeBytes: bytes.length, pieces: [{ bytes }] };
}

/** Parameter sets of a clip, in the form used in its key frames. */
function setsOf({ clip }: ClipRange, trackId: string): Uint8Array | undefined {
  const clipTrack = clip.window.tracks.find(({ track }) => track.id === trackId)?.track;
  return clipTrack?.content === 'video' ? inBandSets(clipTrack)?.bytes : undefined;
}

/** Part of a clip to list for one track. */
interface ClipListing {
  readonly trackId: string;
  readonly fromMs: number;
  readonly limitMs: number;
  /** Length of parts in milliseconds; 0 without parts. */
  readonly partMs: number;
  /** Segments listed before; unchanged ones stay the same objects. */
  readonly before: readonly WindowSegment[];
  /** Parameter sets for key frames. */
  readonly sets: Uint8Array | undefined;
}

function addClip(
  merged: WindowSegment[],
  planned: ClipRange,
  { trackId, fromMs, limitMs, before, partMs, sets }: ClipListing,
): void {
  const { clip, count, firstMsn, startMs, sourceStartMs, isDiscontinuity, discontinuitySequence } = planned;
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
    const segment = segments[index] as WindowSegment;
    const msn = firstMsn + index;
    const ownMs = startMs + segment.startMs - sourceStartMs;
    const old = before[msn - (before[0]?.msn ?? 0)];
    if (old?.startMs === ownMs && old.address.startsWith(clip.addressPrefix)) merged.push(old);
    else
      merged.push(
        shownClip(segment, { track, partMs, sets }, clip.addressPrefix, {
          msn,
          startMs: ownMs,
          isDiscontinuity: isDiscontinuity && index === 0,
          discontinuitySequence: discontinuitySequence + (isDiscontinuity && index > 0 ? 1 : 0),
        }),
      );
  }
}

/** Segment of the stream at its position in a range. */
function moved(entry: WindowSegment, segment: Segment, planned: ProgrammeRange): WindowSegment {
  const { firstMsn, sourceMsn, startMs, sourceStartMs, isDiscontinuity, sourceDiscontinuities } = planned;
  const isUnchanged = firstMsn === sourceMsn && startMs === sourceStartMs && !isDiscontinuity;
  if (isUnchanged && segment === entry.segment) return entry;
  const isFirst = entry.msn === sourceMsn;
  const before = planned.discontinuitySequence;
  return shownSegment(entry, segment, {
    msn: entry.msn - sourceMsn + firstMsn,
    startMs: entry.startMs - sourceStartMs + startMs,
    isDiscontinuity: isFirst ? isDiscontinuity : entry.isDiscontinuity,
    discontinuitySequence: isFirst
      ? before
      : before + (isDiscontinuity ? 1 : 0) + entry.discontinuitySequence - sourceDiscontinuities,
  });
}
