import { inRange } from '../../segment/segment-list.ts';
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
import { LateSegments } from './late-segments.ts';
import { HOLE_MS } from './placed-table.ts';

/**
 * A live window, and the archive before it, under one numbering: that of the live window, which the archive counts back from. What the live window has is
 * taken from there, with its parts; what has left it, from the archive, and what is not recorded yet is kept until it is. The viewer goes back from live
 * without another address.
 */
export class RewindWindow implements ChangingWindow {
  readonly mutability = 'live';
  readonly epochMs = 0;
  readonly goesBack = true;
  readonly live: ChangingWindow;
  /** Whether the archive has its numbers for certain: it reaches up to what is live, or nothing was live before that. */
  isAligned = false;
  readonly #late = new LateSegments();
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
    this.#late.take(live);
    this.#stopLive = live.onChange(() => {
      this.#late.take(live);
      this.#changed();
    });
  }

  /** Shows what these blocks have from a time on, before the live window. */
  show(tables: readonly BlockTable[], fromMs: number): void {
    const range = { fromMs, toMs: Infinity };
    const { version } = this;
    this.#archive.show(tables, range, 'live');
    this.#align(tables, range);
    this.#late.settle(this.live, fromMs, ({ segment: { trackId }, address }) => {
      const recorded = this.#archive.segmentByAddress(trackId, address);
      return recorded?.segment.isGap === false;
    });
    if (this.version !== version) this.#changed();
  }

  /** Numbers the archive as the live window does: it is not aligned yet, or something that was live is not recorded. */
  #align(tables: readonly BlockTable[], range: TimeRange): void {
    const first = this.#firstKept();
    const numbered = first && this.#numberBefore(first);
    this.isAligned = !first || numbered === undefined || first.msn === this.live.firstMsn || this.#reaches(first);
    if (!first || numbered === undefined || numbered === first.msn) return;
    const aligned = emptyArchive(this.live, Math.max(0, (this.#archive.firstMsn ?? 0) + first.msn - numbered));
    aligned.show(tables, range, 'live');
    this.#gone += this.#archive.version;
    this.#archive = aligned;
  }

  close(): void {
    this.#stopLive();
    this.#late.close();
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
    const firstMsn = this.#firstKept()?.msn ?? Infinity;
    const archived = this.#archive.segments(trackId, range);
    const end = archived.findLastIndex(({ msn }) => msn < firstMsn) + 1;
    const before = end === archived.length ? archived : archived.slice(0, end);
    return [...before, ...this.#behind(before.at(-1), this.#kept(trackId, range))];
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    return this.live.lastSegment(trackId) ?? this.#archive.lastSegment(trackId);
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return (
      this.live.segmentByAddress(trackId, address) ??
      this.#archive.segmentByAddress(trackId, address) ??
      this.#late.segmentByAddress(trackId, address)
    );
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const firstMsn = this.#firstKept()?.msn ?? Infinity;
    if (msn < firstMsn) return this.#archive.segmentByMsn(trackId, msn);
    return this.live.segmentByMsn(trackId, msn) ?? this.#late.segment(trackId, msn);
  }

  init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    const known = this.live.init(trackId, initId, addressPrefix) ?? this.#archive.init(trackId, initId, addressPrefix);
    return (
      known ?? (addressPrefix === undefined || addressPrefix === '' ? this.#late.init(trackId, initId) : undefined)
    );
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    const live = this.#keptPeriods(range);
    // One that begins in the archive is the same there, also where the live window knows the end of it only.
    const firstMsn = this.#firstKept()?.msn ?? Infinity;
    const archived = this.#archive.periods(range).filter((period) => period.firstMsn < firstMsn);
    if (archived.length === 0) return live;
    return [...archived, ...live.filter((period) => period.firstMsn >= firstMsn)];
  }

  /** Periods of the live window, and those that have left it with segments that are not recorded yet. */
  #keptPeriods(range?: TimeRange): readonly WindowPeriod[] {
    const live = this.live.periods(range);
    const first = this.live.periods()[0]?.firstMsn;
    const late = first === undefined ? [] : this.#late.periods(first);
    if (late.length === 0) return live;
    return [...(range ? inRange(late, range) : late), ...live];
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

  /** What the live window has of a track, and before it what is not recorded yet. */
  #kept(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const live = this.live.segments(trackId, range);
    const firstMsn = this.#firstLive()?.msn;
    const late = firstMsn === undefined ? [] : this.#late.segments(trackId, firstMsn);
    if (late.length === 0) return live;
    return [...(range ? inRange(late, range) : late), ...live];
  }

  /** The first segment that is not taken from the archive, of the leading track. */
  #firstKept(): WindowSegment | undefined {
    const live = this.#firstLive();
    const msn = this.#late.firstMsn;
    if (!live || msn === undefined || msn >= live.msn) return live;
    return this.#late.segment(live.segment.trackId, msn) ?? live;
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

  /** Whether the archive reaches up to the first segment that is kept. */
  #reaches(first: WindowSegment): boolean {
    const { trackId } = first.segment;
    const last = this.#archive.lastSegment(trackId);
    if (!last) return false;
    const { address } = last;
    if (this.live.segmentByAddress(trackId, address) ?? this.#late.segmentByAddress(trackId, address)) return true;
    return this.#goesOn(last, first);
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
