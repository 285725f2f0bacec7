import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { DelayedWork } from '../../lib/timers.ts';
import type { RecordedBlock, BlockFailure } from '../block-writer.ts';
import type { ArchiveCatalog } from '../catalog/archive-catalog.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import type { Disk } from '../disk.ts';
import type { ArchiveJob, BlockFault } from '../archive-job.ts';
import { BlockCopier, type BlockCopierOptions } from './block-copier.ts';
import { groupCopies, isCopied, planBlock, type CopiedStorage, type LocatedBlock } from './copy-plan.ts';

export interface ArchiveCopiesOptions extends Omit<BlockCopierOptions, 'catalog' | 'pause' | 'now'> {
  readonly clock: Clock;
  readonly catalog: Pick<ArchiveCatalog, 'blockPositions' | 'usage' | 'add' | 'remove' | 'settled'>;
  /** Returns the storages as configured now. */
  readonly storages: () => readonly CopiedStorage[];
  /** Disk of a storage for a copy, or the reason why there is none. @param taken disks that already have the block */
  readonly target: (storage: CopiedStorage, taken: ReadonlySet<string>) => Disk | BlockFailure;
}

/** Progress of copying the blocks of a disk in mode `migrate` or `rescue` to other disks. */
export interface LeavingDisk {
  /** Bytes copied since the disk got the mode or the server started, and bytes left in this pass. */
  readonly doneBytes: number;
  readonly leftBytes: number;
  /** Bytes per second of the last copies; 0 before the first. */
  readonly bytesPerSecond: number;
  /** Epoch milliseconds of the last copy or of the start of the pass. */
  readonly updatedMs: number;
}

/** Blocks listed in one step. */
const STEP_BLOCKS = 256;
/** Delay between recording and copying, in milliseconds: blocks of a minute end together. */
const GATHER_MS = 2000;
/** Consecutive failed blocks that end a pass over a storage. */
const MAX_FAILURES = 5;

/**
 * Maintains the configured number of copies of each block, and copies or moves the blocks of disks that are taken out
 * of use. New blocks are copied within seconds; a pass over all archives finds copies missing since the loss of a disk
 * or a stop of the server.
 */
