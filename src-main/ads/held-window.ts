import { readMedia } from '../segment/media-bytes.ts';
import type {
  ChangingWindow,
  Init,
  Part,
  Segment,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
} from '../segment/segment-window.ts';
import { SegmentView } from './segment-view.ts';
import { StreamView } from './stream-view.ts';

/** A segment of which all media lies in memory. */
class HeldSegment extends SegmentView {
  readonly parts: readonly Part[];

  constructor(source: Segment, parts: readonly Part[]) {
    super(source);
    this.parts = parts;
  }
}

/** A window of files in which the media of some segments lies in memory: of one answer, so it says nothing of changes. */
export class HeldWindow extends StreamView<{ advance(): void }> implements ChangingWindow {
  readonly #held: ReadonlyMap<string, WindowSegment>;

  private constructor(stream: ChangingWindow, held: ReadonlyMap<string, WindowSegment>) {
    super(stream, { advance: () => undefined });
    this.#held = held;
  }

  /** Reads the segments with a number: of one track, or of all. Raises what keeps them from being read. */
  static async of(stream: ChangingWindow, msn: number, trackId: string | undefined): Promise<HeldWindow> {
    const held = new Map<string, WindowSegment>();
    for (const { track } of stream.tracks) {
      const entry = trackId === undefined || track.id === trackId ? stream.segmentByMsn(track.id, msn) : undefined;
      if (!entry) continue;
      const parts = await Promise.all(
        entry.segment.parts.map(async (part) => ({ ...part, pieces: [{ bytes: await readMedia(part) }] })),
      );
      const { startMs, isDiscontinuity, discontinuitySequence, address } = entry;
      const segment = new HeldSegment(entry.segment, parts);
      held.set(track.id, { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address });
    }
    return new HeldWindow(stream, held);
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

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const held = this.#held.get(trackId);
    return held?.address === address ? held : this.stream.segmentByAddress(trackId, address);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const held = this.#held.get(trackId);
    return held?.msn === msn ? held : this.stream.segmentByMsn(trackId, msn);
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    return this.stream.init(trackId, initId, addressPrefix);
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    return this.stream.periods(range);
  }

  splices(range?: TimeRange): readonly WindowSplice[] {
    return this.stream.splices(range);
  }

  override onChange(): () => void {
    return () => undefined;
  }
}
