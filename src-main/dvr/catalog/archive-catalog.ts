import type { Clock } from '../../lib/clock.ts';
import { runInTurns } from '../../lib/turns.ts';
import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import { parseTracks, printTracks } from '../block/block-head.ts';
import { unpackIndex, type BlockSegment } from '../block/block-index.ts';
import type { RecordedBlock } from '../block-writer.ts';
import { contentKey, MAX_RANGE_MS, RangeJoiner, rangesOf } from './block-ranges.ts';
import {
  RANGE_NUMBERS,
  type CatalogStore,
  type StoredBlock,
  type StoredExtent,
  type StoredRanges,
  type StoredUsage,
  type TimeRange,
} from './catalog-store.ts';
import { WaitingChanges } from './waiting-changes.ts';

/** Recorded ranges without gaps, in order. */
export interface ArchiveRanges {
  readonly ranges: readonly TimeRange[];
  /** Start of the next range in epoch milliseconds, if there are more than requested. */
  readonly nextMs?: number;
}

/** Block with its segments in the requested time range. */
export interface CatalogBlock extends Omit<StoredBlock, 'tracks' | 'packedIndex'> {
  readonly tracks: readonly Track[];
  readonly segments: readonly BlockSegment[];
}

/** Position and time of an added block. */
export type AddedBlock = Pick<StoredBlock, 'stream' | 'disk' | 'path' | 'startMs' | 'endMs'>;

export interface ArchiveCatalogOptions {
  readonly store: CatalogStore;
  readonly clock: Clock;
  /** Ranges of a stream on disk in unfinished blocks, in epoch milliseconds. */
  readonly open: (stream: string) => readonly TimeRange[];
  /** Called when a block was added. */
  readonly added?: (block: AddedBlock) => void;
  /** Called when a block was removed. @param path below the folder of its disk */
  readonly removed?: (path: string) => void;
  /**
   * Called when changes could not be stored. If the disk of the store is full, they are tried again. Other changes
   * are recovered from the disks at the next start of the server.
   */
  readonly failed: (error: unknown, changes: number) => void;
}

/** Sorts after the name of every folder. */
const LAST = '\u{10ffff}';
/** Number of rows read in one step. */
const STEP_ROWS = 5000;
/** Number of blocks read in one step, with their indexes. */
const STEP_BLOCKS = 64;
/** Number of times read in one step, which takes a few milliseconds. */
const STEP_TIMES = 20_000;

/**
 * Catalog of all archives: which block has which media. No caller waits for a change; queries are answered in short
 * turns of the thread. Queries throw errors of the store.
 */
export class ArchiveCatalog {
  readonly #options: ArchiveCatalogOptions;
  readonly #changes: WaitingChanges;

  constructor(options: ArchiveCatalogOptions) {
    this.#options = options;
    this.#changes = new WaitingChanges(options);
  }

