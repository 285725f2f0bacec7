import type { Clock } from '../../lib/clock.ts';
import { every } from '../../lib/timers.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import type { BlockPosition } from '../copies/block-transfer.ts';
import type { Disk } from '../disk.ts';
import { codeOf, type DiskFiles } from '../disk-files.ts';
import type { LockedTimes } from './archive-locks.ts';
import { removeBlock } from '../block-removal.ts';
import {
  retainedDisks,
  sourceKey,
  type AgedSource,
  type RetainedDisk,
  type RetainedStorage,
  type RetainedStream,
  type UsedBytes,
} from './retained-archives.ts';
import { isLocked, oldestBlocks, type BlockSource, type OldBlock, type OldestBlocksOptions } from './oldest-blocks.ts';

/** Reason for deletion: the block expired, a limit of bytes was exceeded, or the disk is too full. */
export type RetentionReason = 'age' | 'size' | 'disk';

/** Blocks of a stream deleted in one turn. */
export interface DeletedBlocks {
  readonly stream: string;
  /** Name of the storage; null for a folder of the stream. */
  readonly storage: string | null;
  readonly count: number;
  readonly bytes: number;
  readonly reason: RetentionReason;
}

export interface RetentionOptions {
  readonly files: DiskFiles;
  readonly clock: Clock;
  /**
   * All archives with their limits, requested in each round.
   *
   * @param used usage by stream and disk, including streams that no longer exist
   */
  readonly retained: (used: readonly UsedBytes[]) => Iterable<RetainedStream>;
  /** All storages with their limits, requested in each round. */
  readonly storages?: () => Iterable<RetainedStorage>;
  /**
   * Usage by stream and disk from the catalog. Without it no limit of bytes applies, and streams that no longer exist
   * are not deleted.
   */
  readonly used?: () => Promise<readonly UsedBytes[]>;
  /** Time range of a block in the catalog. */
  readonly find?: (folder: string, path: string) => Promise<TimeRange | undefined>;
  readonly locks?: LockedTimes;
  /** Whether deletion is allowed now, called before each block; default: always. */
  readonly mayDelete?: () => boolean;
  /**
   * Copies of a block on other disks. When a block is deleted to free space, its copies are deleted too: otherwise
   * the block would be copied again.
   * @param minuteMs minute in which the block starts, in epoch milliseconds
   */
  readonly copiesOf?: (stream: string, block: BlockPosition, minuteMs: number) => Promise<readonly BlockPosition[]>;
  /** Runs work on a disk in its turn. */
  readonly onDisk: <T>(folder: string, work: (disk: Disk) => Promise<T>) => Promise<T>;
  /** Called when blocks were deleted. */
  readonly deleted: (deleted: DeletedBlocks) => void;
  /** Called when a block was deleted. @param path below the folder of the disk */
  readonly removed: (folder: string, path: string) => void;
  /**
   * Called when a disk could not be cleaned, or the catalog could not be read.
   * @param folder folder of the disk, or `the catalog`
   */
  readonly failed: (folder: string, error: unknown) => void;
}

/** Result of a round. */
export interface RoundResult {
  readonly count: number;
  readonly bytes: number;
  /** Number of failures, of disks and of the catalog. */
  readonly failures: number;
}

/** Interval of rounds in milliseconds. */
const ROUND_MS = 60_000;
/**
 * Maximum time until expired blocks are searched again, in milliseconds. Media recorded before a step of the clock
 * may expire earlier than calculated.
 */
const MAX_PAUSE_MS = 3_600_000;
/** Blocks deleted in one turn of a disk, so that writes do not wait long. */
const TURN_BLOCKS = 32;
/** Maximum number of turns per round for each stream or disk; further work waits for the next round. */
const ROUND_TURNS = 64;
/** Margin below the limit of a disk, in percent of the disk, so that there is room until the next round. */
const MARGIN_PERCENT = 1;
const MINUTE_MS = 60_000;
const NOTHING_LOCKED: LockedTimes = { hasLocked: () => false, isAllLocked: () => false };

