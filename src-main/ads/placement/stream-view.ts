import { settledTracks, type PeriodTrack } from '../../segment/live-periods.ts';
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

/** Base class of the windows of one viewer. Members that a placement does not override come from the stream. */
export abstract class StreamView<P extends Plan> {
  readonly mutability = 'live';
  /** Window of the stream for all viewers. */
  protected readonly stream: ChangingWindow;
  readonly #plan: P;
  #advancedTo = -1;
  /** Track ids of each settled period by the number of its first segment; filled only when manifests are requested. */
  #periodTracks: ReadonlyMap<number, readonly string[]> | undefined;

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

  /**
   * Adds the tracks to periods that are settled: players read the tracks of a period only from the first manifest that
   * lists it.
   */
  protected settled(periods: readonly WindowPeriod[]): readonly WindowPeriod[] {
    const listOf = ({ track }: WindowTrack): PeriodTrack => ({ track, firstMsn: 0, segments: this.segments(track.id) });
    const [tracks, listed] = [this.tracks.map(listOf), this.listedTracks.map(listOf)];
    const earlier = this.#periodTracks;
    const settled = new Map<number, readonly string[]>();
    this.#periodTracks = settled;
    return periods.map((period, index) => {
      const { firstMsn } = period;
      const endMsn = periods[index + 1]?.firstMsn ?? Infinity;
      const trackIds = earlier?.get(firstMsn) ?? settledTracks({ firstMsn, endMsn }, tracks, listed);
      if (!trackIds) return { ...period, isGathering: true };
      settled.set(firstMsn, trackIds);
      return { ...period, trackIds };
    });
  }
}