  /** Adds a block that is complete on its disk. */
  add(block: RecordedBlock): void {
    const { head, disk, path, index, packedIndex, sizeBytes } = block;
    const storedRanges = rangesOf(head, index);
    const startMs = storedRanges[0]?.startMs ?? Math.round(head.startMs);
    const endMs = storedRanges.at(-1)?.endMs ?? startMs;
    this.#changes.add({
      type: 'add',
      block: {
        stream: head.stream,
        disk,
        path,
        startMs,
        endMs,
        sizeBytes,
        isDiscontinuity: index.segments[0]?.isDiscontinuity ?? true,
        tracks: printTracks(head.tracks),
        packedIndex,
        storedRanges,
      },
    });
    this.#options.added?.({ stream: head.stream, disk, path, startMs, endMs });
  }

  /** Removes a block. @param path below the folder of the disk */
  remove(disk: string, path: string): void {
    this.#changes.add({ type: 'remove', disk, path });
    this.#options.removed?.(path);
  }

  /**
   * Recorded ranges of a stream in a time range, without gaps. The cost of finding the first range is independent of
   * the size of the archive; further ranges cost in proportion to the time range.
   *
   * @param max maximum number of ranges
   */
  async ranges(stream: string, time: TimeRange, max: number): Promise<ArchiveRanges> {
    await this.#changes.settledFor(stream, time);
    const joiner = new RangeJoiner();
    const ranges: TimeRange[] = [];
    for await (const rows of this.#times(stream, time))
      for (let at = 0; at < rows.length; at += 2) {
        const startMs = Math.max(time.startMs, rows[at] ?? 0);
        const endMs = Math.min(time.endMs, rows[at + 1] ?? 0);
        if (endMs <= startMs) continue;
        const before = joiner.add(startMs, endMs);
        if (before) ranges.push(before);
        if (before && ranges.length >= max) return { ranges, nextMs: startMs };
      }
    const last = joiner.end();
    if (last) ranges.push(last);
    return { ranges };
  }

  /** Blocks of a stream with media in a time range, in order, with their segments there. @param max maximum number of blocks */
  async blocks(stream: string, time: TimeRange, max: number): Promise<readonly CatalogBlock[]> {
    await this.#changes.settledFor(stream, time);
    const formats: Formats = new Map();
    const blocks: CatalogBlock[] = [];
    const seen = new Set<string>();
    for await (const some of this.#blockBatches(stream, time, max)) {
      // A copy on another disk is the same block.
      const first = some.filter((one) => !seen.has(contentKey(one)) && seen.add(contentKey(one)));
      await runInTurns(readBlocks(first, time, formats, blocks));
    }
    return blocks;
  }

  /**
   * Maps each block of a stream with media in a time range, in order; then the blocks that wait for room on the disk of
   * the store.
   *
   * @param cached results of earlier calls by block identity; such a block is not read again
   * @param make gets the identity and the block; returns undefined to leave it out
   */
  async map<T>(
    stream: string,
    time: TimeRange,
    cached: (name: string) => T | undefined,
    make: (name: string, block: StoredBlock) => T | undefined,
  ): Promise<T[]> {
    await this.#changes.settledFor(stream, time);
    // Read before the store, so that a block stored in the meantime is in at least one of the two.
    const waiting = this.#changes.blocks(stream, time);
    const seen = new Set<number>();
    const results: (T | undefined)[] = [];
    let toRead: BlockToRead[] = [];
    for await (const rows of this.#storedRanges(stream, time))
      for (const [startMs, endMs, blockId] of blocksIn(rows, time, seen)) {
        // The id of a removed block may be used again.
        const name = `${blockId} ${startMs} ${endMs}`;
        const one = cached(name);
        if (one === undefined) toRead.push({ index: results.length, name, blockId });
        results.push(one);
        if (toRead.length < STEP_BLOCKS) continue;
        await this.#make(toRead, results, make);
        toRead = [];
      }
    await this.#make(toRead, results, make);
    for (const block of waiting) results.push(make(`waiting ${block.disk} ${block.path}`, block));
    return results.filter((one) => one !== undefined);
  }

  /** Positions of the blocks of a stream with media in a time range, in order. */
  async blockPositions(
    stream: string,
    time: TimeRange,
    max: number,
  ): Promise<readonly (TimeRange & Pick<StoredBlock, 'disk' | 'path' | 'sizeBytes'>)[]> {
    await this.#changes.settledFor(stream, time);
    const found: StoredBlock[] = [];
    for await (const some of this.#blockBatches(stream, time, max)) found.push(...some);
    return found;
  }

  /** Usage of each disk by each stream. */
  async usage(): Promise<readonly StoredUsage[]> {
    await this.settled();
    const found: StoredUsage[] = [];
    for (;;) {
      const rows = await this.#options.store.usage(found.at(-1) ?? { stream: '', disk: '' }, STEP_ROWS);
      found.push(...rows);
      if (rows.length < STEP_ROWS) return found;
    }
  }

  /** Names of streams that have blocks, in order, from the first after `after`. @param max maximum number of names */
  async streams(after: string, max: number): Promise<readonly string[]> {
    await this.settled();
    const names = new Set<string>();
    for (let from = { stream: after, disk: LAST }; names.size < max;) {
      const rows = await this.#options.store.usage(from, STEP_ROWS);
      for (const { stream } of rows) if (names.size < max) names.add(stream);
      const last = rows.at(-1);
      if (!last || rows.length < STEP_ROWS) break;
      from = { stream: last.stream, disk: last.disk };
    }
    return [...names];
  }

  /** Extent of all finished blocks of a stream; undefined without any. Blocks of the last second may be missing. */
  async extent(stream: string): Promise<StoredExtent | undefined> {
    const [extent] = await this.extents([stream]);
    return extent;
  }

  /** Extents of several streams. */
  async extents(streams: readonly string[]): Promise<readonly (StoredExtent | undefined)[]> {
    return this.#options.store.extents(streams);
  }

  /** Time range and size of a block by its position; undefined for a block that is not in the catalog, or not yet. */
  async find(disk: string, path: string): Promise<(TimeRange & { readonly sizeBytes: number }) | undefined> {
    return this.#options.store.find(disk, path);
  }

  /** Resolves when all changes so far are stored or dropped, or the disk of the store is full. */
  async settled(): Promise<void> {
    return this.#changes.settled();
  }

  /**
   * Starts and ends of ranges that may overlap a time range, including open blocks, in order of their start, in
   * batches. An open block is not always the last one: media recorded before the clock was set back may start after it.
   */
  async *#times(stream: string, { startMs, endMs }: TimeRange): AsyncGenerator<ArrayLike<number>, void> {
    // Read before the store, so that a block finished in the meantime is in at least one of the two.
    const waiting = this.#changes.blocks(stream, { startMs, endMs }).flatMap(({ storedRanges }) => storedRanges);
    const open = [...this.#options.open(stream), ...waiting]
      .filter((one) => one.startMs < endMs && one.endMs > startMs)
      .toSorted((a, b) => a.startMs - b.startMs);
    for (let fromMs: number | undefined = startMs - MAX_RANGE_MS; fromMs !== undefined;) {
      const found: Awaited<ReturnType<CatalogStore['times']>> = await this.#options.store.times(
        stream,
        fromMs,
        endMs,
        STEP_TIMES,
      );
      yield withOpen(found.times, open);
      fromMs = found.nextMs;
    }
    yield open.flatMap((one) => [one.startMs, one.endMs]);
  }

  /** Ranges of finished blocks that may overlap a time range, in batches. */
  async *#storedRanges(stream: string, { startMs, endMs }: TimeRange): AsyncGenerator<StoredRanges, void> {
    let after = { startMs: startMs - MAX_RANGE_MS, blockId: -1 };
    for (;;) {
      const rows = await this.#options.store.storedRanges(stream, after, endMs, STEP_ROWS);
      yield rows;
      if (rows.length < STEP_ROWS * RANGE_NUMBERS) break;
      after = { startMs: rows.at(-RANGE_NUMBERS) ?? 0, blockId: rows.at(-1) ?? 0 };
    }
  }

  /** Blocks with media in a time range, in order, in batches. */
  async *#blockBatches(stream: string, time: TimeRange, max: number): AsyncGenerator<readonly StoredBlock[], void> {
    const seen = new Set<number>();
    let ids: number[] = [];
    let left = max;
    for await (const rows of this.#storedRanges(stream, time))
      for (const [, , blockId] of blocksIn(rows, time, seen)) {
        ids.push(blockId);
        if (ids.length < Math.min(left, STEP_BLOCKS)) continue;
        const blocks = await this.#stored(ids);
        yield blocks;
        left -= blocks.length;
        if (left <= 0) return;
        ids = [];
      }
    if (ids.length > 0) yield await this.#stored(ids);
  }

  async #stored(ids: readonly number[]): Promise<readonly StoredBlock[]> {
    return (await this.#options.store.blocks(ids)).filter((block) => block !== undefined);
  }

  async #make<T>(
    toRead: readonly BlockToRead[],
    results: (T | undefined)[],
    make: (name: string, block: StoredBlock) => T | undefined,
  ): Promise<void> {
    if (toRead.length === 0) return;
    const blocks = await this.#options.store.blocks(toRead.map(({ blockId }) => blockId));
    await runInTurns(makeAll(toRead, blocks, results, make));
  }
}