/**
 * Deletes the oldest unlocked blocks: expired blocks, and blocks of streams, storages and disks that exceed a limit. It
 * finds blocks on the disks; usage comes from the catalog.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #search: OldestBlocksOptions;
  #stop: (() => void) | undefined;
  #round: Promise<RoundResult> | undefined;
  #deleted = { count: 0, bytes: 0, failures: 0 };
  /** Expiry of the oldest block of a stream on a disk, in epoch milliseconds; no search is needed earlier. */
  #dueMs = new Map<string, number>();
  /** Copies of deleted blocks that are to be deleted too. */
  #copies: { readonly block: OldBlock; readonly copy: BlockPosition; readonly reason: RetentionReason }[] = [];

  constructor(options: RetentionOptions) {
    this.#options = options;
    const { files, find = async () => Promise.resolve(undefined), locks = NOTHING_LOCKED } = options;
    this.#search = { files, find, locks };
  }

  /** Starts the rounds; the first runs a minute later. */
  start(): void {
    this.#stop ??= every(this.#options.clock, ROUND_MS, () => this.round());
  }

  close(): void {
    this.#stop?.();
  }

  /** Requests that the next round checks all blocks again, because locks were removed. */
  checkAgain(): void {
    this.#dueMs.clear();
  }

  /** One round over all disks in parallel, or the round in progress. Never rejects. */
  async round(): Promise<RoundResult> {
    this.#round ??= this.#run().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #run(): Promise<RoundResult> {
    this.#deleted = { count: 0, bytes: 0, failures: 0 };
    if (!this.#mayDelete()) return this.#deleted;
    const { retained, storages = () => [] } = this.#options;
    const usage = await this.#used();
    const [streams, all] = [[...retained(usage)], [...storages()]];
    const disks = await runInTurns(this.#plan(streams, all, usage));
    await Promise.all([...disks].map(async ([folder, disk]) => this.#clean(folder, disk)));
    const isLimited = streams.some(({ settings }) => settings.limitBytes !== undefined);
    if (isLimited || all.some(({ limitBytes }) => limitBytes !== undefined))
      await this.#limitBytes(streams, all, disks);
    return this.#deleted;
  }

  *#plan(...request: Parameters<typeof retainedDisks>): Generator<void, ReadonlyMap<string, RetainedDisk>> {
    const disks = yield* retainedDisks(...request);
    const before = this.#dueMs;
    this.#dueMs = new Map();
    for (const { sources } of disks.values())
      for (const source of sources) {
        const due = before.get(dueKeyOf(source));
        if (due !== undefined) this.#dueMs.set(dueKeyOf(source), due);
        yield;
      }
    return disks;
  }

  async #used(): Promise<readonly UsedBytes[]> {
    try {
      return (await this.#options.used?.()) ?? [];
    } catch (error) {
      this.#failed('the catalog', error);
      return [];
    }
  }

  async #clean(folder: string, { sources, maxUsedPercent }: RetainedDisk): Promise<void> {
    try {
      for (const source of sources) await this.#expire(source);
      await this.#makeRoom(folder, sources, maxUsedPercent);
    } catch (error) {
      this.#failed(folder, error);
    }
  }

  /** Deletes expired blocks. */
  async #expire(source: AgedSource): Promise<void> {
    const { expirationMs, folder } = source;
    const { clock } = this.#options;
    const key = dueKeyOf(source);
    // An expiry far ahead was computed before the clock was set back.
    const dueInMs = (this.#dueMs.get(key) ?? 0) - clock.now();
    if (expirationMs === undefined || (dueInMs > 0 && dueInMs <= MAX_PAUSE_MS)) return;
    for (let turn = 0; turn < ROUND_TURNS && this.#mayDelete(); turn++) {
      const oldestMs = clock.now() - expirationMs;
      const count = await this.#options.onDisk(folder, async (disk) => {
        const oldest = await this.#oldest(disk, source);
        const old = oldest.filter(({ minuteMs }) => minuteMs + MINUTE_MS <= oldestMs);
        const next = oldest[old.length]?.minuteMs ?? clock.now();
        const dueMs = next + MINUTE_MS + expirationMs;
        this.#dueMs.set(key, Math.min(dueMs, clock.now() + MAX_PAUSE_MS));
        await this.#delete(disk, old, 'age');
        return old.length;
      });
      if (count < TURN_BLOCKS) return;
    }
  }

  /** Deletes the oldest blocks of all sources on a disk until the use of the disk is below its limit by a margin. */
  async #makeRoom(folder: string, sources: readonly AgedSource[], limit: number): Promise<void> {
    if (limit >= 100) return;
    for (let turn = 0; turn < ROUND_TURNS && this.#mayDelete(); turn++) {
      const isDone = await this.#options.onDisk(folder, async (disk) => {
        const { totalBytes, freeBytes } = await this.#options.files.diskSpace(folder);
        if (totalBytes - freeBytes <= (totalBytes * (limit - MARGIN_PERCENT)) / 100) return true;
        const blocks: OldBlock[] = [];
        for (const source of sources) blocks.push(...(await this.#oldest(disk, source)));
        const oldest = blocks.sort(byAge).slice(0, TURN_BLOCKS);
        await this.#delete(disk, oldest, 'disk');
        return oldest.length === 0;
      });
      await this.#deleteCopies();
      if (isDone) return;
    }
  }

  /** Deletes blocks of streams and storages that exceed their limit of bytes. */
  async #limitBytes(
    streams: readonly RetainedStream[],
    storages: readonly RetainedStorage[],
    disks: ReadonlyMap<string, RetainedDisk>,
  ): Promise<void> {
    // One map for both, so that a deletion for a stream also counts for its storage.
    const bytes = new Map((await this.#used()).map((one) => [sourceKey(one), one.bytes]));
    for (const { stream, settings } of streams) {
      const { limitBytes, storage } = settings;
      const sources = settings.disks.map((folder) => ({ stream, folder, storage }));
      if (limitBytes !== undefined) await this.#shrink(sources, limitBytes, bytes);
    }
    for (const { disks: folders, limitBytes } of storages) {
      if (limitBytes === undefined) continue;
      const sources = folders.flatMap((folder) => disks.get(folder)?.sources ?? []);
      await this.#shrink(sources, limitBytes, bytes);
    }
  }

  /** Deletes the oldest blocks of some sources until they are within their limit. */
  async #shrink(sources: readonly BlockSource[], limitBytes: number, bytes: Map<string, number>): Promise<void> {
    let excessBytes = sources.reduce((sum, source) => sum + (bytes.get(sourceKey(source)) ?? 0), -limitBytes);
    if (excessBytes <= 0) return;
    // The oldest blocks of each source, listed in advance.
    const listed = new Map<BlockSource, OldBlock[]>();
    let rest = sources.filter((source) => (bytes.get(sourceKey(source)) ?? 0) > 0);
    for (let turn = 0; turn < ROUND_TURNS * TURN_BLOCKS && excessBytes > 0 && this.#mayDelete(); turn++) {
      for (const source of rest) {
        if ((listed.get(source)?.length ?? 0) > 0) continue;
        listed.set(source, await this.#oldestBlocks(source));
      }
      rest = rest.filter((source) => (listed.get(source)?.length ?? 0) > 0);
      const [oldest] = rest.flatMap((source) => listed.get(source)?.slice(0, 1) ?? []).sort(byAge);
      if (!oldest) return;
      const { source } = oldest;
      listed.get(source)?.shift();
      const freed = await this.#deleteOne(oldest);
      excessBytes -= freed;
      bytes.set(sourceKey(source), Math.max(0, (bytes.get(sourceKey(source)) ?? 0) - freed));
    }
  }

  async #oldestBlocks(source: BlockSource): Promise<OldBlock[]> {
    try {
      return await this.#options.onDisk(source.folder, async (disk) => this.#oldest(disk, source));
    } catch (error) {
      this.#failed(source.folder, error);
      return [];
    }
  }

  async #deleteOne(block: OldBlock): Promise<number> {
    const { folder } = block.source;
    try {
      const freed = await this.#options.onDisk(folder, async (disk) => this.#delete(disk, [block], 'size'));
      return freed + (await this.#deleteCopies());
    } catch (error) {
      this.#failed(folder, error);
      return 0;
    }
  }

  async #oldest(disk: Disk, source: BlockSource): Promise<OldBlock[]> {
    return oldestBlocks(this.#search, disk, source, TURN_BLOCKS);
  }

  /** @returns freed bytes */
  async #delete({ folder }: Disk, blocks: readonly OldBlock[], reason: RetentionReason): Promise<number> {
    const { files, deleted, removed } = this.#options;
    const sums = new Map<BlockSource, { count: number; bytes: number }>();
    let freed = 0;
    try {
      for (const block of blocks) {
        const { source, path } = block;
        // The block may have been locked since it was found, or the clock may have jumped.
        if (!this.#mayDelete()) break;
        if (await isLocked(this.#search, source, path)) continue;
        if (reason !== 'age') await this.#noteCopies(block, reason);
        const bytes = await freedBytes(removeBlock(files, folder, path));
        removed(folder, path);
        const sum = sums.get(source) ?? { count: 0, bytes: 0 };
        sums.set(source, { count: sum.count + 1, bytes: sum.bytes + bytes });
        freed += bytes;
      }
    } finally {
      for (const [{ stream, storage }, { count, bytes }] of sums) {
        deleted({ stream, storage, count, bytes, reason });
        this.#deleted.count += count;
        this.#deleted.bytes += bytes;
      }
    }
    return freed;
  }

  async #noteCopies(block: OldBlock, reason: RetentionReason): Promise<void> {
    const { stream, folder } = block.source;
    const found = await this.#options.copiesOf?.(stream, { disk: folder, path: block.path }, block.minuteMs);
    for (const copy of found ?? []) this.#copies.push({ block, copy, reason });
  }

  /** Deletes the copies of deleted blocks, each in a turn of its own disk. @returns freed bytes */
  async #deleteCopies(): Promise<number> {
    const { files, onDisk, removed, deleted } = this.#options;
    const copies = this.#copies;
    this.#copies = [];
    let freed = 0;
    for (const { block, copy, reason } of copies) {
      const { disk: folder, path } = copy;
      const { stream, storage } = block.source;
      try {
        const bytes = await onDisk(folder, async () => freedBytes(removeBlock(files, folder, path)));
        removed(folder, path);
        deleted({ stream, storage, count: 1, bytes, reason });
        this.#deleted.count++;
        this.#deleted.bytes += bytes;
        freed += bytes;
      } catch (error) {
        this.#failed(folder, error);
      }
    }
    return freed;
  }

  #mayDelete(): boolean {
    return this.#options.mayDelete?.() ?? true;
  }

  #failed(folder: string, error: unknown): void {
    this.#deleted.failures++;
    this.#options.failed(folder, error);
  }
}

/** Freed bytes; 0 if the block was already deleted. */
async function freedBytes(removed: Promise<number>): Promise<number> {
  try {
    return await removed;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

function byAge(a: OldBlock, b: OldBlock): number {
  return a.minuteMs - b.minuteMs;
}

function dueKeyOf({ stream, folder, expirationMs }: AgedSource): string {
  return JSON.stringify([folder, stream, expirationMs]);
}
