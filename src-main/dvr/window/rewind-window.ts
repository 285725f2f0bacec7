import { firstIndex, inRange } from '../../segment/segment-list.ts';
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
import type { BlockTable, TrackRows } from './block-table.ts';
import { LateSegments } from './late-segments.ts';
import { numberedTables, recordedNumber } from './numbered-tables.ts';
import { MAX_GAP_MS, type LiveNumber } from './window-table.ts';
import { ShiftedWindow } from './shifted-window.ts';

/**
 * Live window with the archive before it under one numbering: the numbers of the live window, continued backwards.
 * Segments of the live window come from the live window, with their parts, older segments from the archive. Segments
 * that left the live window before they were recorded stay in memory until they are. Lost segments become gaps, so that
 * all other segments keep their numbers. Viewers seek back from live without another address.
 */
export class RewindWindow implements ChangingWindow {
  readonly mutability = 'live';
  readonly epochMs = 0;
  readonly canRewind = true;
  /** Live window of the stream, with its own numbers. */
  readonly origin: ChangingWindow;
  readonly shift: number;
  /** `origin` with archive numbers. */
  readonly live: ChangingWindow;
  /**
   * Whether the numbers of the archive are final: the archive reaches the segments in memory, the archive or the live
   * window is empty, or the segments in memory start with the first segment that was ever live.
   */
  isAligned = false;
  readonly #late = new LateSegments();
  #archive: ArchiveWindow;
  /** Blocks whose recorded numbers are valid in this window. */
  #numbered: ReadonlySet<BlockTable> = new Set();
  /** Sum of the versions of the archives that were replaced. */
  #replacedVersions = 0;
  /** Start of the window in epoch milliseconds when it was last sent to a viewer; undefined before. Numbers are fixed since. */
  #publicFromMs: number | undefined;
  /** Number of additional discontinuities compared with the live window, before the segment `msn`. */
  #extraDiscontinuities = { msn: 0, count: 0 };
  readonly #listeners = new Set<() => void>();
  readonly #stopLive: () => void;
  /** Whether a segment is a discontinuity, by number, if the live window does not know its predecessor. */
  readonly #joints = new Map<number, boolean>();
  /** Live segments as this window lists them, if they differ. */
  readonly #shown = new WeakMap<WindowSegment, WindowSegment>();

