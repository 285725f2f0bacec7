import { keepNewest } from '../../lib/limits/newest.ts';
import { writeInitSegment } from '../../media/containers/isobmff/init-segment.ts';
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
import type { BlockTrack } from '../block/block-head.ts';
import { recordedSplices } from './archive-splices.ts';
import { endMsOf, type BlockTable } from './block-table.ts';
import { discontinuitiesBefore, numberTables, trackFacts, type Numbering, type WindowTable } from './window-table.ts';
import { segmentOf } from './row-segment.ts';

export interface ArchiveWindowOptions {
  /** Nominal segment duration in milliseconds, as configured. */
  readonly segmentMs: number;
  /** Media sequence number of the first segment; undefined if the live window determines it. Default 0. */
  readonly firstMsn?: number | undefined;
  /** Epoch milliseconds of time 0 of its timeline; default 0, which is UTC as recorded. */
  readonly epochMs?: number;
  readonly mutability: ChangingWindow['mutability'];
}

/** Maximum number of cached segments that were requested individually: a repeated request returns the same object. */
const MAX_CACHED = 64;

/**
 * Time range of an archive. It refers to tables of blocks, creates segments on request, and reads no media. A period
 * ends at each gap and at each change of tracks. Rows are found by binary search.
 */
export class ArchiveWindow implements ChangingWindow {
  mutability: ChangingWindow['mutability'];
  readonly isIdle = false;
  readonly epochMs: number;
  readonly partMs = 0;
  readonly segmentMs: number;
  version = 1;
  longestSegmentMs = 0;
  tracks: readonly WindowTrack[] = [];
  #placed: readonly WindowTable[] = [];
  /** Tables of the window when it last had any. The numbers of new tables continue after them. */
  #lastTables: readonly WindowTable[] = [];
  #periods: readonly WindowPeriod[] = [];
  #splices: readonly WindowSplice[] = [];
  /** Number of the first segment that the window ever had; undefined if the live window determines it. */
  readonly #firstMsn: number | undefined;
  readonly #inits = new Map<string, Init>();
  readonly #cache = new Map<string, WindowSegment>();
  readonly #listeners = new Set<() => void>();

  constructor(options: ArchiveWindowOptions) {
    const { segmentMs, epochMs = 0, mutability } = options;
    this.segmentMs = segmentMs;
    this.mutability = mutability;
    this.epochMs = epochMs;
    this.#firstMsn = 'firstMsn' in options ? options.firstMsn : 0;
  }

  get longestPartMs(): number {
    return this.longestSegmentMs;
  }