/** Block to read from the store, because the caller has no result for it. */
interface BlockToRead {
  /** Position in the result. */
  readonly index: number;
  readonly name: string;
  readonly blockId: number;
}

/** Inserts open ranges that start before the last of some times, in order, and removes them from the list. */
function withOpen(times: Float64Array, open: TimeRange[]): ArrayLike<number> {
  if ((open[0]?.startMs ?? Infinity) >= (times.at(-2) ?? -Infinity)) return times;
  const merged: number[] = [];
  for (let at = 0; at < times.length; at += 2) {
    const startMs = times[at] ?? 0;
    for (let one = open[0]; one && one.startMs < startMs; one = open[0]) {
      open.shift();
      merged.push(one.startMs, one.endMs);
    }
    merged.push(startMs, times[at + 1] ?? 0);
  }
  return merged;
}

function* makeAll<T>(
  toRead: readonly BlockToRead[],
  blocks: readonly (StoredBlock | undefined)[],
  results: (T | undefined)[],
  make: (name: string, block: StoredBlock) => T | undefined,
): Generator<void, void> {
  for (const [at, { index, name }] of toRead.entries()) {
    const block = blocks[at];
    if (block) results[index] = make(name, block);
    yield;
  }
}

/** First range of each finished block with media in a time range. @param seen block ids that are skipped; new ones are added */
function* blocksIn(
  rows: StoredRanges,
  time: TimeRange,
  seen: Set<number>,
): Generator<readonly [startMs: number, endMs: number, blockId: number], void> {
  for (let at = 0; at < rows.length; at += RANGE_NUMBERS) {
    const [startMs = 0, endMs = 0, blockId = 0] = rows.subarray(at, at + RANGE_NUMBERS);
    if (endMs <= time.startMs || seen.has(blockId)) continue;
    seen.add(blockId);
    yield [startMs, endMs, blockId];
  }
}

