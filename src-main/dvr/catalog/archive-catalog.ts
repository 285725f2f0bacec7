import type { Clock } from '../../lib/clock.ts';
import { DelayedWork } from '../../lib/timers.ts';
import { runInTurns } from '../../lib/turns.ts';
import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import { parseTracks, printTracks } from '../block/block-head.ts';
import { unpackIndex, type BlockSegment } from '../block/block-index.ts';
import type { RecordedBlock } from '../block-writer.ts';
import { MOST_STRETCH_MS, RangeJoiner, stretchesOf } from './block-stretches.ts';
import type {
  CatalogStore,
  StoredBlock,
  StoredChange,
  StoredExtent,
  StoredStretch,
  StoredUsage,
  TimeRange,
} from './catalog-store.ts';

/** What is recorded without a hole, in order. */
export interface ArchiveRanges {
  readonly ranges: readonly TimeRange[];
  /** Where the next range begins, in epoch milliseconds, where there are more than were asked for. */
  readonly nextMs?: number;
}

/** A block with its segments that lie in the time that was asked for. */
export interface CatalogBlock extends Omit<StoredBlock, 'tracks' | 'packedIndex'> {
  readonly tracks: readonly Track[];
  readonly segments: readonly BlockSegment[];
}

/** What the catalog needs. */
export interface ArchiveCatalogOptions {
  readonly store: CatalogStore;
  readonly clock: Clock;
  /** What of a stream is on disk in blocks that are not finished, in epoch milliseconds. */
  readonly open: (stream: string) => TimeRange | undefined;
  /** Changes could not be stored. What is on the disks is put in when the server starts again. */
  readonly failed: (error: unknown, changes: number) => void;
}

/** Changes are gathered for so long, in milliseconds. */
const GATHER_MS = 1000;
/** Changes of one transaction: a few milliseconds. */
const BATCH = 32;
/** Changes that wait, at most. */
const MOST_WAITING = 10_000;
/** Stands for blocks that are not finished, which have no number. */
const UNFINISHED = -1;
/** Behind the name of every folder. */
const LAST = '\u{10ffff}';
/** Rows that are read in one step. */
const STEP_ROWS = 1000;

