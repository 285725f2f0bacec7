import { firstIndex, inRange } from '../../src-main/segment/segment-list.ts';
import type {
  ChangingWindow,
  Init,
  SegmentWindow,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from '../../src-main/segment/segment-window.ts';
import { groupOf, measuredRate } from '../../src-main/segment/track-facts.ts';

/** Track with all its segments, oldest first. */
export interface ListedTrack {
  readonly track: WindowTrack['track'];
  readonly group?: string;
  readonly segments: readonly WindowSegment[];
}

/** Init segment of a period whose addresses have this prefix. */
interface ListedInit extends Init {
  readonly addressPrefix?: string;
}

/** Content of a window. */
export interface ListedWindow {
  readonly mutability?: SegmentWindow['mutability'];
  readonly epochMs?: number | undefined;
  readonly partMs?: number;
  readonly tracks: readonly ListedTrack[];
  readonly inits?: readonly ListedInit[];
  readonly periods?: readonly WindowPeriod[];
  readonly splices?: readonly WindowSplice[];
}

/** Window of lists that contains all its segments, like a file or a composed view. It may grow. */
export class ListWindow implements ChangingWindow {
  readonly mutability: SegmentWindow['mutability'];
  readonly isIdle = false;
  readonly epochMs: number | undefined;
  readonly partMs: number;
  readonly segmentMs = 2000;
  version = 1;
  #lists: ListedWindow;
  readonly #byAddress = new Map<string, WindowSegment>();
  readonly #listeners = new Set<() => void>();

  constructor(lists: ListedWindow) {
    this.mutability = lists.mutability ?? 'static';
    this.epochMs = lists.epochMs;
    this.partMs = lists.partMs ?? 0;
    this.#lists = lists;
    this.#index();
  }

  /** Replaces the lists. */
  grow(lists: ListedWindow): void {
    this.#lists = lists;
    this.#index();
    this.version++;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tracks: readonly WindowTrack[] = [];

  #listedTracks(): readonly WindowTrack[] {
    return this.#lists.tracks.map(({ track, group, segments }) => ({
      track,
      group: group ?? groupOf(track),
      rate: measuredRate(track, segments),
      hasCaptions: false,
    }));
  }

  get inits(): readonly Init[] {
    return (this.#lists.inits ?? []).filter(({ addressPrefix = '' }) => addressPrefix === '');
  }

  get longestSegmentMs(): number {
    return Math.max(0, ...this.#lengths().flatMap(({ segments }) => segments));
  }

  get longestPartMs(): number {
    return Math.max(0, ...this.#lengths().flatMap(({ parts }) => parts));
  }

  bounds(): TimeRange | undefined {
    const starts = this.#lists.tracks.map(({ segments }) => segments[0]?.startMs ?? Infinity);
    const ends = this.#lists.tracks.map(({ track, segments }) => {
      const last = segments.at(-1);
      return last ? last.startMs + Math.round((last.segment.durationTicks * 1000) / track.timescale) : 0;
    });
    const fromMs = Math.min(...starts);
    return Number.isFinite(fromMs) ? { fromMs, toMs: Math.max(...ends) } : undefined;
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const segments = this.#track(trackId)?.segments ?? [];
    return range ? inRange(segments, range) : segments;
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.#track(trackId)?.segments.at(-1);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return this.#byAddress.get(`${trackId}/${address}`);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const segments = this.#track(trackId)?.segments ?? [];
    const found = segments[firstIndex(segments.length, (index) => (segments[index]?.msn ?? Infinity) >= msn)];
    return found?.msn === msn ? found : undefined;
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    return this.#lists.inits?.find(
      (init) => init.track.id === trackId && init.initId === initId && (init.addressPrefix ?? '') === addressPrefix,
    );
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    const periods = this.#lists.periods ?? [];
    return range ? inRange(periods, range) : periods;
  }

  splices(range: TimeRange = { fromMs: -Infinity, toMs: Infinity }): readonly WindowSplice[] {
    return (this.#lists.splices ?? []).filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs);
  }

  #track(trackId: string): ListedTrack | undefined {
    return this.#lists.tracks.find(({ track }) => track.id === trackId);
  }

  #index(): void {
    this.tracks = this.#listedTracks();
    for (const { track, segments } of this.#lists.tracks)
      for (const entry of segments) this.#byAddress.set(`${track.id}/${entry.address}`, entry);
  }

  #lengths(): { readonly segments: readonly number[]; readonly parts: readonly number[] }[] {
    return this.#lists.tracks.map(({ track: { timescale }, segments }) => ({
      segments: segments.map(({ segment }) => (segment.durationTicks * 1000) / timescale),
      parts: segments.flatMap(({ segment }) =>
        segment.parts.flatMap((part) => (part.hasManyChunks === true ? [] : (part.durationTicks * 1000) / timescale)),
      ),
    }));
  }
}
