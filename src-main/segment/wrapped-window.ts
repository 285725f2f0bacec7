import type {
  Init,
  SegmentWindow,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from './segment-window.ts';

/**
 * Window that delegates to another window. It has no `listedTracks`, subtitles and interstitials. Subclasses override
 * some members.
 */
export abstract class WrappedWindow<W extends SegmentWindow = SegmentWindow> implements SegmentWindow {
  /** The other window. */
  protected readonly inner: W;

  constructor(inner: W) {
    this.inner = inner;
  }

  get mutability(): SegmentWindow['mutability'] {
    return this.inner.mutability;
  }

  get version(): number {
    return this.inner.version;
  }

  get isIdle(): boolean {
    return this.inner.isIdle;
  }

  get epochMs(): number | undefined {
    return this.inner.epochMs;
  }

  get partMs(): number {
    return this.inner.partMs;
  }

  get segmentMs(): number {
    return this.inner.segmentMs;
  }

  get hasPeriodClocks(): boolean | undefined {
    return this.inner.hasPeriodClocks;
  }

  get startMsn(): number | undefined {
    return this.inner.startMsn;
  }

  get longestSegmentMs(): number {
    return this.inner.longestSegmentMs;
  }

  get longestPartMs(): number {
    return this.inner.longestPartMs;
  }

  get firstMsn(): number | undefined {
    return this.inner.firstMsn;
  }

  get canRewind(): boolean | undefined {
    return this.inner.canRewind;
  }

  get tracks(): readonly WindowTrack[] {
    return this.inner.tracks;
  }

  get inits(): readonly Init[] {
    return this.inner.inits;
  }

  bounds(): TimeRange | undefined {
    return this.inner.bounds();
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    return this.inner.segments(trackId, range);
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.inner.lastSegment(trackId);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return this.inner.segmentByAddress(trackId, address);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.inner.segmentByMsn(trackId, msn);
  }

  init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    return this.inner.init(trackId, initId, addressPrefix);
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    return this.inner.periods(range);
  }

  splices(range?: TimeRange): readonly WindowSplice[] {
    return this.inner.splices(range);
  }
}
