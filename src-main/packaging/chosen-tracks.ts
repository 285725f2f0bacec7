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

/** Tracks up to a certain time. */
export interface EarlierTracks {
  /** Start of the next tracks: the start of a segment on the timeline of the window, in milliseconds. */
  readonly untilMs: number;
  /** Track ids; undefined for all. */
  readonly ids: readonly string[] | undefined;
}

/** Maximum distance between the start of a track and the start of its period, in milliseconds: tracks have complete frames. */
const MAX_START_DISTANCE_MS = 100;

/** Window with a selection of the tracks of another window. A change of the selection starts a new period. */
export class ChosenTracks extends WrappedWindow<ChangingWindow> implements ChangingWindow {
  /** Currently selected ids, and all that were ever selected; undefined for all. */
  readonly #newest: readonly string[] | undefined;
  readonly #ids: ReadonlySet<string> | undefined;
  readonly #earlier: readonly EarlierTracks[];
  /** Copies of the segments of the complete window, so that data derived from a segment belongs to one window. */
  readonly #copies = new WeakMap<WindowSegment, WindowSegment>();

  /**
   * @param ids undefined for all
   * @param earlier oldest first
   */
  constructor(window: ChangingWindow, ids: readonly string[] | undefined, earlier: readonly EarlierTracks[] = []) {
    super(window);
    const all = [ids, ...earlier.map((one) => one.ids)];
    this.#newest = ids;
    this.#ids = all.includes(undefined) ? undefined : new Set(all.flatMap((one) => one ?? []));
    this.#earlier = earlier;
  }

  get subtitles(): readonly WindowSubtitles[] {
    return this.inner.subtitles ?? [];
  }

  override get tracks(): readonly WindowTrack[] {
    return this.#chosen(this.inner.tracks);
  }

  get listedTracks(): readonly WindowTrack[] {
    return this.#chosen(this.inner.listedTracks ?? this.inner.tracks);
  }

  override get inits(): readonly Init[] {
    return this.#chosen(this.inner.inits);
  }

  interstitial(id: string): ChangingWindow | undefined {
    const interstitial = this.inner.interstitial?.(id);
    return interstitial && new ChosenTracks(interstitial, this.#newest);
  }

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    return this.#has(trackId) ? this.inner.segments(trackId, range) : [];
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    return this.#has(trackId) ? this.inner.lastSegment(trackId) : undefined;
  }

  override segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const entry = this.#has(trackId) ? this.inner.segmentByAddress(trackId, address) : undefined;
    if (!entry) return undefined;
    // Copied field by field: a window that creates segments on request may have them as getters.
    const { segment, msn, startMs, isDiscontinuity, discontinuitySequence } = entry;
    const copy = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address: entry.address };
    const cached = this.#copies.get(entry) ?? copy;
    this.#copies.set(entry, cached);
    return cached;
  }

  override segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.#has(trackId) ? this.inner.segmentByMsn(trackId, msn) : undefined;
  }

  override init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    return this.#has(trackId) ? this.inner.init(trackId, initId, addressPrefix) : undefined;
  }

  override periods(range?: TimeRange): readonly WindowPeriod[] {
    const periods = this.inner.periods(range);
    // A transport stream of the complete window may contain more tracks than the selection; then its tracks follow from the
    // segments.
    const isPart = periods.every(({ programme }) => !programme || this.#isWithin(programme.trackIds));
    const chosen = periods.map(({ programme, trackIds, ...period }) => ({
      ...period,
      ...(trackIds ? { trackIds: trackIds.filter((id) => this.#has(id)) } : {}),
      ...(programme && isPart
        ? { programme: { ...programme, trackIds: programme.trackIds.filter((id) => this.#has(id)) } }
        : {}),
    }));
    if (this.#earlier.length === 0) return chosen;
    return chosen.flatMap((period, index) => this.#parted(period, chosen[index + 1]?.startMs ?? Infinity));
  }

  /** A period with its tracks, or several if the tracks change within it. */
  #parted(period: WindowPeriod, endMs: number): readonly WindowPeriod[] {
    const changes = this.#earlier.map(({ untilMs }) => untilMs).filter((ms) => ms > period.startMs && ms < endMs);
    return [period.startMs, ...changes].map((startMs) => {
      const ids = this.#idsAt(startMs);
      const { trackIds = ids, ...rest } = period;
      return {
        ...rest,
        firstMsn: startMs === period.startMs ? period.firstMsn : this.#numberAt(startMs, period.firstMsn),
        startMs,
        mediaOffsetMs: period.mediaOffsetMs + startMs - period.startMs,
        ...(trackIds ? { trackIds: ids ? trackIds.filter((id) => ids.includes(id)) : trackIds } : {}),
      };
    });
  }

  #idsAt(ms: number): readonly string[] | undefined {
    const earlier = this.#earlier.find(({ untilMs }) => ms < untilMs);
    return earlier ? earlier.ids : this.#newest;
  }

  /** Number of the first segment that starts at a time (100 ms tolerance) or after it. */
  #numberAt(ms: number, least: number): number {
    for (const { track } of this.listedTracks) {
      const entry = this.inner.segments(track.id, { fromMs: ms, toMs: Infinity }).find(isAfter);
      if (entry) return Math.max(least, entry.msn);
    }
    return Infinity;
    function isAfter({ startMs }: WindowSegment): boolean {
      return startMs > ms - MAX_START_DISTANCE_MS;
    }
  }

  #has(trackId: string): boolean {
    return this.#ids?.has(trackId) !== false;
  }

  onChange(listener: () => void): () => void {
    return this.inner.onChange(listener);
  }

  #isWithin(trackIds: readonly string[]): boolean {
    return [...(this.#ids ?? [])].every((id) => trackIds.includes(id));
  }

  #chosen<T extends { readonly track: { readonly id: string } }>(all: readonly T[]): readonly T[] {
    return all.filter(({ track }) => this.#has(track.id));
  }
}
