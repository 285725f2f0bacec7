import type {
  Init,
  Segment,
  SegmentWindow,
  TimeRange,
  TrackRate,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from '../../src-main/segment/segment-window.ts';
import { madeVideo } from './made-input.ts';

const SEGMENT_MS = 2000;

/**
 * Recording of one track with any duration, which creates its segments only when they are listed, like an archive with
 * an index.
 */
export class LongWindow implements SegmentWindow {
  readonly mutability: SegmentWindow['mutability'] = 'static';
  version = 1;
  readonly isIdle = false;
  readonly epochMs = 0;
  readonly partMs = 0;
  readonly segmentMs = SEGMENT_MS;
  readonly longestSegmentMs = SEGMENT_MS;
  readonly longestPartMs = SEGMENT_MS;
  readonly splices = (): readonly WindowSplice[] => [];
  readonly startMs = 1_800_000_000_000;
  /** Number of segments. */
  count: number;
  /** Number of segments that were removed from the window. */
  gone = 0;
  createdCount = 0;
  readonly #track = madeVideo();

  constructor(seconds: number) {
    this.count = (seconds * 1000) / SEGMENT_MS;
  }

  get tracks(): readonly WindowTrack[] {
    const rate: TrackRate = { peak: 4_000_000, average: 3_000_000 };
    return [{ track: this.#track, group: 'h264', rate, hasCaptions: false }];
  }

  get inits(): readonly Init[] {
    return [this.init()];
  }

  init(): Init {
    return { initId: 0, track: this.#track, sizeBytes: 0, pieces: [] };
  }

  bounds(): TimeRange {
    return { fromMs: this.startMs + this.gone * SEGMENT_MS, toMs: this.startMs + this.count * SEGMENT_MS };
  }

  segments(_trackId: string, { fromMs, toMs }: TimeRange = this.bounds()): readonly WindowSegment[] {
    const from = Math.max(this.gone, Math.floor((fromMs - this.startMs) / SEGMENT_MS));
    const to = Math.min(this.count, Math.ceil((toMs - this.startMs) / SEGMENT_MS));
    return Array.from({ length: Math.max(0, to - from) }, (_, index) => this.#make(from + index));
  }

  lastSegment(): WindowSegment {
    return this.#make(this.count - 1);
  }

  segmentByAddress(_trackId: string, address: string): WindowSegment | undefined {
    return this.segmentByMsn('', (Number(address) - this.startMs) / SEGMENT_MS);
  }

  segmentByMsn(_trackId: string, msn: number): WindowSegment | undefined {
    return Number.isInteger(msn) && msn >= this.gone && msn < this.count ? this.#make(msn) : undefined;
  }

  periods(): readonly WindowPeriod[] {
    return [{ firstMsn: 0, startMs: this.startMs, mediaOffsetMs: this.startMs, addressPrefix: '' }];
  }

  #make(msn: number): WindowSegment {
    this.createdCount++;
    const { timescale, id: trackId } = this.#track;
    const startMs = this.startMs + msn * SEGMENT_MS;
    const times = { startTicks: (startMs / 1000) * timescale, durationTicks: (SEGMENT_MS / 1000) * timescale };
    const sizeBytes = 1_000_000;
    const parts = [{ ...times, index: 0, isIndependent: true, sizeBytes, pieces: [], arrivedMs: startMs }];
    const segment: Segment = {
      ...times,
      trackId,
      startMs,
      parts,
      sizeBytes,
      isComplete: true,
      isGap: false,
      initId: 0,
    };
    return { segment, msn, startMs, isDiscontinuity: false, discontinuitySequence: 0, address: String(startMs) };
  }
}
