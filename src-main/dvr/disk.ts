import type { Clock } from '../lib/clock.ts';
import { isFullDisk } from '../lib/full-disk.ts';
import { every, Wakeable } from '../lib/timers.ts';
import type { BlockWriter } from './block-writer.ts';
import { type DiskFile, type DiskFiles, type DiskSpace } from './disk-files.ts';
import { DiskMeter } from './disk-meter.ts';
import type { PoolShare } from './pool-share.ts';
import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { explained, ExplainedError } from '../lib/error-message.ts';

/** Maximum time for which data waits for a disk, in milliseconds. Older data is dropped. */
const MAX_AGE_MS = 10_000;
/** Maximum pending bytes of a disk, checked once a second. The bytes are in the memory of live windows. */
const MAX_WAITING_BYTES = 256 << 20;
/** Interval of checks for due work, in milliseconds. The cost grows with the number of blocks, not of parts. */
const POLL_MS = 100;
/** Interval of checks of age and pending bytes, in milliseconds. */
const WATCH_MS = 1000;
/** Maximum wait of the oldest part of a write, in milliseconds; then the write counts as late. */
const LATE_MS = 2000;
/** Interval of measuring the free space, in milliseconds. */
const SPACE_INTERVAL_MS = 5000;

/**
 * Disk of a storage. Its blocks take turns, one operation at a time, so a hanging disk blocks only one thread of the
 * pool.
 */
export class Disk {
  readonly folder: string;
  readonly files: DiskFiles;
  /** Paths of temporary files that are being written beside the blocks, below the folder. */
  readonly making = new Set<string>();
  readonly meter = new DiskMeter();
  readonly #clock: Clock;
  readonly #share: PoolShare;
  readonly #blocks = new Set<BlockWriter>();
  readonly #wake: Wakeable;
  readonly #stopWatch: () => void;
  readonly #running: Promise<void>;
  #space: DiskSpace | undefined;
  #fault: unknown;
  /** Time of the next measurement, in epoch milliseconds. */
  #measureMs = 0;
  /**
   * Whether the folder must be a mount point: because the configuration requires it, or because the folder was one
   * since the start of the server.
   */
  #mustBeMounted = false;
  /** Whether the folder was a mount point at the last check. */
  #isMounted: boolean | undefined;
  #tasks: (() => Promise<void>)[] = [];
  readonly #returned: () => void;
  readonly #claim: (() => Promise<string | undefined>) | undefined;
  /** Start of the measurement or task in progress, in epoch milliseconds. */
  #taskSinceMs: number | undefined;

