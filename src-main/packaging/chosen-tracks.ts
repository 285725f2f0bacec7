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

/** Tracks of a window up to a time. */
export interface EarlierTracks {
  /** Start of the first segment with other tracks, in milliseconds on the timeline of the window. */
  readonly untilMs: number;
  /** Ids; undefined for all. */
  readonly ids: readonly string[] | undefined;
}

/** Maximum distance between the starts of a track and of its period, in milliseconds: tracks have complete frames. */
const NEAR_MS = 100;

/** View of a window with some of its tracks only. If it had other tracks before, a new period starts with the current ones. */
export class ChosenTracks extends WrappedWindow<ChangingWindow> implements ChangingWindow {
  /** Current tracks, and tracks of any time; undefined for all. */
  readonly #newest: readonly string[] | undefined;
  readonly #ids: ReadonlySet<string> | undefined;
  readonly #earlier: readonly EarlierTracks[];
  /** Own segment objects, so that texts rendered from them are cached separately. */
  readonly #own = new WeakMap<WindowSegment, WindowSegment>();

  /**
   * @param ids undefined for all
   * @param earlier oldest first
   */
  constructor(whole: ChangingWindow, ids: readonly string[] | undefined, earlier: readonly EarlierTracks[] = []) {
    super(whole);
    const all = [ids, ...earlier.map((one) => one.ids)];
    this.#newest = ids;
    this.#ids = all.includes(undefined) ? undefined : new Set(all.flatMap((one) => one ?? []));
    this.#earlier = earlier;
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
    return whole && new ChosenTracks(whole, this.#newest);
  }

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    return this.#has(trackId) ? this.whole.segments(trackId, range) : [];
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    return this.#has(trackId) ? this.whole.lastSegment(trackId) : undefined;
  }

  override segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const entry = this.#has(trackId) ? this.whole.segmentByAddress(trackId, address) : undefined;
    if (!entry) return undefined;
    // Named explicitly, because members computed on demand may not be own properties.
    const { segment, msn, startMs, isDiscontinuity, discontinuitySequence } = entry;
    const made = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address: entry.address };
    const own = this.#own.get(entry) ?? made;
    this.#own.set(entry, own);
    return own;
  }

  override segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.#has(trackId) ? this.whole.segmentByMsn(trackId, msn) : undefined;
  }

  override init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    return this.#has(trackId) ? this.whole.init(trackId, initId, addressPrefix) : undefined;
  }

  override periods(range?: TimeRange): readonly WindowPeriod[] {
    const periods = this.whole.periods(range);
    // A transport stream of the whole window may have other tracks; then the segments declare them.
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

  /** Returns a period with its tracks, or several periods if the tracks change within it. */
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

  /** Media sequence number of the first segment that starts at or after a time. */
  #numberAt(ms: number, least: number): number {
    for (const { track } of this.listedTracks) {
      const entry = this.whole.segments(track.id, { fromMs: ms, toMs: Infinity }).find(isBehind);
      if (entry) return Math.max(least, entry.msn);
    }
    return Infinity;
    function isBehind({ startMs }: WindowSegment): boolean {
      return startMs > ms - NEAR_MS;
    }
  }

  #has(trackId: string): boolean {
    return this.#ids?.has(trackId) !== false;
  }

  onChange(listener: () => void): () => void {
    return this.whole.onChange(listener);
  }

  #isWithin(trackIds: readonly string[]): boolean {
    return [...(this.#ids ?? [])].every((id) => trackIds.includes(id));
  }

  #chosen<T extends { readonly track: { readonly id: string } }>(all: readonly T[]): readonly T[] {
    return all.filter(({ track }) => this.#has(track.id));
  }
}
