import type {
  ChangingWindow,
  Init,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSubtitles,
  WindowTrack,
} from '../segment/segment-window.ts';
import { WrappedWindow } from '../segment/wrapped-window.ts';

/** A window with some of its tracks only: all else is as there. */
export class ChosenTracks extends WrappedWindow<ChangingWindow> implements ChangingWindow {
  readonly #ids: ReadonlySet<string>;
  /** A segment of its own for each of the whole, so that what is made of them is kept apart. */
  readonly #own = new WeakMap<WindowSegment, WindowSegment>();

  constructor(whole: ChangingWindow, ids: readonly string[]) {
    super(whole);
    this.#ids = new Set(ids);
  }

  get subtitles(): readonly WindowSubtitles[] {
    return this.whole.subtitles ?? [];
  }

  override get tracks(): readonly WindowTrack[] {
    return this.#chosen(this.whole.tracks);
  }

  get listedTracks(): readonly WindowTrack[] {
    return this.#chosen(this.whole.listedTracks ?? this.whole.tracks);
  }

  override get inits(): readonly Init[] {
    return this.#chosen(this.whole.inits);
  }

  interstitial(id: string): ChangingWindow | undefined {
    const whole = this.whole.interstitial?.(id);
    return whole && new ChosenTracks(whole, [...this.#ids]);
  }

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    return this.#ids.has(trackId) ? this.whole.segments(trackId, range) : [];
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    return this.#ids.has(trackId) ? this.whole.lastSegment(trackId) : undefined;
  }

  override segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const entry = this.#ids.has(trackId) ? this.whole.segmentByAddress(trackId, address) : undefined;
    if (!entry) return undefined;
    // By their names: what a window makes when it is asked may not have them as its own.
    const { segment, msn, startMs, isDiscontinuity, discontinuitySequence } = entry;
    const made = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address: entry.address };
    const own = this.#own.get(entry) ?? made;
    this.#own.set(entry, own);
    return own;
  }

  override segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.#ids.has(trackId) ? this.whole.segmentByMsn(trackId, msn) : undefined;
  }

  override init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    return this.#ids.has(trackId) ? this.whole.init(trackId, initId, addressPrefix) : undefined;
  }

  override periods(range?: TimeRange): readonly WindowPeriod[] {
    const periods = this.whole.periods(range);
    // A transport stream of the whole may have other tracks than those: then their segments say what it has.
    const isPart = periods.every(({ programme }) => !programme || this.#isWithin(programme.trackIds));
    return periods.map(({ programme, trackIds, ...period }) => ({
      ...period,
      ...(trackIds ? { trackIds: trackIds.filter((id) => this.#ids.has(id)) } : {}),
      ...(programme && isPart
        ? { programme: { ...programme, trackIds: programme.trackIds.filter((id) => this.#ids.has(id)) } }
        : {}),
    }));
  }

  onChange(listener: () => void): () => void {
    return this.whole.onChange(listener);
  }

  #isWithin(trackIds: readonly string[]): boolean {
    return [...this.#ids].every((id) => trackIds.includes(id));
  }

  #chosen<T extends { readonly track: { readonly id: string } }>(all: readonly T[]): readonly T[] {
    return all.filter(({ track }) => this.#ids.has(track.id));
  }
}
