import { inBandSets } from '../media/codecs/in-band-sets.ts';
import { convertTicks } from '../media/timing/ticks.ts';
import type { VideoTrack } from '../media/track.ts';
import { inRange } from '../segment/segment-list.ts';
import type {
  ChangingWindow,
  Init,
  Part,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from '../segment/segment-window.ts';
import type { Showing } from './clip.ts';
import { clipPart, resumedPart, type PartPlace } from './slot-part.ts';
import type { ClipSlot, SlotPlan } from './slot-plan.ts';
import { SlotSegment, type PartWriter } from './slot-segment.ts';

/**
 * A stream with the clips of one viewer inside its segments: the same addresses, numbers, durations, parts and init segments, without a discontinuity,
 * in the same periods. Key frames of clips carry their parameter sets where those of the stream are others, and so do key frames of the first segment
 * after them.
 */
export class SlotWindow implements ChangingWindow {
  readonly mutability = 'live';
  readonly #stream: ChangingWindow;
  readonly #plan: SlotPlan;
  #advancedTo = -1;
  readonly #segments = new Map<string, Map<number, WindowSegment>>();
  #asked: readonly Showing[] = [];

  constructor(stream: ChangingWindow, plan: SlotPlan) {
    this.#stream = stream;
    this.#plan = plan;
  }

  get version(): number {
    return this.#stream.version;
  }

  get isIdle(): boolean {
    return this.#stream.isIdle;
  }

  get epochMs(): number | undefined {
    return this.#stream.epochMs;
  }

  get partMs(): number {
    return this.#stream.partMs;
  }

  get segmentMs(): number {
    return this.#stream.segmentMs;
  }

  get tracks(): readonly WindowTrack[] {
    return this.#stream.tracks;
  }

  get inits(): readonly Init[] {
    return this.#stream.inits;
  }

  get firstMsn(): number | undefined {
    return this.#stream.firstMsn;
  }

  get longestSegmentMs(): number {
    return this.#stream.longestSegmentMs;
  }

  get longestPartMs(): number {
    return this.#stream.longestPartMs;
  }

  onChange(listener: () => void): () => void {
    return this.#stream.onChange(listener);
  }

  bounds(): TimeRange | undefined {
    const bounds = this.#stream.bounds();
    const [leader] = this.tracks;
    const first = leader && this.segments(leader.track.id)[0];
    return bounds && first && { fromMs: Math.max(bounds.fromMs, first.startMs), toMs: bounds.toMs };
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const plan = this.#advanced();
    const all: WindowSegment[] = [];
    for (const entry of this.#stream.segments(trackId))
      if (entry.msn >= plan.firstMsn) all.push(this.#shown(trackId, entry));
    this.#forget(trackId, all[0]?.msn ?? 0);
    return range ? inRange(all, range) : all;
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.#known(trackId, this.#stream.lastSegment(trackId));
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const found = this.#known(trackId, this.#stream.segmentByAddress(trackId, address));
    if (found && trackId === this.tracks[0]?.track.id) this.#note(found);
    return found;
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.#known(trackId, this.#stream.segmentByMsn(trackId, msn));
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    return this.#stream.init(trackId, initId, addressPrefix);
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    const { firstMsn } = this.#advanced();
    const all = this.#stream.periods(range);
    return all.filter((_, index) => (all[index + 1]?.firstMsn ?? Infinity) > firstMsn);
  }

  splices(range?: TimeRange): readonly WindowSplice[] {
    return this.#stream.splices(range);
  }

  /** Clips of the segment that was asked for last of which nothing was sent before; counts them as sent. */
  takeShown(): readonly Showing[] {
    const asked = this.#asked.filter(({ isShown }) => !isShown);
    this.#asked = [];
    for (const showing of asked) showing.isShown = true;
    return asked;
  }

  #note({ msn, segment }: WindowSegment): void {
    const slot = this.#plan.slot(msn);
    const timescale = this.tracks[0]?.track.timescale ?? 1;
    this.#asked =
      slot && slot !== 'resumed' ? this.#plan.showingsOf(slot, (segment.durationTicks * 1000) / timescale) : [];
  }

  #advanced(): SlotPlan {
    if (this.#advancedTo !== this.#stream.version) {
      this.#plan.advance(this.#stream);
      this.#advancedTo = this.#stream.version;
    }
    return this.#plan;
  }

  #known(trackId: string, entry: WindowSegment | undefined): WindowSegment | undefined {
    return entry && entry.msn >= this.#advanced().firstMsn ? this.#shown(trackId, entry) : undefined;
  }

  #shown(trackId: string, entry: WindowSegment): WindowSegment {
    const slot = this.#plan.slot(entry.msn);
    if (!slot) return entry;
    const known = this.#segments.get(trackId)?.get(entry.msn);
    if (known) return known;
    const write = slot === 'resumed' ? this.#resumedWriter(trackId, entry) : this.#clipWriter(trackId, entry, slot);
    if (!write) return entry;
    const { msn, startMs, isDiscontinuity, discontinuitySequence, address } = entry;
    const segment = new SlotSegment(entry.segment, write);
    const made = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address };
    const ofTrack = this.#segments.get(trackId) ?? new Map<number, WindowSegment>();
    this.#segments.set(trackId, ofTrack.set(msn, made));
    return made;
  }

  #forget(trackId: string, firstMsn: number): void {
    const ofTrack = this.#segments.get(trackId);
    for (const msn of ofTrack?.keys() ?? []) {
      if (msn >= firstMsn) break;
      ofTrack?.delete(msn);
    }
  }

  #clipWriter(trackId: string, entry: WindowSegment, slot: ClipSlot): PartWriter | undefined {
    const track = this.#trackOf(trackId);
    if (!track) return undefined;
    return (source: Part) => {
      const [first] = slot.loop.step(slot.step).clip.window.tracks.filter((one) => one.track.id === trackId);
      const isOther = first && Buffer.compare(first.track.decoderConfig, track.decoderConfig) !== 0;
      const sets = isOther && first.track.content === 'video' ? inBandSets(first.track)?.bytes : undefined;
      return clipPart(source, slot, this.#place(track, entry, source, sets));
    };
  }

  /** Parameter sets of the stream, where a clip before may have had others. */
  #resumedWriter(trackId: string, entry: WindowSegment): PartWriter | undefined {
    const track = this.#trackOf(trackId);
    const sets = track?.content === 'video' ? inBandSets(track)?.bytes : undefined;
    return track && sets && ((source) => resumedPart(source, this.#place(track, entry, source, sets)));
  }

  #place(
    track: WindowTrack['track'],
    { msn, segment }: WindowSegment,
    source: Part,
    sets: Uint8Array | undefined,
  ): PartPlace {
    const [leader] = this.tracks;
    const leading = leader && this.#stream.segmentByMsn(leader.track.id, msn)?.segment;
    return {
      track,
      segmentTicks: segment.startTicks,
      leaderTicks:
        leader && leading
          ? convertTicks(leading.startTicks, leader.track.timescale, track.timescale)
          : segment.startTicks,
      sequenceNumber: msn + source.index + 1,
      sets,
    };
  }

  #trackOf(trackId: string): VideoTrack | WindowTrack['track'] | undefined {
    return this.#stream.tracks.find(({ track }) => track.id === trackId)?.track;
  }
}
