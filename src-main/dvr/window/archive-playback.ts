import type { Clock } from '../../lib/clock.ts';
import { every } from '../../lib/timers.ts';
import type { ChangingWindow } from '../../segment/segment-window.ts';
import { ArchiveWindow } from './archive-window.ts';
import { keyOf, lengthOf, MINUTE_MS, MAX_RANGE_MS, timeOf, type ArchiveRequest } from './archive-request.ts';
import type { AddedBlock } from '../catalog/archive-catalog.ts';
import { endMsOf, type BlockTable } from './block-table.ts';
import type { BlockTables } from './block-tables.ts';
import { LongRangeWindow } from './long-range-window.ts';
import { MAX_GAP_MS } from './window-table.ts';
import { recordedNumbers } from './numbered-tables.ts';
import { RewindWindow } from './rewind-window.ts';

/** Reason why there is nothing to play. */
export type ArchiveRefusal = 'nothing_recorded' | 'not_yet' | 'range_too_long';

/** Window to play: a time of an archive, or the live window with the archive before it. */
export type PlayedWindow = ArchiveWindow | RewindWindow;

export interface ArchivePlaybackOptions {
  readonly clock: Clock;
  readonly tables: BlockTables;
  /** Whether a window is in use. */
  readonly isInUse: (window: PlayedWindow) => boolean;
  /** Called when a window was dropped. */
  readonly ended: (window: PlayedWindow) => void;
  /** Live window of a stream; undefined if there is none. */
  readonly live: (stream: string) => ChangingWindow | undefined;
  /** Whether the recording of a stream ended and is completely on disk. */
  readonly isOver: (stream: string) => boolean;
  /** Archive number minus live number of a stream's segments; undefined if unknown. */
  readonly shiftOf: (stream: string) => number | undefined;
}

/** Range loaded before and after the position of the reader of a long range, in milliseconds. */
const AHEAD_MS = 3_600_000;
const BEHIND_MS = 300_000;
/**
 * Maximum time after the current time in which media recorded before the clock was set back is found: ten years, in
 * milliseconds.
 */
const MAX_AHEAD_MS = 315_360_000_000;
/** Interval of updates of growing windows, in milliseconds. */
const UPDATE_MS = 500;
/**
 * Time without requests after which an unused window is dropped if it grows or has a single reader, in milliseconds.
 * Other windows stay until they are outdated, lose a block, or their memory is needed.
 */
const UNUSED_MS = 90_000;
/** Maximum number of cached windows and of their segments. Windows in use are kept beyond it. */
const MAX_WINDOWS = 500;
const MAX_SEGMENTS = 400_000;
/** Maximum time that a window with live media waits until the archive reaches it, and step of the wait, in milliseconds. */
const ALIGN_MS = 4000;
const ALIGN_STEP_MS = 250;
/** Maximum time until live media is on disk, in milliseconds. */
const SETTLED_MS = 20_000;
/**
 * Origin and step of the first number of a sliding window: one number per step since the origin. The step is shorter
 * than any segment, so the first number of a window that is created again is not below the last playlist of the window
 * before it.
 */
const NUMBERS_FROM_MS = Date.UTC(2011, 0, 1);
const NUMBER_STEP_MS = 500;

/** Window that is served or being loaded. */
interface Played {
  readonly stream: string;
  readonly request: ArchiveRequest;
  readonly window: PlayedWindow;
  /** Time of the last request, in epoch milliseconds. */
  usedMs: number;
  isUpdating: boolean;
  /** Whether the window ends early because the recording ended. */
  isCutShort: boolean;
  /** Whether the catalog has a new block in the time range of the window that the window lacks. */
  isStale: boolean;
}

/** Windows of archives, shared by all viewers of the same time. Growing windows are updated twice a second. */
export class ArchivePlayback {
  readonly #options: ArchivePlaybackOptions;
  /** By stream and request, least recently used first. */
  readonly #played = new Map<string, Played>();
  /** Windows being loaded for the first time. */
  readonly #loading = new Set<Played>();
  /** Number of single-reader windows created. */
  #longCount = 0;
  readonly #opening = new Map<string, Promise<PlayedWindow | ArchiveRefusal>>();
  /** Stops the updates; undefined if there are no windows. */
  #stop: (() => void) | undefined;