/** Where everything is in the archives. No caller waits for a change, and what is asked is answered in short turns of the thread. */
export class ArchiveCatalog {
  readonly #options: ArchiveCatalogOptions;
  readonly #flush: DelayedWork;
  #changes: StoredChange[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(options: ArchiveCatalogOptions) {
    this.#options = options;
    this.#flush = new DelayedWork(options.clock, GATHER_MS, () => this.settled());
  }

  /** A block is complete on its disk. */
  add(block: RecordedBlock): void {
    const { head, disk, path, index, packedIndex, sizeBytes } = block;
    const stretches = stretchesOf(head, index);
    const startMs = stretches[0]?.startMs ?? Math.round(head.startMs);
    this.#change({
      type: 'add',
      block: {
        stream: head.stream,
        disk,
        path,
        startMs,
        endMs: stretches.at(-1)?.endMs ?? startMs,
        sizeBytes,
        isDiscontinuity: index.segments[0]?.isDiscontinuity ?? true,
        tracks: printTracks(head.tracks),
        packedIndex,
        stretches,
      },
    });
  }

  /** A block is no more. @param path below the folder of the disk */
  remove(disk: string, path: string): void {
    this.#change({ type: 'remove', disk, path });
  }

  /**
   * What is recorded of a stream between two times, without its holes. Finding the first of it costs the same in any archive; the rest costs by the time
   * that was asked for.
   *
   * @param most ranges at most
   */
  async ranges(stream: string, { startMs, endMs }: TimeRange, most: number): Promise<ArchiveRanges> {
    await this.settled();
    return runInTurns(this.#ranges(stream, { startMs, endMs }, most));
  }

  /** Blocks of a stream that have media between two times, in their order, with their segments there. @param most blocks at most */
  async blocks(stream: string, time: TimeRange, most: number): Promise<readonly CatalogBlock[]> {
    await this.settled();
    return runInTurns(this.#blocks(stream, time, most));
  }

  /**
   * What a maker makes of each block of a stream that has media between two times, in their order.
   *
   * @param make gets what names a block as it is, and reads it when it is called; undefined for a block that is left out
   */
  async map<T>(
    stream: string,
    time: TimeRange,
    make: (name: string, read: () => StoredBlock | undefined) => T | undefined,
  ): Promise<T[]> {
    await this.settled();
    return runInTurns(this.#map(stream, time, make));
  }

  /** Where the blocks of a stream lie that have media between two times, in their order. @param most blocks at most */
  async places(
    stream: string,
    time: TimeRange,
    most: number,
  ): Promise<readonly (TimeRange & { readonly disk: string; readonly path: string })[]> {
    await this.settled();
    return runInTurns(this.#found(stream, time, most));
  }

  /** What of each stream lies on each disk. */
  async usage(): Promise<readonly StoredUsage[]> {
    await this.settled();
    return runInTurns(this.#usage());
  }

  /** Names of streams that have something, in order, from one behind `after` on. @param most names at most */
  async streams(after: string, most: number): Promise<readonly string[]> {
    await this.settled();
    return runInTurns(this.#streams(after, most));
  }

  /** All that there is of a stream in finished blocks; undefined where nothing is. What was finished in the last second may not be in it. */
  extent(stream: string): StoredExtent | undefined {
    return this.#options.store.extent(stream);
  }

  /** When and how long a block is, by its place; undefined for one that is not in the catalog, or not yet. */
  find(disk: string, path: string): (TimeRange & { readonly sizeBytes: number }) | undefined {
    return this.#options.store.find(disk, path);
  }

  /** Resolves when all changes up to now are stored, or given up. */
  async settled(): Promise<void> {
    this.#flush.cancel();
    if (this.#changes.length > 0) {
      const changes = this.#changes;
      this.#changes = [];
      this.#writing = this.#writing.then(async () => runInTurns(this.#write(changes)));
    }
    return this.#writing;
  }

  #change(change: StoredChange): void {
    if (this.#changes.length >= MOST_WAITING) {
      this.#options.failed(new Error('too many changes of the catalog wait'), 1);
      return;
    }
    this.#changes.push(change);
    this.#flush.ask();
  }

  *#write(changes: readonly StoredChange[]): Generator<void, void> {
    for (let at = 0; at < changes.length; at += BATCH) {
      const batch = changes.slice(at, at + BATCH);
      try {
        this.#options.store.write(batch);
      } catch (error) {
        this.#options.failed(error, batch.length);
      }
      yield;
    }
  }

  *#ranges(stream: string, { startMs, endMs }: TimeRange, most: number): Generator<void, ArchiveRanges> {
    const joiner = new RangeJoiner();
    const ranges: TimeRange[] = [];
    const rows = this.#stretches(stream, { startMs, endMs });
    for (;;) {
      const step = rows.next();
      if (step.done) break;
      for (const [rowStartMs, rowEndMs] of step.value) {
        if (rowEndMs <= startMs) continue;
        const before = joiner.add(Math.max(startMs, rowStartMs), Math.min(endMs, rowEndMs));
        if (before) ranges.push(before);
        if (before && ranges.length >= most) return { ranges, nextMs: rowStartMs };
      }
      yield;
    }
    const last = joiner.end();
    if (last) ranges.push(last);
    return { ranges };
  }

  /** Stretches that may have something of a time, the open blocks among them, some at a time. */
  *#stretches(stream: string, { startMs, endMs }: TimeRange): Generator<readonly StoredStretch[]> {
    let after = { startMs: startMs - MOST_STRETCH_MS, blockId: -1 };
    for (;;) {
      const rows = this.#options.store.stretches(stream, after, endMs, STEP_ROWS);
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < STEP_ROWS) break;
      after = { startMs: last[0], blockId: last[2] };
    }
    const open = this.#options.open(stream);
    if (open && open.startMs < endMs && open.endMs > startMs) yield [[open.startMs, open.endMs, UNFINISHED]];
  }

  *#map<T>(
    stream: string,
    time: TimeRange,
    make: (name: string, read: () => StoredBlock | undefined) => T | undefined,
  ): Generator<void, T[]> {
    const seen = new Set<number>();
    const made: T[] = [];
    const rows = this.#stretches(stream, time);
    for (;;) {
      const step = rows.next();
      if (step.done) return made;
      for (const [startMs, endMs, blockId] of step.value) {
        if (endMs <= time.startMs || blockId === UNFINISHED || seen.has(blockId)) continue;
        seen.add(blockId);
        // The number of a block that is gone may be that of another one.
        const one = make(`${blockId} ${startMs} ${endMs}`, () => this.#options.store.block(blockId));
        if (one !== undefined) made.push(one);
        yield;
      }
    }
  }

  *#streams(after: string, most: number): Generator<void, readonly string[]> {
    const names = new Set<string>();
    // Behind every folder.
    for (let from = { stream: after, disk: LAST }; names.size < most;) {
      const rows = this.#options.store.usage(from, STEP_ROWS);
      for (const { stream } of rows) if (names.size < most) names.add(stream);
      const last = rows.at(-1);
      if (!last || rows.length < STEP_ROWS) break;
      from = { stream: last.stream, disk: last.disk };
      yield;
    }
    return [...names];
  }

  *#usage(): Generator<void, readonly StoredUsage[]> {
    const found: StoredUsage[] = [];
    for (;;) {
      const rows = this.#options.store.usage(found.at(-1) ?? { stream: '', disk: '' }, STEP_ROWS);
      found.push(...rows);
      if (rows.length < STEP_ROWS) return found;
      yield;
    }
  }

  *#blocks(stream: string, time: TimeRange, most: number): Generator<void, readonly CatalogBlock[]> {
    const formats: Formats = new Map();
    const blocks: CatalogBlock[] = [];
    for (const stored of yield* this.#found(stream, time, most)) {
      const block = readBlock(stored, time, formats);
      if (block) blocks.push(block);
      yield;
    }
    return blocks;
  }

  *#found(stream: string, time: TimeRange, most: number): Generator<void, readonly StoredBlock[]> {
    const seen = new Set<number>();
    const found: StoredBlock[] = [];
    const rows = this.#stretches(stream, time);
    for (;;) {
      const step = rows.next();
      if (step.done) return found;
      for (const [, endMs, blockId] of step.value) {
        if (endMs <= time.startMs || blockId === UNFINISHED || seen.has(blockId)) continue;
        if (found.length >= most) return found;
        seen.add(blockId);
        const stored = this.#options.store.block(blockId);
        if (stored) found.push(stored);
        yield;
      }
    }
  }
}

/** Tracks by their text: blocks that follow each other have the same. */
type Formats = Map<string, readonly Track[] | undefined>;

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
