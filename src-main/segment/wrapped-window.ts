import type {
  Init,
  SegmentWindow,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from './segment-window.ts';

/** Window that delegates to another one; subclasses override some members. */
export abstract class WrappedWindow<W extends SegmentWindow = SegmentWindow> implements SegmentWindow {
  /** Window that it delegates to. */
  protected readonly whole: W;

  constructor(whole: W) {
    this.whole = whole;
  }

  get mutability(): SegmentWindow['mutability'] {
    return this.whole.mutability;
  }

  get version(): number {
    return this.whole.version;
  }

  get isIdle(): boolean {
    return this.whole.isIdle;
  }

  get epochMs(): number | undefined {
    return this.whole.epochMs;
  }

  get partMs(): number {
    return this.whole.partMs;
  }

  get segmentMs(): number {
    return this.whole.segmentMs;
  }

  get loadsFullSegments(): boolean | undefined {
    return this.whole.loadsFullSegments;
  }

  get startMsn(): number | undefined {
    return this.whole.startMsn;
  }

  get longestSegmentMs(): number {
    return this.whole.longestSegmentMs;
  }

  get longestPartMs(): number {
    return this.whole.longestPartMs;
  }

  get firstMsn(): number | undefined {
    return this.whole.firstMsn;
  }

  get goesBack(): boolean | undefined {
    return this.whole.goesBack;
  }

  get tracks(): readonly WindowTrack[] {
    return this.whole.tracks;
  }

  get inits(): readonly Init[] {
    return this.whole.inits;
  }

  bounds(): TimeRange | undefined {
    return this.whole.bounds();
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    return this.whole.segments(trackId, range);
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.whole.lastSegment(trackId);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return this.whole.segmentByAddress(trackId, address);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.whole.segmentByMsn(trackId, msn);
  }

  init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    return this.whole.init(trackId, initId, addressPrefix);
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    return this.whole.periods(range);
  }

  splices(range?: TimeRange): readonly WindowSplice[] {
    return this.whole.splices(range);
  }
}
