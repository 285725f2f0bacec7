import { readMedia } from '../../segment/media-bytes.ts';
import type { ChangingWindow, Init, Part, Segment, WindowSegment } from '../../segment/segment-window.ts';
import { SegmentView } from '../clips/segment-view.ts';
import { StreamView } from './stream-view.ts';

/** A segment with all media in memory. */
class SegmentInMemory extends SegmentView {
  readonly parts: readonly Part[];

  constructor(source: Segment, parts: readonly Part[]) {
    super(source);
    this.parts = parts;
  }
}

/** Window of files in which the media of some segments is in memory. Serves one answer, so it reports no changes. */
export class CachedWindow extends StreamView<{ advance(): void }> implements ChangingWindow {
  readonly #cached: ReadonlyMap<string, WindowSegment>;

  private constructor(stream: ChangingWindow, cached: ReadonlyMap<string, WindowSegment>) {
    super(stream, { advance: () => undefined });
    this.#cached = cached;
  }

  /** Reads the segments with a number, of one track or of all. Throws if they cannot be read. */
  static async of(stream: ChangingWindow, msn: number, trackId: string | undefined): Promise<CachedWindow> {
    const cached = new Map<string, WindowSegment>();
    for (const { track } of stream.tracks) {
      const entry = trackId === undefined || track.id === trackId ? stream.segmentByMsn(track.id, msn) : undefined;
      if (!entry) continue;
      const parts = await Promise.all(
        entry.segment.parts.map(async (part) => ({ ...part, pieces: [{ bytes: await readMedia(part) }] })),
      );
      const { startMs, isDiscontinuity, discontinuitySequence, address } = entry;
      const segment = new SegmentInMemory(entry.segment, parts);
      cached.set(track.id, { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address });
    }
    return new CachedWindow(stream, cached);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const cached = this.#cached.get(trackId);
    return cached?.address === address ? cached : this.stream.segmentByAddress(trackId, address);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const cached = this.#cached.get(trackId);
    return cached?.msn === msn ? cached : this.stream.segmentByMsn(trackId, msn);
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    return this.stream.init(trackId, initId, addressPrefix);
  }

  override onChange(): () => void {
    return () => undefined;
  }
}
