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

/** Which tracks there were up to a time. */
export interface EarlierTracks {
  /** Where other ones begin: the start of a segment on the timeline of the window, in milliseconds. */
  readonly untilMs: number;
  /** Ids; undefined for all. */
  readonly ids: readonly string[] | undefined;
}

/** A track begins so near to a period, in milliseconds: it has whole frames. */
const NEAR_MS = 100;

/** A window with some of its tracks only: all else is as there. Where there were other ones before, a period of its own begins with those that are there now. */
export class ChosenTracks extends WrappedWindow<ChangingWindow> implements ChangingWindow {
  /** Those of now, and of any time; undefined for all. */
  readonly #newest: readonly string[] | undefined;
  readonly #ids: ReadonlySet<string> | undefined;
  readonly #earlier: readonly EarlierTracks[];
  /** A segment of its own for each of the whole, so that what is made of them is kept apart. */
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
    // By their names: what a window makes when it is asked may not have them as its own.
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
    // A transport stream of the whole may have other tracks than those: then their segments say what it has.
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

  /** A period with the tracks that it has, or several where they change within it. */
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

  /** Number of the first segment that begins at a time or behind it. */
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
