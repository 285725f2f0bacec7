import type {
  ChangingWindow,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowTrack,
} from '../../segment/segment-window.ts';
import { WrappedWindow } from '../../segment/wrapped-window.ts';

/** Live window with shifted media sequence numbers. */
export class ShiftedWindow extends WrappedWindow<ChangingWindow> implements ChangingWindow {
  readonly #shift: number;
  /** Segments of this window, by the segment of the other window. */
  readonly #cache = new WeakMap<WindowSegment, WindowSegment>();

  /** @param shift offset added to the numbers of the other window */
  constructor(window: ChangingWindow, shift: number) {
    super(window);
    this.#shift = shift;
  }

  override get firstMsn(): number | undefined {
    return this.inner.firstMsn === undefined ? undefined : this.inner.firstMsn + this.#shift;
  }

  override get tracks(): readonly WindowTrack[] {
    return this.#tracks(this.inner.tracks);
  }

  get listedTracks(): readonly WindowTrack[] {
    return this.#tracks(this.inner.listedTracks ?? this.inner.tracks);
  }

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    return this.inner.segments(trackId, range).map((entry) => this.#shifted(entry));
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    return this.#one(this.inner.lastSegment(trackId));
  }

  override segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return this.#one(this.inner.segmentByAddress(trackId, address));
  }

  override segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.#one(this.inner.segmentByMsn(trackId, msn - this.#shift));
  }

  override periods(range?: TimeRange): readonly WindowPeriod[] {
    return this.inner.periods(range).map((period) => ({ ...period, firstMsn: period.firstMsn + this.#shift }));
  }

  onChange(listener: () => void): () => void {
    return this.inner.onChange(listener);
  }

  #tracks(tracks: readonly WindowTrack[]): readonly WindowTrack[] {
    // Rates are computed on request.
    return tracks.map((one) => {
      const { track, group, rate, hasCaptions, firstMsn } = one;
      return firstMsn === undefined ? one : { track, group, rate, hasCaptions, firstMsn: firstMsn + this.#shift };
    });
  }

  #one(entry: WindowSegment | undefined): WindowSegment | undefined {
    return entry && this.#shifted(entry);
  }

  #shifted(entry: WindowSegment): WindowSegment {
    const cached = this.#cache.get(entry);
    if (cached) return cached;
    const { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address } = entry;
    const shifted = { segment, msn: msn + this.#shift, startMs, isDiscontinuity, discontinuitySequence, address };
    this.#cache.set(entry, shifted);
    return shifted;
  }
}