export class ArchiveCopies {
  readonly #options: ArchiveCopiesOptions;
  readonly #copier: BlockCopier;
  readonly #next: DelayedWork;
  /** Recorded time ranges that are not copied yet, by storage, stream and disk. */
  readonly #recent = new Map<string, TimeRange & { readonly storage: string }>();
  /** Reason why copies of a storage cannot be made at the moment. */
  readonly #problems = new Map<string, string>();
  readonly #leaving = new Map<string, LeavingDisk>();
  #working: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: ArchiveCopiesOptions) {
    this.#options = options;
    const { clock } = options;
    this.#copier = new BlockCopier({
      ...options,
      now: () => clock.now(),
      // Pauses as long as the step took, but at most a second: half of the time is left to recording and playback.
      pause: async (stepMs) => {
        if (stepMs > 0) await new Promise<void>((resolve) => clock.after(Math.min(stepMs, 1000), resolve));
      },
    });
    this.#next = new DelayedWork(clock, GATHER_MS, () => {
      this.#working = this.#copyRecent();
    });
  }

  /**
   * Names of the storages in which copies cannot be made, each with the reason, as text for operators; empty if there
   * are none.
   */
  get uncopied(): string {
    return [...this.#problems].map(([storage, why]) => `${storage} (${why})`).join(', ');
  }

  /** Storages whose blocks are copied, moved or forgotten. */
  get storages(): readonly CopiedStorage[] {
    return this.#options.storages().filter(isCopied);
  }

  /** Whether there is anything to copy, move or forget. */
  get isNeeded(): boolean {
    return this.storages.length > 0;
  }

  /** Progress of a disk in mode `migrate` or `rescue`; undefined for other disks, and before the first pass. */
  leaving(folder: string): LeavingDisk | undefined {
    return this.#leaving.get(folder);
  }

  /** Schedules the copy of a finished block. @param storage storage of the recording; null for a folder of the stream */
  recorded({ head, index: _, ...block }: RecordedBlock, storage: string | null, endMs: number): void {
    if (storage === null || this.#isClosed) return;
    if ((this.#storage(storage)?.copies ?? 0) === 0) return;
    const key = `${storage}\n${head.stream}\n${block.disk}`;
    const before = this.#recent.get(key);
    const startMs = Math.min(before?.startMs ?? Infinity, Math.floor(head.startMs));
    this.#recent.set(key, { startMs, endMs: Math.max(before?.endMs ?? 0, Math.ceil(endMs)), storage });
    this.#next.schedule();
  }

  /** Cancels a copy in progress, because the block was deleted or cut. */
  forget(folder: string, path: string): void {
    this.#copier.cancel(folder, path);
  }

  /** Copies of a block on other disks of its storage, from the catalog. */
  async copiesOf(
    stream: string,
    { disk, path }: { readonly disk: string; readonly path: string },
    minuteMs: number,
  ): Promise<readonly LocatedBlock[]> {
    const storage = this.#options.storages().find(({ disks }) => disks.some(({ folder }) => folder === disk));
    if ((storage?.copies ?? 0) === 0) return [];
    const places = await this.#options.catalog.blockPositions(
      stream,
      { startMs: minuteMs, endMs: minuteMs + 60_000 },
      STEP_BLOCKS,
    );
    const copies = groupCopies(places).find((group) => group.some((one) => one.disk === disk && one.path === path));
    return (copies ?? []).filter((one) => one.disk !== disk);
  }

  /** One pass over all storages. At its end it throws the reason why copies could not be made, if any. */
  async pass(job: Pick<ArchiveJob, 'isRunning' | 'progress' | 'count' | 'fault'>): Promise<void> {
    const { storages } = this;
    const usage = await this.#options.catalog.usage();
    this.#startLeaving(storages, usage);
    const problems: string[] = [];
    for (const [at, storage] of storages.entries()) {
      const folders = new Set(storage.disks.map(({ folder }) => folder));
      const streams = [...new Set(usage.filter(({ disk }) => folders.has(disk)).map(({ stream }) => stream))];
      const walk = new StorageWalk(this.#options, this.#copier, storage, job, (from, bytes) => {
        this.#left(from, bytes);
      });
      this.#problems.delete(storage.name);
      for (const [index, stream] of streams.entries()) {
        if (!job.isRunning || this.#isClosed) return;
        await walk.stream(stream, { startMs: 0, endMs: this.#options.clock.now() + 1 }, (share) => {
          job.progress((at + (index + share) / streams.length) / storages.length);
        });
        if (walk.isOver) break;
      }
      if (walk.lack === undefined) continue;
      this.#problems.set(storage.name, walk.lack);
      problems.push(`${storage.name}: ${walk.lack}`);
    }
    if (problems.length > 0) throw new Error(problems.join('; '));
  }

  /** Aborts work in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#next.cancel();
    this.#recent.clear();
    this.#copier.close();
    await this.#working;
  }

  async #copyRecent(): Promise<void> {
    const job = {
      isRunning: true,
      progress: () => undefined,
      count: () => undefined,
      fault: () => undefined,
    };
    for (const [key, { storage: name, ...time }] of this.#recent) {
      this.#recent.delete(key);
      const storage = this.#storage(name);
      if (!storage || this.#isClosed) continue;
      const walk = new StorageWalk(this.#options, this.#copier, storage, job, () => undefined);
      try {
        await walk.stream(key.split('\n')[1] ?? '', time, () => undefined);
        if (walk.lack === undefined) this.#problems.delete(name);
        else this.#problems.set(name, walk.lack);
      } catch (error) {
        this.#problems.set(name, detailOf(error));
      }
    }
    if (this.#recent.size > 0) this.#next.schedule();
  }

  #storage(name: string): CopiedStorage | undefined {
    return this.#options.storages().find((storage) => storage.name === name);
  }

  #startLeaving(
    storages: readonly CopiedStorage[],
    usage: readonly { readonly disk: string; readonly bytes: number }[],
  ): void {
    const leaving = new Set(
      storages.flatMap(({ disks }) =>
        disks.filter(({ mode }) => mode === 'migrate' || mode === 'rescue').map(({ folder }) => folder),
      ),
    );
    for (const folder of this.#leaving.keys()) if (!leaving.has(folder)) this.#leaving.delete(folder);
    for (const folder of leaving) {
      const leftBytes = usage.reduce((sum, { disk, bytes }) => sum + (disk === folder ? bytes : 0), 0);
      const { doneBytes = 0, bytesPerSecond = 0 } = this.#leaving.get(folder) ?? {};
      this.#leaving.set(folder, { doneBytes, leftBytes, bytesPerSecond, updatedMs: this.#options.clock.now() });
    }
  }

  #left(folder: string, bytes: number): void {
    const before = this.#leaving.get(folder);
    if (!before) return;
    const updatedMs = this.#options.clock.now();
    const seconds = Math.max(0.001, (updatedMs - before.updatedMs) / 1000);
    const now = bytes / seconds;
    this.#leaving.set(folder, {
      doneBytes: before.doneBytes + bytes,
      leftBytes: Math.max(0, before.leftBytes - bytes),
      bytesPerSecond: before.bytesPerSecond === 0 ? now : before.bytesPerSecond * 0.9 + now * 0.1,
      updatedMs,
    });
  }
}

/**
 * Creates missing copies of the blocks of one storage, and moves or forgets blocks according to the modes of their
 * disks.
 */
class StorageWalk {
  readonly #options: ArchiveCopiesOptions;
  readonly #copier: BlockCopier;
  readonly #storage: CopiedStorage;
  readonly #job: Pick<ArchiveJob, 'isRunning' | 'count' | 'fault'>;
  readonly #left: (folder: string, bytes: number) => void;
  /** Names in hour folders, cached for the current step. */
  #names = new Map<string, Promise<ReadonlySet<string>>>();
  #failures = 0;
  #lack: string | undefined;
  #isOver = false;

  constructor(
    options: ArchiveCopiesOptions,
    copier: BlockCopier,
    storage: CopiedStorage,
    job: Pick<ArchiveJob, 'isRunning' | 'count' | 'fault'>,
    left: (folder: string, bytes: number) => void,
  ) {
    this.#options = options;
    this.#copier = copier;
    this.#storage = storage;
    this.#job = job;
    this.#left = left;
  }

  /**
   * Reason why a block had no target disk or copying ended early; undefined if neither happened. A single failed copy
   * is only reported as a fault of the job.
   */
  get lack(): string | undefined {
    return this.#lack;
  }

  /** Whether no further block of the storage can be copied. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Processes the blocks of a stream in a time range, oldest first. @param progress gets the fraction done, 0 to 1 */
  async stream(stream: string, { startMs, endMs }: TimeRange, progress: (share: number) => void): Promise<void> {
    const { catalog } = this.#options;
    let done = new Set<string>();
    let firstMs: number | undefined;
    for (let fromMs = startMs; ;) {
      const places = await catalog.blockPositions(stream, { startMs: fromMs, endMs }, STEP_BLOCKS);
      const isLast = places.length < STEP_BLOCKS;
      const lastMs = places.at(-1)?.startMs ?? endMs;
      // Further copies of the last block may be in the next step.
      const copies = groupCopies(places).filter(
        ([first]) => isLast || (first?.startMs ?? 0) < lastMs || lastMs <= fromMs,
      );
      const groups = copies.filter((group) => group.some((copy) => !done.has(keyOf(copy))));
      this.#names = new Map();
      firstMs ??= places[0]?.startMs ?? endMs;
      for (const group of groups) {
        if (!this.#job.isRunning || this.#isOver) return;
        await this.#block(group);
        const atMs = group[0]?.startMs ?? endMs;
        progress((atMs - firstMs) / Math.max(1, endMs - firstMs));
      }
      if (isLast || (groups.length === 0 && lastMs <= fromMs)) return;
      done = new Set(copies.flat().map(keyOf));
      fromMs = Math.max(fromMs, lastMs);
    }
  }

  async #block(group: readonly LocatedBlock[]): Promise<void> {
    const present = new Set<LocatedBlock>();
    for (const copy of group) if ((await this.#namesIn(copy)).has(basename(copy.path))) present.add(copy);
    const plan = planBlock(this.#storage, group, (copy) => present.has(copy));
    const { catalog } = this.#options;
    for (const { disk, path } of plan.forgotten) {
      catalog.remove(disk, path);
      this.#copier.forget(disk, path);
    }
    if (plan.missing === 0 && plan.moved.length === 0) return;
    const taken = new Set(plan.taken);
    for (let copy = 0; copy < plan.missing; copy++) {
      const disk = this.#options.target(this.#storage, taken);
      if ('code' in disk) {
        const why = `${disk.code}: ${disk.detail}`;
        // Reported once for all blocks that lack a disk.
        if (this.#lack === undefined) this.#fail(plan.sources[0], 'uncopied', why);
        this.#lack ??= why;
        // A disk that has this block may still get other blocks.
        this.#isOver = 'code' in this.#options.target(this.#storage, new Set());
        return;
      }
      const result = await this.#copier.copy(plan.sources, disk.folder, () => this.#job.isRunning);
      if (result.isStopped) return;
      if (result.error !== undefined) {
        this.#fail(plan.sources[0], 'uncopied', result.error);
        if (++this.#failures < MAX_FAILURES) return;
        this.#lack = result.error;
        this.#isOver = true;
        return;
      }
      this.#failures = 0;
      taken.add(disk.folder);
      const [source] = plan.sources;
      if (!source) continue;
      this.#job.count(1, source.sizeBytes);
      this.#left(source.disk, source.sizeBytes);
    }
    await this.#move(plan.moved, group, plan.missing > 0);
  }

  /** Removes blocks from disks in mode `migrate`. @param isVerified whether a copy was just made and verified */
  async #move(moved: readonly LocatedBlock[], group: readonly LocatedBlock[], isVerified: boolean): Promise<void> {
    for (const copy of moved) {
      const other = group.find((one) => one.disk !== copy.disk && !moved.includes(one));
      const error = await this.#copier.remove(copy, isVerified ? undefined : other, () => this.#job.isRunning);
      if (error !== undefined) this.#fail(copy, 'uncopied', error);
    }
  }

  #fail(copy: LocatedBlock | undefined, kind: BlockFault['kind'], detail: string): void {
    this.#job.fault({ disk: copy?.disk ?? '', path: copy?.path ?? '', kind, detail });
  }

  async #namesIn({ disk, path }: LocatedBlock): Promise<ReadonlySet<string>> {
    const folder = join(disk, dirname(path));
    const existing = this.#names.get(folder);
    if (existing) return existing;
    const { files, onDisk } = this.#options;
    // An unreadable disk counts as empty.
    const found = onDisk(disk, async () => new Set(await files.list(folder))).catch(() => new Set<string>());
    this.#names.set(folder, found);
    return found;
  }
}

function keyOf({ disk, path }: LocatedBlock): string {
  return `${disk}\n${path}`;
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