  get inits(): readonly Init[] {
    return this.tracks.flatMap(({ track }) => {
      const rows = this.#placed.findLast(({ table }) => table.tracks.has(track.id))?.table.tracks.get(track.id);
      return rows ? [this.#init(rows.track, rows.initId)] : [];
    });
  }

  /** Its blocks, in order. */
  get tables(): readonly BlockTable[] {
    return this.#placed.map(({ table }) => table);
  }

  /** Number of its first segment; undefined if empty. */
  get firstMsn(): number | undefined {
    return this.#placed[0]?.firstMsn;
  }

  /** Number after its last segment, and the discontinuities before that; undefined if empty. */
  get end(): { readonly msn: number; readonly discontinuities: number } | undefined {
    const last = this.#placed.at(-1);
    return last && { msn: last.endMsn, discontinuities: discontinuitiesBefore(last, Infinity) };
  }

  /** Number of segments of each track, gaps included. */
  get count(): number {
    const last = this.#placed.at(-1);
    return last ? last.endMsn - (this.#placed[0]?.firstMsn ?? 0) : 0;
  }

  /** Replaces the tables. Tables that stay keep the numbers of their segments. @param live numbers from the live window */
  show(
    tables: readonly BlockTable[],
    range: TimeRange,
    mutability: ChangingWindow['mutability'],
    live: Omit<Numbering, 'msn' | 'earlier'> = {},
  ): void {
    const { placed, periods } = numberTables(tables, range, {
      msn: this.#firstMsn,
      earlier: this.#lastTables,
      ...live,
    });
    if (mutability === this.mutability && isSame(placed, this.#placed)) return;
    this.mutability = mutability;
    this.#placed = placed;
    if (placed.length > 0) this.#lastTables = placed;
    this.#periods = continuedPeriods(this.#periods, periods);
    const facts = trackFacts(placed);
    this.tracks = facts.tracks;
    this.longestSegmentMs = Math.max(this.longestSegmentMs, facts.longestSegmentMs);
    this.#splices = recordedSplices(placed.map(({ table }) => table));
    this.#cache.clear();
    this.version++;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Updates the playlists of a static window, with gaps in place of damaged segments. Playlists of other windows do
   * not show damage.
   */
  refresh(): void {
    if (this.mutability === 'static') this.version++;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  bounds(): TimeRange | undefined {
    const [first] = this.#placed;
    const last = this.#placed.at(-1);
    if (!first || !last) return undefined;
    let fromMs = Infinity;
    let toMs = 0;
    for (const rows of first.table.tracks.values()) fromMs = Math.min(fromMs, rows.startMs[first.from] ?? Infinity);
    for (const rows of [...last.table.tracks.values(), last.table.leader])
      toMs = Math.max(toMs, endMsOf(rows, Math.min(last.from + last.endMsn - last.firstMsn, rows.count) - 1));
    return { fromMs, toMs };
  }

  segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const [firstMsn, endMsn] = this.#numbersOf(trackId, range);
    const found: WindowSegment[] = [];
    let index = this.#indexOf(firstMsn);
    for (let msn = firstMsn; msn < endMsn; msn++) {
      while (msn >= (this.#placed[index]?.endMsn ?? Infinity)) index++;
      const placed = this.#placed[index];
      if (placed) found.push(this.#segment(placed, trackId, msn));
    }
    return found;
  }

  lastSegment(trackId: string): WindowSegment | undefined {
    const [firstMsn, endMsn] = this.#numbersOf(trackId);
    return endMsn > firstMsn ? this.#segmentByMsn(trackId, endMsn - 1) : undefined;
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    const startMs = Number(address);
    // Tracks start a block at slightly different times.
    const after = firstIndex(this.#placed.length, (at) => startAt(this.#placed[at], trackId) > startMs);
    for (let at = after - 1; at >= 0 && at >= after - 2; at--) {
      const placed = this.#placed[at];
      const rows = placed?.table.tracks.get(trackId);
      if (!placed || !rows) continue;
      const row = firstIndex(rows.count, (index) => (rows.startMs[index] ?? 0) >= startMs);
      const msn = placed.firstMsn + row - placed.from;
      if (rows.startMs[row] === startMs && msn >= placed.firstMsn && msn < placed.endMsn)
        return this.#segmentByMsn(trackId, msn);
    }
    return undefined;
  }

  segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.#segmentByMsn(trackId, msn);
  }

  #segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    const key = `${trackId} ${msn}`;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const [firstMsn, endMsn] = this.#numbersOf(trackId);
    const placed = msn >= firstMsn && msn < endMsn ? this.#placed[this.#indexOf(msn)] : undefined;
    if (!placed) return undefined;
    const segment = this.#segment(placed, trackId, msn);
    this.#cache.set(key, segment);
    keepNewest(this.#cache, MAX_CACHED);
    return segment;
  }

  init(trackId: string, initId: number, addressPrefix = ''): Init | undefined {
    if (addressPrefix !== '') return undefined;
    const cached = this.#inits.get(`${trackId} ${initId}`);
    if (cached) return cached;
    for (const { table } of this.#placed) {
      const rows = table.tracks.get(trackId);
      if (rows?.initId === initId) return this.#init(rows.track, initId);
    }
    return undefined;
  }

  periods(range?: TimeRange): readonly WindowPeriod[] {
    return range ? inRange(this.#periods, range) : this.#periods;
  }

  splices(range?: TimeRange): readonly WindowSplice[] {
    return range ? this.#splices.filter(({ atMs }) => atMs >= range.fromMs && atMs < range.toMs) : this.#splices;
  }

  #init(track: BlockTrack, initId: number): Init {
    const key = `${track.id} ${initId}`;
    const cached = this.#inits.get(key);
    if (cached) return cached;
    const bytes = writeInitSegment(track);
    const init = { initId, track, sizeBytes: bytes.length, pieces: [{ bytes }] };
    this.#inits.set(key, init);
    return init;
  }

  #segment(placed: WindowTable, trackId: string, msn: number): WindowSegment {
    const isFixed = this.mutability === 'static';
    return segmentOf(placed, trackId, msn, () => this.#initIdNear(placed, trackId), isFixed);
  }

  /** Init segment for a gap of a track: from the previous or the next block. */
  #initIdNear(placed: WindowTable, trackId: string): number {
    const track = placed.table.tracks.get(trackId);
    if (track) return track.initId;
    const at = this.#placed.indexOf(placed);
    const before = this.#placed.slice(0, at).findLast(({ table }) => table.tracks.has(trackId));
    const near = before ?? this.#placed.slice(at).find(({ table }) => table.tracks.has(trackId));
    return near?.table.tracks.get(trackId)?.initId ?? 0;
  }

  /** Numbers from the first to after the last segment of a track; with a range, of segments that overlap it. */
  #numbersOf(trackId: string, range?: TimeRange): readonly [firstMsn: number, endMsn: number] {
    const has = ({ table }: WindowTable): boolean => table.tracks.has(trackId);
    const first = this.#placed.find(has);
    const last = this.#placed.findLast(has);
    if (!first || !last) return [0, 0];
    if (!range) return [first.firstMsn, last.endMsn];
    const from = this.#msnAt(trackId, range.fromMs, first.firstMsn, last.endMsn);
    const startMs = (msn: number): number => this.#startOf(trackId, msn);
    const end = firstIndex(last.endMsn - from, (index) => startMs(from + index) >= range.toMs);
    return [from, from + end];
  }

  /** Number of the last segment that starts at or before a time, or of the first segment. */
  #msnAt(trackId: string, ms: number, firstMsn: number, endMsn: number): number {
    const after = firstIndex(endMsn - firstMsn, (index) => this.#startOf(trackId, firstMsn + index) > ms);
    return firstMsn + Math.max(0, after - 1);
  }

  #startOf(trackId: string, msn: number): number {
    const placed = this.#placed[this.#indexOf(msn)];
    if (!placed) return Infinity;
    const row = placed.from + msn - placed.firstMsn;
    const rows = placed.table.tracks.get(trackId);
    return (rows && row < rows.count ? rows : placed.table.leader).startMs[row] ?? Infinity;
  }

  #indexOf(msn: number): number {
    return firstIndex(this.#placed.length, (at) => (this.#placed[at]?.endMsn ?? Infinity) > msn);
  }
}

function startAt(placed: WindowTable | undefined, trackId: string): number {
  const table = placed?.table;
  const row = placed?.from ?? 0;
  return table?.tracks.get(trackId)?.startMs[row] ?? table?.leader.startMs[row] ?? Infinity;
}

function isSame(a: readonly WindowTable[], b: readonly WindowTable[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, at) => {
      const other = b[at];
      return one.table === other?.table && one.from === other.from && one.endMsn === other.endMsn;
    })
  );
}

/**
 * Periods of a sliding window: the first one stays the same while its segments leave, because players identify periods
 * by their start.
 */
function continuedPeriods(
  before: readonly WindowPeriod[],
  [first, ...others]: readonly WindowPeriod[],
): readonly WindowPeriod[] {
  if (!first) return [];
  return [before.findLast(({ firstMsn }) => firstMsn <= first.firstMsn) ?? first, ...others];
}
