import { ticksToMs } from '../media/timing/ticks.ts';
import type { Track } from '../media/track.ts';
import type { Init, Part, Segment, SegmentWindow, WindowPeriod, WindowSplice, WindowTrack } from './segment-window.ts';
import { viewShared } from './shared-bytes.ts';
import { release } from './shared-use.ts';
import type { PartEvent, SegmentEndEvent, SegmentStartEvent, WindowEvent } from './window-event.ts';

/** Nominal lengths of a live window, from its configuration. */
export interface LiveWindowOptions {
  readonly partMs: number;
  readonly segmentMs: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface OpenSegment extends Mutable<Omit<Segment, 'parts'>> {
  readonly parts: Part[];
}
interface LiveTrack extends Mutable<Omit<WindowTrack, 'segments'>> {
  readonly segments: OpenSegment[];
}

/** The window of a running stream: the sum of its events. */
export class LiveWindow implements SegmentWindow {
  readonly mutability = 'live';
  readonly partMs: number;
  readonly segmentMs: number;
  version = 0;
  longestSegmentMs = 0;
  longestPartMs = 0;
  inits: readonly Init[] = [];
  /** Whether the stream has no input at the moment. */
  isIdle = true;
  /** Media sequence number after the newest that the window ever had; 0 before the first. */
  nextMsn = 0;
  #tracks: readonly LiveTrack[] = [];
  #splices: WindowSplice[] = [];
  #periods: WindowPeriod[] = [];
  #allInits: Init[] = [];
  /** Media sequence number of the first segment that the window ever had; nothing comes before it, so it is no discontinuity. */
  #firstMsn: number | undefined;
  /** Media sequence numbers of the discontinuities in the window, and the number of those that were trimmed. */
  #discontinuities: number[] = [];
  #goneDiscontinuities = 0;
  /** Where all but the newest segments of the tracks have ended, in epoch milliseconds. */
  #goneEndMs = 0;
  #listeners = new Set<() => void>();

  constructor(options: LiveWindowOptions) {
    this.partMs = options.partMs;
    this.segmentMs = options.segmentMs;
  }

  get tracks(): readonly WindowTrack[] {
    return this.#tracks;
  }

  get splices(): readonly WindowSplice[] {
    return this.#splices;
  }

  get periods(): readonly WindowPeriod[] {
    return this.#periods;
  }