  /** @param shift archive number minus live number; default 0 */
  constructor(origin: ChangingWindow, shift = 0) {
    this.origin = origin;
    this.shift = shift;
    const live = shift === 0 ? origin : new ShiftedWindow(origin, shift);
    this.live = live;
    this.#archive = emptyArchive(live);
    this.#late.take(live);
    this.#stopLive = live.onChange(() => {
      this.#late.take(live);
      this.#changed();
    });
  }

  /** Shows these blocks from a time on, before the live window. */
  show(tables: readonly BlockTable[], fromMs: number): void {
    // Media sequence numbers never decrease, so media before the published start that reaches the disk late is left out.
    const range = { fromMs: Math.max(fromMs, this.#publicFromMs ?? 0), toMs: Infinity };
    const { version } = this;
    this.#numbered = numberedTables(tables, this.#firstUnarchived());
    if (this.#publicFromMs === undefined && !this.isAligned) {
      this.#replacedVersions += this.#archive.version;
      this.#archive = emptyArchive(this.live);
    }
    this.#placeTables(tables, range);
    this.#late.settle(this.live, fromMs, ({ segment: { trackId }, address }) => {
      const recorded = this.#archive.segmentByAddress(trackId, address);
      return recorded?.segment.isGap === false;
    });
    const first = this.#firstUnarchived();
    // Segments that were released without being recorded are gaps from now on.
    if (first && (this.#archive.end?.msn ?? first.msn) < first.msn) this.#placeTables(tables, range);
    this.isAligned = !first || !this.#archive.end || first.msn === this.live.firstMsn || this.#reaches(first);
    if (first) this.#join(first);
    if (this.#publicFromMs !== undefined) this.publish();
    if (this.version !== version) this.#changed();
  }

  /** Fixes the numbers and the start of the window. Call it before the window is sent to a viewer. */
  publish(): void {
    const first = this.#firstUnarchived();
    const msn = this.#archive.firstMsn;
    const archived = first && msn !== undefined ? this.#archive.segmentByMsn(first.segment.trackId, msn) : undefined;
    this.#publicFromMs = Math.max(this.#publicFromMs ?? 0, (archived ?? first)?.startMs ?? 0);
  }

  #placeTables(tables: readonly BlockTable[], range: TimeRange): void {
    const next = this.#firstUnarchived();
    const liveNumber = (table: BlockTable, row: number): LiveNumber | undefined => this.#liveNumber(table, row);
    const liveCut = (msn: number): boolean | undefined => this.#liveCut(msn);
    const liveStart = (msn: number): number | undefined => this.#late.startOf(msn);
    this.#archive.show(tables, range, 'live', {
      liveNumber,
      liveCut,
      liveStart,
      next,
      fillsUp: this.#publicFromMs !== undefined,
    });
  }

  /** Number of a row in this window: the recorded number, or the number of the same segment in memory. */
  #liveNumber(table: BlockTable, row: number): LiveNumber | undefined {
    const { leader } = table;
    const { id } = leader.track;
    const address = String(leader.startMs[row]);
    const entry = this.live.segmentByAddress(id, address) ?? this.#late.segmentByAddress(id, address);
    const recorded = this.#numbered.has(table) ? recordedNumber(table, row) : undefined;
    const msn = recorded?.msn ?? entry?.msn ?? this.#numberByBlock(leader, row);
    if (msn === undefined) return undefined;
    const sequence = this.#late.sequenceOf(msn);
    return {
      msn,
      discontinuitySequence: sequence === undefined ? undefined : sequence + this.#extraBefore(msn),
      // Viewers who come from the live playlist keep its numbering.
      ...(recorded?.recordedSequence === undefined || this.#publicFromMs !== undefined
        ? {}
        : { recordedSequence: recorded.recordedSequence }),
    };
  }

  /** Whether a segment is a discontinuity; undefined if unknown, as for the first live segment, which has no predecessor. */
  #liveCut(msn: number): boolean | undefined {
    const isCut = this.#joints.get(msn);
    return isCut === undefined && msn !== this.live.firstMsn ? this.#late.isCut(msn) : isCut;
  }

  /** Number of a row, counted from the first segment in memory if its block has this segment. */
  #numberByBlock({ track, count, startMs }: TrackRows, row: number): number | undefined {
    const first = this.#firstUnarchived();
    if (!first) return undefined;
    const at = firstIndex(count, (index) => (startMs[index] ?? Infinity) >= first.startMs);
    return first.segment.trackId === track.id && startMs[at] === first.startMs ? first.msn - at + row : undefined;
  }

  /** Sets the number of discontinuities from which the segments in memory continue. */
  #join(first: WindowSegment): void {
    const { end } = this.#archive;
    const before = end && this.#archive.segmentByMsn(first.segment.trackId, Math.min(end.msn, first.msn) - 1);
    if (!end) return;
    if (!before) {
      // The archive starts with the same segment.
      const same = this.#archive.segmentByMsn(first.segment.trackId, first.msn);
      if (same)
        this.#extraDiscontinuities = {
          msn: first.msn,
          count: same.discontinuitySequence - first.discontinuitySequence,
        };
      return;
    }
    if (this.#liveCut(first.msn) === undefined) this.#joints.set(first.msn, !this.#continues(before, first));
    const count = before.discontinuitySequence + (before.isDiscontinuity ? 1 : 0);
    this.#extraDiscontinuities = { msn: first.msn, count: count - first.discontinuitySequence };
  }

  /** Number of additional discontinuities compared with the live window, before a live segment. */
  #extraBefore(msn: number): number {
    let { count } = this.#extraDiscontinuities;
    for (const [number, isCut] of this.#joints)
      if (isCut && number >= this.#extraDiscontinuities.msn && number < msn) count++;
    return count;
  }

  close(): void {
    this.#stopLive();
    this.#late.close();
  }

  /** Number of segments of each track that the archive has. */
  get archivedCount(): number {
    return this.#archive.count;
  }

  /** Its blocks, in order. */
  get tables(): readonly BlockTable[] {
    return this.#archive.tables;
  }

  get version(): number {
    return this.live.version + this.#archive.version + this.#replacedVersions;
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
    const firstMsn = this.#firstUnarchived()?.msn ?? Infinity;
    const archived = this.#archive.segments(trackId, range);
    const end = archived.findLastIndex(({ msn }) => msn < firstMsn) + 1;
    const before = end === archived.length ? archived : archived.slice(0, end);
    return [...before, ...this.#afterArchive(this.#segmentsInMemory(trackId, range))];
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
    const firstMsn = this.#firstUnarchived()?.msn ?? Infinity;
    if (msn < firstMsn) return this.#archive.segmentByMsn(trackId, msn);
    return this.live.segmentByMsn(trackId, msn) ?? this.#late.segment(trackId, msn);
  }

  init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    const init = this.live.init(trackId, initId, addressPrefix) ?? this.#archive.init(trackId, initId, addressPrefix);
    return init ?? (addressPrefix === undefined || addressPrefix === '' ? this.#late.init(trackId, initId) : undefined);
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    const live = this.#unarchivedPeriods(range);
    // A period that starts in the archive is the same in both windows, even if the live window contains only its end.
    const firstMsn = this.#firstUnarchived()?.msn ?? Infinity;
    const archived = this.#archive.periods(range).filter((period) => period.firstMsn < firstMsn);
    if (archived.length === 0) return live;
    return [...archived, ...live.filter((period) => period.firstMsn >= firstMsn)];
  }

  /** Periods of the live window, and earlier periods with segments that are not recorded yet. */
  #unarchivedPeriods(range?: TimeRange): readonly WindowPeriod[] {
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

  /** Segments of a track in memory: segments that are not recorded yet, and the live window. */
  #segmentsInMemory(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const live = this.live.segments(trackId, range);
    const firstMsn = this.#firstLive()?.msn;
    const late = firstMsn === undefined ? [] : this.#late.segments(trackId, firstMsn);
    if (late.length === 0) return live;
    return [...(range ? inRange(late, range) : late), ...live];
  }

  /** First segment of the leading track that does not come from the archive. */
  #firstUnarchived(): WindowSegment | undefined {
    const live = this.#firstLive();
    const msn = this.#late.firstMsn;
    if (!live || msn === undefined || msn >= live.msn) return live;
    return this.#late.segment(live.segment.trackId, msn) ?? live;
  }

  /** First segment of the live window's leading track. */
  #firstLive(): WindowSegment | undefined {
    for (const { track } of this.live.tracks) {
      const [first] = this.live.segments(track.id);
      if (first) return first;
    }
    return undefined;
  }

  /** Whether the archive reaches up to the first segment in memory. */
  #reaches(first: WindowSegment): boolean {
    const { trackId } = first.segment;
    const last = this.#archive.lastSegment(trackId);
    if (!last) return false;
    const { address } = last;
    if (this.live.segmentByAddress(trackId, address) ?? this.#late.segmentByAddress(trackId, address)) return true;
    return this.#continues(last, first);
  }

  /** Segments in memory as they follow the archive: the first one is a discontinuity if it does not continue the archive. */
  #afterArchive(live: readonly WindowSegment[]): readonly WindowSegment[] {
    const [first, ...others] = live;
    if (!first) return live;
    const isDiscontinuity = first.isDiscontinuity || this.#joints.get(first.msn) === true;
    const more = this.#extraBefore(first.msn);
    const discontinuitySequence = first.discontinuitySequence + more;
    if (isDiscontinuity === first.isDiscontinuity && more === 0) return live;
    const cached = this.#shown.get(first);
    if (cached?.isDiscontinuity === isDiscontinuity && cached.discontinuitySequence === discontinuitySequence)
      return [cached, ...others];
    const { segment, msn, startMs, address } = first;
    const shown = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address };
    this.#shown.set(first, shown);
    return [shown, ...others];
  }

  #continues(before: WindowSegment, { segment: { trackId }, address, startMs }: WindowSegment): boolean {
    const recorded = this.#archive.segmentByAddress(trackId, address);
    if (recorded) return !recorded.isDiscontinuity;
    const timescale = this.init(trackId, before.segment.initId)?.track.timescale ?? 1;
    return startMs - before.startMs - (before.segment.durationTicks * 1000) / timescale <= MAX_GAP_MS;
  }
}

function emptyArchive({ segmentMs }: ChangingWindow): ArchiveWindow {
  return new ArchiveWindow({ segmentMs, firstMsn: undefined, mutability: 'live' });
}

function byContent({ track: a }: WindowTrack, { track: b }: WindowTrack): number {
  if (a.content !== b.content) return a.content === 'video' ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