  /**
   * @param late called when a write was delayed because the disk is slow
   * @param claim takes the disk for this server, or returns the other owner; without it the disk belongs to this server
   * @param returned called when a disk is available again after it was missing, had failed or was replaced
   */
  constructor(
    folder: string,
    {
      files,
      clock,
      share,
      late,
      returned,
      claim,
    }: {
      files: DiskFiles;
      clock: Clock;
      share: PoolShare;
      late: (block: BlockWriter, waitedMs: number) => void;
      returned: () => void;
      claim?: (() => Promise<string | undefined>) | undefined;
    },
  ) {
    this.#returned = returned;
    this.#claim = claim;
    this.folder = folder;
    this.files = files;
    this.#clock = clock;
    this.#share = share;
    this.#wake = new Wakeable(clock);
    this.#stopWatch = every(clock, WATCH_MS, () => {
      this.#watch();
    });
    this.#running = this.#run(late);
  }

  /** Total and free bytes; undefined before the first or after a failed measurement. */
  get space(): DiskSpace | undefined {
    return this.#space;
  }

  /** Error of the last measurement; undefined on success. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Whether the folder was a mount point at the last check; undefined before the first check. */
  get isMounted(): boolean | undefined {
    return this.#isMounted;
  }

  /** Bytes pending or being written. */
  get waitingBytes(): number {
    let bytes = 0;
    for (const block of this.#blocks) bytes += block.unwrittenBytes;
    return bytes;
  }

  /** Whether an operation hangs. */
  get isStalled(): boolean {
    const now = this.#clock.now();
    if (now - (this.#taskSinceMs ?? now) >= MAX_AGE_MS) return true;
    return [...this.#blocks].some((block) => block.isBusy && now - (block.unwrittenSinceMs ?? now) >= MAX_AGE_MS);
  }

  /** Whether blocks are being written to it. */
  get isWritten(): boolean {
    return this.#blocks.size > 0;
  }

  /** Allows writing from now on only while the disk is a mount point. */
  requireMount(): void {
    if (this.#mustBeMounted) return;
    this.#mustBeMounted = true;
    if (this.#isMounted === false) this.#fault ??= notMounted(this.folder);
  }

  /**
   * Creates the file of a block and the folders above it. Throws `not_mounted` if the disk is not mounted,
   * `disk_in_use`, and system errors.
   */
  async create(path: string): Promise<DiskFile> {
    await this.#checkMount();
    this.#requireOwn();
    return this.files.create(path);
  }

  /** Paths of open blocks, below the folder. */
  get writing(): ReadonlySet<string> {
    return new Set([...this.#blocks].map(({ path }) => path));
  }

  /** Adds a block, which gets turns until it is complete. */
  add(block: BlockWriter): void {
    this.#blocks.add(block);
    this.notify();
  }

  /** Runs other work in a turn of the disk, such as listing files. Throws errors of the work, and `disk_in_use`. */
  async do<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#tasks.push(async () => {
        try {
          this.#requireOwn();
          resolve(await work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      this.notify();
    });
  }

  /** Called when data was added to a block, or a block ends. */
  notify(): void {
    this.#wake.notify();
  }

  /** Ends all blocks; resolves when they are complete or abandoned. */
  async close(): Promise<void> {
    for (const block of this.#blocks) block.finish();
    this.#wake.close();
    await this.#running;
    this.#stopWatch();
  }

  async #run(late: (block: BlockWriter, waitedMs: number) => void): Promise<void> {
    for (;;) {
      await this.#otherWork();
      const due = this.#due();
      for (const block of due) {
        const now = this.#clock.now();
        const waitedMs = now - (block.unwrittenSinceMs ?? now);
        if (waitedMs > LATE_MS && !block.isOver) {
          this.meter.late();
          late(block, waitedMs);
        }
        await this.#share.use(async () => this.#turn(block));
        if (block.isOver) this.#blocks.delete(block);
        await this.#otherWork();
      }
      if (due.length > 0 || this.#tasks.length > 0) continue;
      if (this.#wake.isClosed) return;
      await this.#wake.wait(POLL_MS);
    }
  }

  async #turn(block: BlockWriter): Promise<void> {
    const [fromMs, before] = [this.#clock.now(), block.sizeBytes];
    await block.turn();
    this.meter.wrote(block.sizeBytes - before, this.#clock.now() - fromMs);
  }

  /** Does the work besides blocks, one operation after another: measuring the disk, and requested work. */
  async #otherWork(): Promise<void> {
    const task = this.#tasks.shift();
    const isMeasured = this.#clock.now() < this.#measureMs;
    if (!task && isMeasured) return;
    this.#taskSinceMs = this.#clock.now();
    await this.#share.use(async () => {
      if (!isMeasured) await this.#measure();
      await task?.();
    });
    this.#taskSinceMs = undefined;
  }

  /** Blocks due for a turn, the longest wait first. An abandoned block gets its turn at once, to close its file. */
  #due(): BlockWriter[] {
    const now = this.#wake.isClosed ? Infinity : this.#clock.now();
    const due: BlockWriter[] = [];
    for (const block of this.#blocks) if (block.isOver || block.dueMs <= now) due.push(block);
    return due.sort((a, b) => (a.isOver ? 0 : a.dueMs) - (b.isOver ? 0 : b.dueMs));
  }

  #watch(): void {
    this.meter.measure(this.#clock.now());
    const oldest = this.#clock.now() - MAX_AGE_MS;
    let waitingBytes = 0;
    for (const block of this.#blocks) {
      if ((block.unwrittenSinceMs ?? Infinity) <= oldest)
        this.#giveUp(block, because('disk_write_stalled', { path: this.folder }));
      waitingBytes += block.unwrittenBytes;
      if (waitingBytes > MAX_WAITING_BYTES) this.#giveUp(block, because('disk_too_slow', { path: this.folder }));
    }
  }

  #giveUp(block: BlockWriter, why: Explained): void {
    if (block.isOver) return;
    block.fail({ code: 'disk_slow', ...why });
    this.notify();
  }

  async #measure(): Promise<void> {
    this.#measureMs = this.#clock.now() + SPACE_INTERVAL_MS;
    const wasMounted = this.#isMounted;
    try {
      await this.#checkMount();
      await this.#checkOwner();
      const space = await this.files.diskSpace(this.folder);
      const isOther = this.#space !== undefined && this.#space.device !== space.device;
      this.#space = space;
      const isBack = isOther || this.#fault !== undefined || (wasMounted === false && this.#isMounted === true);
      this.#fault = undefined;
      if (isBack) this.#returned();
    } catch (error) {
      this.#space = undefined;
      this.#fault = error;
    }
  }

  /** Throws `disk_in_use` if another server owns the disk; writes in progress fail then. */
  async #checkOwner(): Promise<void> {
    const owner = await this.#claim?.().catch((error: unknown) => {
      // A full disk has no room for the owner file, but must still be cleaned.
      if (!isFullDisk(error)) throw error;
      return undefined;
    });
    if (owner === undefined) return;
    const fault = new DiskInUse(because('disk_of_other_server', { path: this.folder, owner }));
    for (const block of this.#blocks) if (!block.isOver) block.fail({ code: fault.code, ...explained(fault) });
    throw fault;
  }

  #requireOwn(): void {
    if (this.#fault instanceof DiskInUse) throw this.#fault;
  }

  /** Checks that the disk is mounted. Otherwise the folder is on the system disk, which must not be filled. */
  async #checkMount(): Promise<void> {
    this.#isMounted = await this.files.isMounted(this.folder);
    this.#mustBeMounted ||= this.#isMounted;
    if (!this.#isMounted && this.#mustBeMounted) throw notMounted(this.folder);
  }
}

/** Thrown when another server owns the disk. */
class DiskInUse extends ExplainedError {
  readonly code = 'disk_in_use';
}

function notMounted(folder: string): Error {
  return Object.assign(new ExplainedError(because('disk_not_mounted', { path: folder })), { code: 'not_mounted' });
}
