import type {
  ChangingWindow,
  Init,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from '../../segment/segment-window.ts';

/** A viewer's plan that grows with the stream. */
interface Plan {
  advance(stream: ChangingWindow): void;
}

/** Base class of the windows of one viewer: members that a placement does not override come from the stream. */
export abstract class StreamView<P extends Plan> {
  readonly mutability = 'live';
  /** Window of the stream for all viewers. */
  protected readonly stream: ChangingWindow;
  readonly #plan: P;
  #advancedTo = -1;

  constructor(stream: ChangingWindow, plan: P) {
    this.stream = stream;
    this.#plan = plan;
  }

  get version(): number {
    return this.stream.version;
  }

  get isIdle(): boolean {
    return this.stream.isIdle;
  }

  get epochMs(): number | undefined {
    return this.stream.epochMs;
  }

  get segmentMs(): number {
    return this.stream.segmentMs;
  }

  get tracks(): readonly WindowTrack[] {
    return this.stream.tracks;
  }

  get listedTracks(): readonly WindowTrack[] {
    return this.stream.listedTracks ?? this.stream.tracks;
  }

  get inits(): readonly Init[] {
    return this.stream.inits;
  }

  get longestPartMs(): number {
    return this.stream.longestPartMs;
  }

  get partMs(): number {
    return this.stream.partMs;
  }

  get longestSegmentMs(): number {
    return this.stream.longestSegmentMs;
  }

  bounds(): TimeRange | undefined {
    return this.stream.bounds();
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    return this.stream.segments(trackId, range);
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.stream.lastSegment(trackId);
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    return this.stream.periods(range);
  }

  splices(range?: TimeRange): readonly WindowSplice[] {
    return this.stream.splices(range);
  }

  onChange(listener: () => void): () => void {
    return this.stream.onChange(listener);
  }

  /** Plan, brought up to date with the stream. */
  protected advanced(): P {
    if (this.#advancedTo !== this.stream.version) {
      this.#plan.advance(this.stream);
      this.#advancedTo = this.stream.version;
    }
    return this.#plan;
  }
}