  /** Epoch milliseconds, with fractions, up to which the window ever had a segment; 0 before the first. Never falls. */
  get endMs(): number {
    return Math.max(this.#goneEndMs, ...this.#tracks.map(endOfTrack));
  }

  init(trackId: string, initId: number): Init | undefined {
    return this.#allInits.find((init) => init.initId === initId && init.track.id === trackId);
  }

  /** Calls back after each batch of events; returns the function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Applies events in order, then calls the listeners once. */
  apply(events: readonly WindowEvent[]): void {
    for (const event of events) this.#applyOne(event);
    this.version++;
    for (const listener of this.#listeners) listener();
  }

  /** Lets go of all media; the window is empty afterwards. */
  clear(): void {
    this.#goneEndMs = this.endMs;
    for (const track of this.#tracks) releaseParts(track.segments);
    this.#tracks = [];
    this.inits = [];
    this.#allInits = [];
    this.#splices = [];
    this.#periods = [];
    this.isIdle = true;
    this.version++;
  }

  #applyOne(event: WindowEvent): void {
    switch (event.type) {
      case 'init':
        this.#applyInit(
          event.initId,
          event.tracks.map(({ track, init }) => ({ initId: event.initId, track, bytes: viewShared(init) })),
        );
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
        this.#splices.push({ atMs: event.atMs, section: event.section });
        return;
      case 'trim':
        this.#trim(event.firstMsn);
        return;
      case 'idle':
        this.isIdle = true;
        return;
      default:
        event satisfies never;
    }
  }

  #applyInit(initId: number, inits: readonly Init[]): void {
    this.inits = inits;
    this.#allInits.push(...inits);
    const byId = new Map(this.#tracks.map((track) => [track.track.id, track]));
    const next = inits.map(({ track }): LiveTrack => {
      const known = byId.get(track.id);
      return { track, segments: keepSegments(known, track), discontinuitySequence: known?.discontinuitySequence ?? 0 };
    });
    this.#goneEndMs = this.endMs;
    for (const old of this.#tracks)
      if (!next.some(({ segments }) => segments === old.segments)) releaseParts(old.segments);
    this.#tracks = next.sort(byContentAndId);
    this.isIdle = false;
    if (initId > 0) this.#dropUnusedInits();
  }

  #startSegment(event: SegmentStartEvent): void {
    const track = this.#track(event.trackId);
    if (!track) return;
    this.isIdle = false;
    this.nextMsn = Math.max(this.nextMsn, event.msn + 1);
    const startMs = ticksToMs(event.startTicks, track.track.timescale);
    this.#firstMsn ??= event.msn;
    const isDiscontinuity = event.isDiscontinuity && event.msn > this.#firstMsn;
    if (isDiscontinuity && (this.#discontinuities.at(-1) ?? -1) < event.msn) this.#discontinuities.push(event.msn);
    // The first track of a period says when it starts; the others begin within a frame of it.
    if (this.#periods.length === 0 || (isDiscontinuity && (this.#periods.at(-1)?.firstMsn ?? 0) < event.msn))
      this.#periods.push({ firstMsn: event.msn, startMs });
    this.#goneEndMs = Math.max(this.#goneEndMs, endOfTrack(track));
    if (track.segments.length === 0) track.discontinuitySequence = this.#discontinuitiesBefore(event.msn);
    track.segments.push({
      msn: event.msn,
      trackId: event.trackId,
      startTicks: event.startTicks,
      durationTicks: 0,
      startMs,
      parts: [],
      isComplete: false,
      isDiscontinuity,
      isGap: false,
      initId: event.initId,
    });
  }

  /** How many discontinuities lie before a segment (EXT-X-DISCONTINUITY-SEQUENCE), the same in all tracks. */
  #discontinuitiesBefore(msn: number): number {
    return this.#goneDiscontinuities + this.#discontinuities.filter((other) => other < msn).length;
  }

  #addPart(event: PartEvent): void {
    const track = this.#track(event.trackId);
    const segment = track?.segments.at(-1);
    if (!track || segment?.msn !== event.msn) {
      release(event.bytes);
      return;
    }
    segment.parts.push({
      index: event.index,
      startTicks: event.startTicks,
      durationTicks: event.durationTicks,
      isIndependent: event.isIndependent,
      bytes: viewShared(event.bytes),
      memory: event.bytes,
      arrivedMs: event.arrivedMs,
    });
    segment.durationTicks = event.startTicks + event.durationTicks - segment.startTicks;
    this.#noteLength(event, track.track.timescale);
  }

  #endSegment(event: SegmentEndEvent): void {
    const track = this.#track(event.trackId);
    const segment = track?.segments.at(-1);
    if (!track || segment?.msn !== event.msn) return;
    segment.isComplete = true;
    segment.isGap = event.isGap;
    segment.durationTicks = event.durationTicks;
    this.longestSegmentMs = Math.max(this.longestSegmentMs, (event.durationTicks * 1000) / track.track.timescale);
  }

  #trim(firstMsn: number): void {
    while ((this.#discontinuities[0] ?? Infinity) < firstMsn) {
      this.#discontinuities.shift();
      this.#goneDiscontinuities++;
    }
    this.longestPartMs = 0;
    this.#goneEndMs = this.endMs;
    for (const track of this.#tracks) {
      const gone = track.segments.findIndex((segment) => segment.msn >= firstMsn);
      releaseParts(track.segments.splice(0, gone < 0 ? track.segments.length : gone));
      const first = track.segments[0];
      if (first) track.discontinuitySequence = this.#discontinuitiesBefore(first.msn);
      for (const segment of track.segments)
        for (const part of segment.parts) this.#noteLength(part, track.track.timescale);
    }
    while ((this.#periods[1]?.firstMsn ?? Infinity) <= firstMsn) this.#periods.shift();
    const startMs = this.#tracks[0]?.segments[0]?.startMs;
    if (startMs !== undefined) this.#splices = this.#splices.filter((splice) => splice.atMs >= startMs - 60_000);
    this.#dropUnusedInits();
  }

  #noteLength(part: Pick<Part, 'durationTicks'>, timescale: number): void {
    this.longestPartMs = Math.max(this.longestPartMs, (part.durationTicks * 1000) / timescale);
  }

  #dropUnusedInits(): void {
    const current = this.inits[0]?.initId;
    const used = new Set(this.#tracks.flatMap((track) => track.segments.map((segment) => segment.initId)));
    this.#allInits = this.#allInits.filter((init) => init.initId === current || used.has(init.initId));
  }

  #track(trackId: string): LiveTrack | undefined {
    return this.#tracks.find((track) => track.track.id === trackId);
  }
}

/** Lets go of the media of events that no window will take. */
export function releaseEvents(events: readonly WindowEvent[]): void {
  for (const event of events) if (event.type === 'part') release(event.bytes);
}

/** Lets go of the media of segments. They keep no part: a reader that still waits for one must not read what its memory is used for next. */
function releaseParts(segments: readonly OpenSegment[]): void {
  for (const { parts } of segments) for (const { memory } of parts.splice(0)) if (memory) release(memory);
}

/** Where the newest segment of a track ends, or has come to, in epoch milliseconds. */
function endOfTrack({ track, segments }: LiveTrack): number {
  const last = segments.at(-1);
  return last ? ((last.startTicks + last.durationTicks) * 1000) / track.timescale : 0;
}

function keepSegments(known: LiveTrack | undefined, track: Track): OpenSegment[] {
  // Ticks of another timescale mean nothing to the new track: a window in which they mix would lie about its times.
  return known && known.track.timescale === track.timescale ? known.segments : [];
}

function byContentAndId(a: LiveTrack, b: LiveTrack): number {
  if (a.track.content !== b.track.content) return a.track.content === 'video' ? -1 : 1;
  return a.track.id < b.track.id ? -1 : 1;
}