  constructor(options: ArchivePlaybackOptions) {
    this.#options = options;
    options.tables.onDamage(({ disk, path }) => {
      for (const { window } of this.#played.values())
        if (window instanceof ArchiveWindow && hasBlock(window, disk, path)) window.refresh();
    });
  }

  get windowCount(): number {
    return this.#played.size;
  }

  /** Window of a request, created if necessary. @param segmentMs nominal segment duration of the stream, in milliseconds */
  async open(stream: string, request: ArchiveRequest, segmentMs: number): Promise<PlayedWindow | ArchiveRefusal> {
    const key = this.#isLong(request) ? `${stream}\nlong ${++this.#longCount}` : keyOf(stream, request);
    const played = this.#played.get(key);
    if (played && !this.#isCurrent(played)) this.#end(key);
    else if (played) {
      played.usedMs = this.#options.clock.now();
      this.#played.delete(key);
      this.#played.set(key, played);
      return played.window;
    }
    const opening = this.#opening.get(key) ?? this.#open(key, stream, request, segmentMs);
    this.#opening.set(key, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(key);
    }
  }

  /**
   * Window of all blocks that overlap the minute of a time, or a rewind window if only that has the requested
   * content.
   * @param has whether a window has the requested content; if not, a window that is not static loads the newest
   * blocks again
   */
  async openAt(
    stream: string,
    atMs: number,
    segmentMs: number,
    has: (window: PlayedWindow) => boolean,
  ): Promise<PlayedWindow | ArchiveRefusal> {
    const request = { kind: 'minute', fromMs: Math.floor(atMs / MINUTE_MS) * MINUTE_MS } as const;
    const window = await this.open(stream, request, segmentMs);
    const played = this.#played.get(keyOf(stream, request));
    if (typeof window !== 'string') {
      if (played && window.mutability !== 'static' && !has(window)) await this.#show(played);
      if (has(window)) return window;
    }
    // The segment may have left the live window before it was recorded.
    for (const { stream: name, window: other } of this.#played.values())
      if (name === stream && other instanceof RewindWindow && has(other)) return other;
    return window;
  }

  /** Window with a block that has the init segment `initId` of a track. */
  async openFormat(
    stream: string,
    trackId: string,
    initId: number,
    segmentMs: number,
  ): Promise<PlayedWindow | ArchiveRefusal> {
    for (const { stream: name, window } of this.#played.values())
      if (name === stream && window.init(trackId, initId)) return window;
    const atMs = await this.#options.tables.initStart(stream, trackId, initId, this.#options.clock.now());
    if (atMs === undefined) return 'nothing_recorded';
    return this.openAt(stream, atMs, segmentMs, (window) => window.init(trackId, initId) !== undefined);
  }

  /** Drops the windows with a removed block. */
  blockRemoved(disk: string, path: string): void {
    this.#options.tables.forget(disk, path);
    for (const [key, { window }] of this.#played) if (hasBlock(window, disk, path)) this.#end(key);
  }

  /** Marks windows that lack a new block of the catalog: if static, they are created again at their next request. */
  blockAdded(block: AddedBlock): void {
    for (const played of [...this.#played.values(), ...this.#loading])
      if (played.stream === block.stream && lacks(played, block)) played.isStale = true;
  }

  close(): void {
    for (const key of [...this.#played.keys()]) this.#end(key);
  }

  async #open(
    key: string,
    stream: string,
    request: ArchiveRequest,
    segmentMs: number,
  ): Promise<PlayedWindow | ArchiveRefusal> {
    const { clock } = this.#options;
    const now = clock.now();
    if (request.kind === 'range') {
      // Media in the future was recorded before the clock was set back, and will be replaced.
      if (request.fromMs >= now && !isAhead(request, now) && !this.#options.isOver(stream)) return 'not_yet';
      if (request.isInOrder !== true && lengthOf(request, now) > MAX_RANGE_MS) return 'range_too_long';
    }
    if (request.kind === 'rewind' && request.depthMs > MAX_RANGE_MS) return 'range_too_long';
    if (request.kind === 'rewind' && this.#liveOf(stream))
      await this.#waitUntil(stream, () => this.#options.shiftOf(stream) !== undefined);
    const window = this.#window(stream, request, segmentMs);
    const played: Played = {
      stream,
      request,
      window,
      usedMs: now,
      isUpdating: false,
      isCutShort: false,
      isStale: false,
    };
    this.#loading.add(played);
    try {
      await this.#show(played);
      await this.#aligned(played);
      if (window instanceof RewindWindow) {
        window.publish();
        // Gaps before the live window need numbers, too.
        await this.#show(played);
      }
    } catch (error) {
      if (window instanceof RewindWindow) window.close();
      throw error;
    } finally {
      this.#loading.delete(played);
    }
    if (window instanceof ArchiveWindow && window.count === 0) {
      const isComing = request.kind === 'range' && now - request.fromMs < SETTLED_MS;
      return isComing ? 'not_yet' : 'nothing_recorded';
    }
    this.#played.set(key, played);
    this.#stop ??= every(clock, UPDATE_MS, () => {
      this.#updateAll();
    });
    this.#makeRoom();
    return window;
  }

  /**
   * For a rewind window, waits until the archive overlaps the live window, because the numbers of the archive follow
   * from this overlap.
   */
  async #aligned(played: Played): Promise<void> {
    const { stream, window } = played;
    if (!(window instanceof RewindWindow)) return;
    await this.#waitUntil(
      stream,
      () => window.isAligned,
      async () => this.#show(played),
    );
  }

  /** Waits until `isDone`, until the recording is over, or for 4 s. @param step called after each pause */
  async #waitUntil(stream: string, isDone: () => boolean, step?: () => Promise<void>): Promise<void> {
    const { clock, isOver } = this.#options;
    const endMs = clock.now() + ALIGN_MS;
    while (!isDone() && !isOver(stream) && clock.now() < endMs) {
      await new Promise<void>((resolve) => clock.after(ALIGN_STEP_MS, resolve));
      await step?.();
    }
  }

  /** Whether a request is for a single reader, because it is too long for one window. */
  #isLong(request: ArchiveRequest): boolean {
    if (request.kind !== 'range' || request.isInOrder !== true) return false;
    return lengthOf(request, this.#options.clock.now()) > MAX_RANGE_MS;
  }

  #window(stream: string, request: ArchiveRequest, segmentMs: number): PlayedWindow {
    if (request.kind === 'range' && this.#isLong(request)) return new LongRangeWindow(segmentMs, request.fromMs);
    const live = request.kind === 'rewind' && this.#liveOf(stream);
    if (live) return new RewindWindow(live, this.#options.shiftOf(stream));
    const { fromMs } = timeOf(request, this.#options.clock.now(), segmentMs);
    const firstMsn = Math.max(0, Math.floor((fromMs - NUMBERS_FROM_MS) / NUMBER_STEP_MS));
    const slides = request.kind === 'rewind' || request.kind === 'shifted';
    return new ArchiveWindow({
      segmentMs,
      mutability: 'static',
      ...(slides ? { firstMsn } : {}),
      ...(request.kind === 'shifted' ? { epochMs: request.shiftMs } : {}),
    });
  }

  /** Live window of a stream, if it has segments. */
  #liveOf(stream: string): ChangingWindow | undefined {
    const live = this.#options.live(stream);
    return live?.bounds() && live;
  }

  /**
   * Whether a window may be served: it lacks no new block, its recording has not resumed after an end, and the live
   * window and the archive numbers of the stream have not been replaced.
   */
  #isCurrent({ stream, request, window, isCutShort, isStale }: Played): boolean {
    if (isStale && window.mutability === 'static') return false;
    if (isCutShort && !this.#options.isOver(stream)) return false;
    if (request.kind !== 'rewind') return true;
    if (!(window instanceof RewindWindow)) return this.#liveOf(stream) === undefined;
    return this.#liveOf(stream) === window.origin && (this.#options.shiftOf(stream) ?? 0) === window.shift;
  }

  async #show(played: Played): Promise<void> {
    const { stream, request, window } = played;
    if (window instanceof LongRangeWindow && request.kind === 'range') {
      await this.#showNext(stream, request, window);
      return;
    }
    const { clock, tables, isOver } = this.#options;
    const now = clock.now();
    // Checked before the blocks are read, so that all blocks are found if the recording is over.
    const isAll = isOver(stream);
    const { fromMs, toMs } = timeOf(request, now, window.segmentMs);
    const isNothingToCome = isAll || isAhead(request, now);
    const lastMs = isNothingToCome || request.kind === 'minute' ? Infinity : now + SETTLED_MS;
    // Blocks that start shortly after the end are read too. If there is one, no more media can be added before the
    // end.
    const endMs = Math.min(toMs + (request.kind === 'range' ? 2 * window.segmentMs : 0), lastMs);
    const all = await tables.of(stream, { startMs: fromMs, endMs });
    const found = isNothingToCome || request.kind === 'minute' ? all : upToNewest(all, now);
    if (window instanceof RewindWindow) window.show(found, fromMs);
    else if (request.kind === 'shifted') window.show(found, { fromMs, toMs }, 'live');
    // If the stream returns, its live window continues with the recorded numbers.
    else if (request.kind === 'rewind')
      window.show(found, { fromMs, toMs }, isAll ? 'static' : 'live', recordedNumbers(found));
    else if (request.kind === 'minute')
      window.show(
        found,
        ALL,
        isSettled(found, toMs, now) && found.every(({ isFinished }) => isFinished) ? 'static' : 'event',
      );
    else {
      const isComplete = isSettled(found, toMs, now);
      played.isCutShort = isAll && !isComplete;
      const time = { fromMs: startOf(found, { fromMs, toMs }), toMs };
      window.show(found, time, isNothingToCome || isComplete ? 'static' : 'event');
    }
  }

  /** Loads the blocks around the position of the single reader of a long range. */
  async #showNext(
    stream: string,
    request: Extract<ArchiveRequest, { kind: 'range' }>,
    window: LongRangeWindow,
  ): Promise<void> {
    const { clock, tables, isOver } = this.#options;
    const now = clock.now();
    const isAll = isOver(stream);
    const { readMs } = window;
    const { fromMs, toMs } = request;
    const isInFuture = isAhead(request, now);
    const lastMs = Math.min(toMs, isInFuture ? now + MAX_AHEAD_MS : now);
    const startMs = Math.max(fromMs, readMs - BEHIND_MS);
    let endMs = Math.min(toMs, readMs + AHEAD_MS);
    const found = [...(await tables.of(stream, { startMs, endMs: Math.min(endMs, lastMs) + SETTLED_MS }))];
    const isNext = (table: BlockTable): boolean => table.startMs < endMs && lastStartOf(table) > readMs;
    while (endMs < lastMs && !found.some(isNext)) {
      // The gap is longer than the loaded range. The range is extended to the next block, so that the reader can
      // continue there.
      const further = await tables.of(stream, { startMs: endMs, endMs: Math.min(toMs, endMs + MAX_RANGE_MS) });
      const [first] = further;
      endMs = Math.min(toMs, first ? first.startMs + AHEAD_MS : endMs + MAX_RANGE_MS);
      found.push(...further.filter((table) => table.startMs < endMs && !found.includes(table)));
    }
    const isRangeComplete = endMs >= toMs && isSettled(found, toMs, now);
    const isDone = isRangeComplete || ((isAll || isInFuture) && endMs >= lastMs);
    window.show(found, { fromMs: startMs, toMs: endMs }, isDone ? 'static' : 'event');
  }

  #updateAll(): void {
    const { clock, isInUse } = this.#options;
    const now = clock.now();
    for (const [key, played] of this.#played) {
      const isStatic = played.window.mutability === 'static';
      // A static window stays for later viewers, except the window of a single reader.
      if (isStatic && !(played.window instanceof LongRangeWindow)) continue;
      if (now - played.usedMs > UNUSED_MS && !isInUse(played.window)) this.#end(key);
      else if (!isStatic && !played.isUpdating) void this.#update(played);
    }
  }

  async #update(played: Played): Promise<void> {
    played.isUpdating = true;
    try {
      await this.#show(played);
    } catch {
      // If the catalog cannot be read, its known content is still valid.
    } finally {
      played.isUpdating = false;
    }
  }

  #makeRoom(): void {
    let segments = 0;
    for (const { window } of this.#played.values()) segments += countOf(window);
    for (const [key, { window }] of this.#played) {
      if (this.#played.size <= MAX_WINDOWS && segments <= MAX_SEGMENTS) return;
      if (this.#played.size === 1 || this.#options.isInUse(window)) continue;
      segments -= countOf(window);
      this.#end(key);
    }
  }

  #end(key: string): void {
    const played = this.#played.get(key);
    this.#played.delete(key);
    if (this.#played.size === 0) {
      this.#stop?.();
      this.#stop = undefined;
    }
    if (!played) return;
    if (played.window instanceof RewindWindow) played.window.close();
    this.#options.ended(played.window);
  }
}

/** Whether a window of a range or a minute overlaps a block, and has neither the block nor a copy of it. */
function lacks({ request, window }: Played, { disk, path, startMs, endMs }: AddedBlock): boolean {
  if (request.kind !== 'range' && request.kind !== 'minute') return false;
  const { fromMs, toMs } = timeOf(request, 0, 0);
  if (startMs >= toMs || endMs <= fromMs) return false;
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) < MAX_GAP_MS;
  return !window.tables.some(
    (table) =>
      (table.path === path && table.disk === disk) || (isNear(table.startMs, startMs) && isNear(table.endMs, endMs)),
  );
}

function hasBlock(window: PlayedWindow, disk: string, path: string): boolean {
  return window.tables.some((table) => table.path === path && table.disk === disk);
}

function countOf(window: PlayedWindow): number {
  return window instanceof RewindWindow ? window.archivedCount : window.count;
}

const ALL = { fromMs: 0, toMs: Infinity };

/**
 * Whether a range is in the future. Its media was recorded before the clock was set back. Nothing is added until the
 * clock reaches the range again.
 */
function isAhead(request: ArchiveRequest, nowMs: number): boolean {
  return request.kind === 'range' && request.fromMs > nowMs + SETTLED_MS;
}

/**
 * Blocks up to the newest block with archive numbers, if it is being recorded; otherwise all blocks. Blocks after it
 * were recorded before the clock was set back. They will be replaced, and a playlist that only grows cannot express
 * that.
 */
function upToNewest(tables: readonly BlockTable[], nowMs: number): readonly BlockTable[] {
  const newest = tables.findLastIndex(({ numbers }) => numbers);
  const isRecorded = newest >= 0 && (tables[newest]?.endMs ?? 0) > nowMs - SETTLED_MS;
  return isRecorded ? tables.slice(0, newest + 1) : tables;
}

/** Whether no further block can be added before a time. */
function isSettled(tables: readonly BlockTable[], toMs: number, nowMs: number): boolean {
  if (nowMs >= toMs + SETTLED_MS) return true;
  const last = tables.at(-1);
  return last !== undefined && lastStartOf(last) >= toMs;
}

/** Start of a time range; if one segment covers the whole range, the start of this segment. */
function startOf(
  tables: readonly BlockTable[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number {
  let coveringMs = fromMs;
  for (const { leader } of tables)
    for (let row = 0; row < leader.count; row++) {
      const startMs = leader.startMs[row] ?? Infinity;
      if (startMs >= toMs) break;
      if (startMs >= fromMs) return fromMs;
      if (endMsOf(leader, row) >= toMs) coveringMs = startMs;
    }
  return coveringMs;
}

/** Start of the last segment of a block in epoch milliseconds. */
function lastStartOf({ leader }: BlockTable): number {
  return leader.startMs[leader.count - 1] ?? 0;
}
