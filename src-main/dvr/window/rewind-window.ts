import type {
  ChangingWindow,
  Init,
  TimeRange,
  WindowPeriod,
  WindowSegment,
  WindowSplice,
  WindowTrack,
} from '../../segment/segment-window.ts';
import { ArchiveWindow } from './archive-window.ts';
import type { BlockTable } from './block-table.ts';
import { HOLE_MS } from './placed-table.ts';

/**
 * A live window, and the archive before it, under one numbering: that of the live window, which the archive counts back from. What the live window has is
 * taken from there, with its parts; what has left it, from the archive. The viewer goes back from live without another address.
 */
export class RewindWindow implements ChangingWindow {
  readonly mutability = 'live';
  readonly epochMs = 0;
  readonly live: ChangingWindow;
  #archive: ArchiveWindow;
  /** Versions of archives that were replaced. */
  #gone = 0;
  readonly #listeners = new Set<() => void>();
  readonly #stopLive: () => void;
  /** The first segment of the live window where something is before it that it does not know. */
  readonly #cut = new WeakMap<WindowSegment, WindowSegment>();

  constructor(live: ChangingWindow) {
    this.live = live;
    this.#archive = emptyArchive(live, 0);
    this.#stopLive = live.onChange(() => {
      this.#changed();
    });
  }

  /** Shows what these blocks have from a time on, before the live window. */
  show(tables: readonly BlockTable[], fromMs: number): void {
    const range = { fromMs, toMs: Infinity };
    const { version } = this;
    this.#archive.show(tables, range, 'live');
    this.#align(tables, range);
    if (this.version !== version) this.#changed();
  }

  /** Numbers the archive as the live window does: it is not aligned yet, or something that was live is not recorded. */
  #align(tables: readonly BlockTable[], range: TimeRange): void {
    const first = this.#firstLive();
    const numbered = first && this.#numberBefore(first);
    if (!first || numbered === undefined || numbered === first.msn) return;
    const aligned = emptyArchive(this.live, Math.max(0, (this.#archive.firstMsn ?? 0) + first.msn - numbered));
    aligned.show(tables, range, 'live');
    this.#gone += this.#archive.version;
    this.#archive = aligned;
  }

  close(): void {
    this.#stopLive();
  }

  /** Segments of the leading track that come from the archive. */
  get archivedCount(): number {
    return this.#archive.count;
  }

  /** Blocks of it, in order. */
  get tables(): readonly BlockTable[] {
    return this.#archive.tables;
  }

  get version(): number {
    return this.live.version + this.#archive.version + this.#gone;
  }

  get isIdle(): boolean {
    return this.live.isIdle;
  }

  get partMs(): number {
    return this.live.partMs;
  }

  get segmentMs(): number {
    return this.live.segmentMs;
  }

  get longestSegmentMs(): number {
    return Math.max(this.live.longestSegmentMs, this.#archive.longestSegmentMs);
  }

  get longestPartMs(): number {
    return this.live.longestPartMs;
  }

  get tracks(): readonly WindowTrack[] {
    return this.live.tracks;
  }

  get listedTracks(): readonly WindowTrack[] {
    const listed = this.live.listedTracks ?? this.live.tracks;
    const ids = new Set(listed.map(({ track }) => track.id));
    const ended = this.#archive.tracks.filter(({ track }) => !ids.has(track.id));
    return ended.length === 0 ? listed : [...listed, ...ended].sort(byContent);
  }

  get inits(): readonly Init[] {
    return this.live.inits;
  }

  bounds(): TimeRange | undefined {
    const [archive, live] = [this.#archive.bounds(), this.live.bounds()];
    if (!archive || !live) return archive ?? live;
    return { fromMs: Math.min(archive.fromMs, live.fromMs), toMs: Math.max(archive.toMs, live.toMs) };
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const firstMsn = this.#firstLive()?.msn ?? Infinity;
    const archived = this.#archive.segments(trackId, range);
    const end = archived.findLastIndex(({ msn }) => msn < firstMsn) + 1;
    const before = end === archived.length ? archived : archived.slice(0, end);
    const live = this.live.segments(trackId, range);
    return [...before, ...this.#behind(before.at(-1), live)];
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.live.lastSegment(trackId) ?? this.#archive.lastSegment(trackId);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return this.live.segmentByAddress(trackId, address) ?? this.#archive.segmentByAddress(trackId, address);
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const firstMsn = this.#firstLive()?.msn ?? Infinity;
    return msn >= firstMsn ? this.live.segmentByMsn(trackId, msn) : this.#archive.segmentByMsn(trackId, msn);
  }

  init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    return this.live.init(trackId, initId, addressPrefix) ?? this.#archive.init(trackId, initId, addressPrefix);
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    const live = this.live.periods(range);
    // One that begins in the archive is the same there, also where the live window knows the end of it only.
    const firstMsn = this.#firstLive()?.msn ?? Infinity;
    const archived = this.#archive.periods(range).filter((period) => period.firstMsn < firstMsn);
    if (archived.length === 0) return live;
    return [...archived, ...live.filter((period) => period.firstMsn >= firstMsn)];
  }

  splices(range?: TimeRange): readonly WindowSplice[] {
    const live = this.live.splices(range);
    const fromMs = this.live.bounds()?.fromMs ?? Infinity;
    return [
      ...this.#archive.splices(range).filter(({ atMs }) => atMs < Math.min(fromMs, live[0]?.atMs ?? Infinity)),
      ...live,
    ];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** The first segment of the live window, of its leading track. */
  #firstLive(): WindowSegment | undefined {
    for (const { track } of this.live.tracks) {
      const [first] = this.live.segments(track.id);
      if (first) return first;
    }
    return undefined;
  }

  /** The number that the archive has for a segment, or would have behind what it has before it; undefined where it has nothing there. */
  #numberBefore({ segment: { trackId }, address, startMs, msn }: WindowSegment): number | undefined {
    const known = this.#archive.segmentByAddress(trackId, address);
    if (known) return known.msn;
    const before = this.#archive
      .segments(trackId, { fromMs: startMs - 1, toMs: startMs })
      .findLast((entry) => entry.startMs < startMs);
    if (before) return before.msn + 1;
    // It begins later: one that both have says it.
    const [shared] = this.#archive.segments(trackId);
    const live = shared && this.live.segmentByAddress(trackId, shared.address);
    return live && shared.msn - live.msn + msn;
  }

  /** Live segments behind those of the archive: the first of a run does not know that something comes before it. */
  #behind(before: WindowSegment | undefined, live: readonly WindowSegment[]): readonly WindowSegment[] {
    const [first, ...others] = live;
    if (!before || !first || first.isDiscontinuity || this.#goesOn(before, first)) return live;
    const cut = this.#cut.get(first) ?? cutAt(first);
    this.#cut.set(first, cut);
    return [cut, ...others];
  }

  #goesOn(before: WindowSegment, { segment: { trackId }, address, startMs }: WindowSegment): boolean {
    const recorded = this.#archive.segmentByAddress(trackId, address);
    if (recorded) return !recorded.isDiscontinuity;
    const timescale = this.init(trackId, before.segment.initId)?.track.timescale ?? 1;
    return startMs - before.startMs - (before.segment.durationTicks * 1000) / timescale <= HOLE_MS;
  }
}

function cutAt({ segment, msn, startMs, discontinuitySequence, address }: WindowSegment): WindowSegment {
  return { segment, msn, startMs, isDiscontinuity: true, discontinuitySequence, address };
}

function emptyArchive({ segmentMs }: ChangingWindow, firstMsn: number): ArchiveWindow {
  return new ArchiveWindow({ segmentMs, firstMsn, mutability: 'live' });
}

function byContent({ track: a }: WindowTrack, { track: b }: WindowTrack): number {
  if (a.content !== b.content) return a.content === 'video' ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
