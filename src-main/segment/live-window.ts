import { NEW_PLAYLIST_MS, targetDurationOf } from './segmenter-options.ts';
import { convertTicks, ticksToMs } from '../media/timing/ticks.ts';
import { inRange, indexByAddress } from './segment-list.ts';
import { LeftSegments } from './left-segments.ts';
import { LivePeriods } from './live-periods.ts';
import { RecentChunks } from './recent-chunks.ts';
import { byContentAndId, LiveTrack, releaseParts, withdrawParts, type LiveSegment } from './live-track.ts';
import type {
  ChangingWindow,
  Init,
  Part,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from './segment-window.ts';
import { viewShared } from './shared-bytes.ts';
import { release } from './shared-use.ts';
import { mergeSplice } from './splice-list.ts';
import type {
  ChunkEvent,
  PartEvent,
  SegmentEndEvent,
  SegmentStartEvent,
  SharedBytes,
  WindowEvent,
} from './window-event.ts';

/** Nominal lengths of a live window, from its configuration. */
export interface LiveWindowOptions {
  readonly partMs: number;
  readonly segmentMs: number;
}

/** Maximum number of splice points; the newest are kept. Each adds some hundred characters to every playlist. */
const MAX_SPLICES = 256;
/** Maximum number of announced splice points. */
const MAX_ANNOUNCED = 32;

/** Window of a running stream: the sum of its events. */
export class LiveWindow implements ChangingWindow {
  readonly mutability = 'live';
  readonly epochMs = 0;
  readonly partMs: number;
  readonly segmentMs: number;
  readonly chunks = new RecentChunks();
  version = 0;
  longestSegmentMs = 0;
  longestPartMs = 0;
  inits: readonly Init[] = [];
  /** Whether the stream has no input at present. */
  isIdle = true;
  /** Next media sequence number; 0 before the first segment. */
  nextMsn = 0;
  /** Next id of an init segment; 0 before the first. */
  nextInitId = 0;
  #tracks: readonly LiveTrack[] = [];
  /** Current tracks, and ended tracks that still have segments. */
  #listed: readonly LiveTrack[] = [];
  readonly #left = new LeftSegments();
  #splices: WindowSplice[] = [];
  readonly #periods = new LivePeriods();
  #allInits: Init[] = [];
  /** Media sequence number of the very first segment, which is never a discontinuity. */
  firstMsn: number | undefined;
  /** Media sequence numbers of the discontinuities in the window, and the number of trimmed ones. */
  #discontinuities: number[] = [];
  #trimmedDiscontinuities = 0;
  /** Latest end of the segments that have ended or left the window, epoch milliseconds. */
  #trimmedEndMs = 0;
  #listeners = new Set<() => void>();

  constructor(options: LiveWindowOptions) {
    this.partMs = options.partMs;
    this.segmentMs = options.segmentMs;
  }

  get tracks(): readonly WindowTrack[] {
    return this.#tracks;
  }

  get listedTracks(): readonly WindowTrack[] {
    return this.#listed;
  }

  /** End of the latest segment that the window ever had, in epoch milliseconds, rounded up; 0 before the first. Decreases only if the wall clock is set back. */
  get endMs(): number {
    return Math.max(this.#trimmedEndMs, ...this.#listed.map(({ endMs }) => endMs));
  }

  bounds(): TimeRange | undefined {
    let fromMs = Infinity;
    let toMs = 0;
    for (const { track, segments, endTicks } of this.#listed) {
      const first = segments[0];
      if (!first) continue;
      fromMs = Math.min(fromMs, first.startMs);
      toMs = Math.max(toMs, convertTicks(endTicks, track.timescale, 1000));
    }
    return fromMs === Infinity ? undefined : { fromMs, toMs };
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const { segments } = this.#track(trackId) ?? NO_TRACK;
    return range ? inRange(segments, range) : segments;
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.#track(trackId)?.segments.at(-1);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const { segments } = this.#track(trackId) ?? NO_TRACK;
    return segments[indexByAddress(segments, address)] ?? this.#left.byAddress(trackId, address);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const { segments } = this.#track(trackId) ?? NO_TRACK;
    const [first] = segments;
    const entry = first && segments[msn - first.msn];
    return entry?.msn === msn ? entry : this.#left.byMsn(trackId, msn);
  }

  /** Media sequence number of the first segment that a track may have: earlier segments precede the track. */
  firstMsnOf(trackId: string): number {
    return this.#track(trackId)?.firstMsn ?? this.nextMsn;
  }

  init(trackId: string, initId: number): Init | undefined {
    return this.#allInits.find((init) => init.initId === initId && init.track.id === trackId);
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    const { list } = this.#periods;
    return range ? inRange(list, range) : list;
  }

  splices(range?: TimeRange): readonly WindowSplice[] {
    return range ? this.#splices.filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs) : this.#splices;
  }

  /** Calls `listener` after each batch of events. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  apply(events: readonly WindowEvent[]): void {
    let chunkCount = 0;
    for (const event of events) {
      if (event.type === 'chunk') {
        chunkCount++;
        this.chunks.add(event);
        continue;
      }
      this.#applyOne(event);
      // A segment mostly starts at the end of the previous one, so the period is settled after the next start.
      if (event.type !== 'segment-end') this.#periods.settle(this.#tracks, this.#listed, this.nextMsn);
    }
    if (chunkCount === 0 || chunkCount < events.length) {
      this.version++;
      for (const listener of this.#listeners) listener();
    }
    if (chunkCount > 0) this.chunks.changed();
  }

  /** Releases all media; the window is empty afterwards. */
  clear(): void {
    this.#trimmedEndMs = this.endMs;
    for (const track of this.#listed) releaseParts(track.segments);
    this.#left.clear();
    this.#tracks = [];
    this.#listed = [];
    this.inits = [];
    this.#allInits = [];
    this.#splices = [];
    this.#periods.clear();
    this.chunks.keepTracks(new Set());
    this.isIdle = true;
    this.version++;
  }

  #applyOne(event: Exclude<WindowEvent, ChunkEvent>): void {
    switch (event.type) {
      case 'init':
        this.#applyInit(event.tracks.map(({ track, initId, init }) => ({ initId, track, ...inMemory(init) })));
        return;
      case 'segment-start':
        this.#startSegment(event);
        return;
      case 'part':
        this.#addPart(event);
        return;
      case 'segment-end':
        this.#endSegment(event);
        return;
      case 'splice':
        this.#addSplice(event);
        return;
      case 'trim':
        this.#trim(event.firstMsn);
        return;
      case 'rewind':
        this.#trim(event.firstMsn);
        this.#left.clear();
        this.#splices = [];
        this.#trimmedEndMs = 0;
        return;
      case 'idle':
        this.isIdle = true;
        return;
      default:
        event satisfies never;
    }
  }

  #applyInit(inits: readonly Init[]): void {
    const earlier = this.inits;
    const continues = ({ track, initId }: Init): boolean =>
      earlier.some((init) => init.initId === initId && init.track.id === track.id);
    if (this.nextMsn > 0 && !(inits.length === earlier.length && inits.every(continues)))
      this.#periods.startAt(this.nextMsn);
    this.inits = inits;
    const current = new Set(inits.map(nameOf));
    this.#allInits = [...this.#allInits.filter((init) => !current.has(nameOf(init))), ...inits];
    this.nextInitId = Math.max(this.nextInitId, ...inits.map(({ initId }) => initId + 1));
    const byId = new Map(this.#tracks.map((track) => [track.track.id, track]));
    const next = inits.map(({ track }) => new LiveTrack(track, byId.get(track.id), this.nextMsn));
    this.#trimmedEndMs = this.endMs;
    const names = new Set(inits.map(({ track }) => track.id));
    this.chunks.keepTracks(names);
    const ended: LiveTrack[] = [];
    for (const old of this.#listed) {
      if (next.some(({ segments }) => segments === old.segments)) continue;
      // A track that returns starts without its old segments, so that its segment numbers have no gap.
      if (names.has(old.track.id) || old.segments.length === 0) releaseParts(old.segments);
      else ended.push(old);
    }
    this.#tracks = next.sort(byContentAndId);
    this.#list(ended);
    this.isIdle = false;
    this.#dropUnusedInits();
  }

  #list(ended: readonly LiveTrack[]): void {
    this.#listed = ended.length === 0 ? this.#tracks : [...this.#tracks, ...ended].sort(byContentAndId);
  }

  #addSplice({ type: _, ...splice }: Extract<WindowEvent, { type: 'splice' }>): void {
    const endMs = this.endMs;
    const merged = mergeSplice(this.#splices, splice, endMs);
    // A section may name a time hours ahead, so only the nearest announced points are kept.
    const ahead = merged.findIndex((other) => other.atMs > endMs);
    const end = ahead < 0 ? merged.length : ahead + MAX_ANNOUNCED;
    this.#splices = merged.slice(Math.max(0, Math.min(end, merged.length) - MAX_SPLICES), end);
  }

  #startSegment(event: SegmentStartEvent): void {
    const track = this.#track(event.trackId);
    if (!track) return;
    this.isIdle = false;
    this.nextMsn = Math.max(this.nextMsn, event.msn + 1);
    const startMs = ticksToMs(event.startTicks, track.track.timescale);
    this.firstMsn ??= event.msn;
    const isDiscontinuity = event.isDiscontinuity && event.msn > this.firstMsn;
    if (isDiscontinuity && (this.#discontinuities.at(-1) ?? -1) < event.msn) this.#discontinuities.push(event.msn);
    this.#periods.segmentStarts(event.msn, startMs, isDiscontinuity, this.#tracks);
    if (isDiscontinuity && startMs - this.endMs > NEW_PLAYLIST_MS) this.longestSegmentMs = this.#longestListedMs;
    this.#trimmedEndMs = Math.max(this.#trimmedEndMs, track.endMs);
    track.segments.push({
      segment: {
        trackId: event.trackId,
        startTicks: event.startTicks,
        durationTicks: 0,
        startMs,
        parts: [],
        sizeBytes: 0,
        isComplete: false,
        isGap: false,
        initId: event.initId,
      },
      msn: event.msn,
      startMs,
      isDiscontinuity,
      discontinuitySequence: this.#discontinuitiesBefore(event.msn),
      address: String(startMs),
    });
  }

  /** Number of discontinuities before a segment (EXT-X-DISCONTINUITY-SEQUENCE), the same in all tracks. */
  #discontinuitiesBefore(msn: number): number {
    return this.#trimmedDiscontinuities + this.#discontinuities.filter((other) => other < msn).length;
  }

  #addPart(event: PartEvent): void {
    const track = this.#track(event.trackId);
    const last = track?.segments.at(-1);
    if (!track || last?.msn !== event.msn) {
      release(event.bytes);
      return;
    }
    const { segment } = last;
    segment.parts.push({
      index: event.index,
      startTicks: event.startTicks,
      durationTicks: event.durationTicks,
      isIndependent: event.isIndependent,
      arrivedMs: event.arrivedMs,
      ...inMemory(event.bytes),
    });
    segment.sizeBytes += event.bytes.length;
    if (event.hasCaptions !== undefined) track.hasCaptions = event.hasCaptions;
    segment.durationTicks = event.startTicks + event.durationTicks - segment.startTicks;
    this.#noteLength(event, track.track.timescale);
  }

  #endSegment(event: SegmentEndEvent): void {
    const track = this.#track(event.trackId);
    const last = track?.segments.at(-1);
    if (!track || last?.msn !== event.msn) return;
    const { segment } = last;
    this.#trimmedEndMs = Math.max(this.#trimmedEndMs, track.endMs);
    withdrawParts(last, segment.startTicks + event.durationTicks);
    segment.isComplete = true;
    segment.isGap = event.isGap;
    segment.durationTicks = event.durationTicks;
    this.longestSegmentMs = Math.max(this.longestSegmentMs, (event.durationTicks * 1000) / track.track.timescale);
  }

  /** Longest segment in the window, in milliseconds. */
  get #longestListedMs(): number {
    const lengths = this.#listed.flatMap(({ segments, track: { timescale } }) =>
      segments.map(({ segment }) => (segment.durationTicks * 1000) / timescale),
    );
    return Math.max(0, ...lengths);
  }

  #trim(firstMsn: number): void {
    while ((this.#discontinuities[0] ?? Infinity) < firstMsn) {
      this.#discontinuities.shift();
      this.#trimmedDiscontinuities++;
    }
    this.longestPartMs = 0;
    this.#trimmedEndMs = this.endMs;
    for (const track of this.#listed) {
      const trimCount = track.segments.findIndex((segment) => segment.msn >= firstMsn);
      this.#left.add(track.segments.splice(0, trimCount < 0 ? track.segments.length : trimCount), this.#trimmedEndMs);
      for (const { segment } of track.segments)
        for (const part of segment.parts) this.#noteLength(part, track.track.timescale);
    }
    if (this.#listed !== this.#tracks)
      this.#list(this.#listed.filter((track) => !this.#tracks.includes(track) && track.segments.length > 0));
    this.#left.expire(this.#trimmedEndMs, targetDurationOf(this.segmentMs, this.longestSegmentMs) * 1000);
    this.#periods.trim(Math.min(firstMsn, this.#left.firstMsn));
    const startMs = this.#tracks[0]?.segments[0]?.startMs;
    if (startMs !== undefined) this.#splices = this.#splices.filter((splice) => splice.atMs >= startMs - 60_000);
    this.#dropUnusedInits();
  }

  #noteLength(part: Pick<Part, 'durationTicks'>, timescale: number): void {
    this.longestPartMs = Math.max(this.longestPartMs, (part.durationTicks * 1000) / timescale);
  }

  #dropUnusedInits(): void {
    const used = new Set(this.inits.map(nameOf));
    const segments = [...this.#listed.flatMap((track) => track.segments), ...this.#left.entries];
    for (const { segment } of segments) used.add(nameOf({ track: { id: segment.trackId }, initId: segment.initId }));
    this.#allInits = this.#allInits.filter((init) => used.has(nameOf(init)));
  }

  #track(trackId: string): LiveTrack | undefined {
    return this.#listed.find((track) => track.track.id === trackId);
  }
}

/** Releases the media of events that no window will apply. */
export function releaseEvents(events: readonly WindowEvent[]): void {
  for (const event of events) if (event.type === 'part') release(event.bytes);
}

const NO_TRACK: { readonly segments: readonly LiveSegment[] } = { segments: [] };

function inMemory(memory: SharedBytes): Pick<Part, 'sizeBytes' | 'pieces'> {
  return { sizeBytes: memory.length, pieces: [{ bytes: viewShared(memory), memory }] };
}

/** Key of an init segment in its window. */
function nameOf({ track, initId }: Pick<Init, 'initId'> & { readonly track: { readonly id: string } }): string {
  return `${track.id} ${initId}`;
}