/** Cache of tracks by their text: consecutive blocks usually have the same text. */
type Formats = Map<string, readonly Track[] | undefined>;

function* readBlocks(
  stored: readonly StoredBlock[],
  time: TimeRange,
  formats: Formats,
  blocks: CatalogBlock[],
): Generator<void, void> {
  for (const one of stored) {
    const block = readBlock(one, time, formats);
    if (block) blocks.push(block);
    yield;
  }
}

function readBlock(
  { tracks: text, packedIndex, ...block }: StoredBlock,
  time: TimeRange,
  formats: Formats,
): CatalogBlock | undefined {
  const tracks = formats.get(text) ?? parseTracks(text);
  formats.set(text, tracks);
  const index = unpackIndex(packedIndex);
  if (!tracks || !index) return undefined;
  if (block.startMs >= time.startMs && block.endMs <= time.endMs) return { ...block, tracks, segments: index.segments };
  const timescales = new Map(tracks.map(({ id, timescale }) => [trackNumber(id), timescale]));
  const segments = index.segments.filter(({ trackNumber: number, startTicks, durationTicks }) => {
    const timescale = timescales.get(number);
    if (timescale === undefined) return false;
    return (
      ticksToMs(startTicks, timescale) < time.endMs && ticksToMs(startTicks + durationTicks, timescale) > time.startMs
    );
  });
  return { ...block, tracks, segments };
}
