import type { Clock } from '../lib/clock.ts';
import { every, Wakeable } from '../lib/timers.ts';
import type { BlockWriter } from './block-writer.ts';
import { codeOf, type DiskFile, type DiskFiles, type DiskRoom } from './disk-files.ts';
import { DiskMeter } from './disk-meter.ts';
import type { PoolShare } from './pool-share.ts';

/** What waits longer than this for a disk is given up, in milliseconds. */
const MAX_AGE_MS = 10_000;
/** What a disk lets wait in all, in bytes, looked at once a second: it is memory of live windows. */
const MAX_WAITING_BYTES = 256 << 20;
/** How often a disk looks what is due, in milliseconds: its cost grows with the blocks, not with the parts that come in. */
const LOOK_MS = 100;
/** How often age and bytes are looked at, in milliseconds. */
const WATCH_MS = 1000;
/** A write counts as gathered when its oldest part waited longer than this, in milliseconds. */
const LATE_MS = 2000;
/** How often the room of a disk is measured, in milliseconds. */
const ROOM_MS = 5000;

/** One disk of a storage: takes its blocks in turn, one operation at a time, so that a disk that hangs holds one thread of the pool. */
export class Disk {
  readonly folder: string;
  readonly files: DiskFiles;
  /** Paths of files that are written beside the blocks, below the folder. */
  readonly making = new Set<string>();
  readonly meter = new DiskMeter();
  readonly #clock: Clock;
  readonly #share: PoolShare;
  readonly #blocks = new Set<BlockWriter>();
  readonly #wake: Wakeable;
  readonly #stopWatch: () => void;
  readonly #running: Promise<void>;
  #room: DiskRoom | undefined;
  #fault: unknown;
  #measureMs = 0;
  /** Whether it has to be a mount point: it was asked for, or it was one since the server started. */
  #mustBeMounted = false;
  /** Whether it was a mount point when it was looked at last. */
  #isMounted: boolean | undefined;
  #tasks: (() => Promise<void>)[] = [];
  readonly #returned: () => void;
  readonly #claim: (() => Promise<string | undefined>) | undefined;
  #taskSinceMs: number | undefined;

  /**
   * @param late called when a write was gathered because the disk is slow
   * @param claim takes the disk for this server, or says which other one has it; without it the disk is this server's
   * @param returned called when the disk is there again, which was gone or gave errors, or another one in its place
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

  /** Bytes of the whole disk and the free ones; undefined while they were not measured, or cannot be. */
  get room(): DiskRoom | undefined {
    return this.#room;
  }

  /** Why its room could not be measured; undefined where it could. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Whether it was a mount point when it was looked at last; undefined before. */
  get isMounted(): boolean | undefined {
    return this.#isMounted;
  }

  /** Bytes that wait for it, or are under way. */
  get waitingBytes(): number {
    let bytes = 0;
    for (const block of this.#blocks) bytes += block.unwrittenBytes;
    return bytes;
  }

  /** Whether an operation does not come back. */
  get isStalled(): boolean {
    const now = this.#clock.now();
    if (now - (this.#taskSinceMs ?? now) >= MAX_AGE_MS) return true;
    return [...this.#blocks].some((block) => block.isBusy && now - (block.unwrittenSinceMs ?? now) >= MAX_AGE_MS);
  }

  /** Whether blocks are being written to it. */
  get isWritten(): boolean {
    return this.#blocks.size > 0;
  }

  /** From now on it is written only while it is a mount point. */
  requireMount(): void {
    if (this.#mustBeMounted) return;
    this.#mustBeMounted = true;
    if (this.#isMounted === false) this.#fault ??= notMounted(this.folder);
  }

  /** Makes the file of a block and the folders above it. Raises `not_mounted` where the disk is gone, `disk_in_use`, and what the system says. */
  async create(path: string): Promise<DiskFile> {
    await this.#checkMount();
    this.#requireOwn();
    return this.files.create(path);
  }

  /** Paths of the blocks that are being written, below the folder. */
  get writing(): ReadonlySet<string> {
    return new Set([...this.#blocks].map(({ path }) => path));
  }

  /** Takes a block on; it is written in turns until it is over. */
  add(block: BlockWriter): void {
    this.#blocks.add(block);
    this.notify();
  }

  /** Does other work on the disk in its turn, such as looking at what lies there. Raises what the work raises, and `disk_in_use`. */
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

  /** Something was added to a block, or it ends. */
  notify(): void {
    this.#wake.notify();
  }

  /** Ends when every block that was to be finished is over, or is given up. */
  async close(): Promise<void> {
    for (const block of this.#blocks) block.finish();
    this.#wake.close();
    await this.#running;
    this.#stopWatch();
  }

  async #run(late: (block: BlockWriter, waitedMs: number) => void): Promise<void> {
    for (;;) {
      await this.#other();
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
        await this.#other();
      }
      if (due.length > 0 || this.#tasks.length > 0) continue;
      if (this.#wake.isClosed) return;
      await this.#wake.wait(LOOK_MS);
    }
  }

  async #turn(block: BlockWriter): Promise<void> {
    const [fromMs, before] = [this.#clock.now(), block.sizeBytes];
    await block.turn();
    this.meter.wrote(block.sizeBytes - before, this.#clock.now() - fromMs);
  }

  /** What is no block: the room of the disk, and work that was asked for. One operation after the other. */
  async #other(): Promise<void> {
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

  /** The blocks that want the disk now, the longest wait first. One that was given up is taken at once, to close its file. */
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
      if ((block.unwrittenSinceMs ?? Infinity) <= oldest) this.#giveUp(block, 'the disk did not take it for 10 s');
      waitingBytes += block.unwrittenBytes;
      if (waitingBytes > MAX_WAITING_BYTES) this.#giveUp(block, 'too much waits for the disk');
    }
  }

  #giveUp(block: BlockWriter, detail: string): void {
    if (block.isOver) return;
    block.fail({ code: 'disk_slow', detail });
    this.notify();
  }

  async #measure(): Promise<void> {
    this.#measureMs = this.#clock.now() + ROOM_MS;
    const wasMounted = this.#isMounted;
    try {
      await this.#checkMount();
      await this.#checkOwner();
      const room = await this.files.room(this.folder);
      const isOther = this.#room !== undefined && this.#room.device !== room.device;
      this.#room = room;
      const isBack = isOther || this.#fault !== undefined || (wasMounted === false && this.#isMounted === true);
      this.#fault = undefined;
      if (isBack) this.#returned();
    } catch (error) {
      this.#room = undefined;
      this.#fault = error;
    }
  }

  /** Raises `disk_in_use` where another server has the disk; what is being written to it ends then. */
  async #checkOwner(): Promise<void> {
    const owner = await this.#claim?.().catch((error: unknown) => {
      // A full disk has no room for the file, and is cleaned all the same.
      if (codeOf(error) !== 'ENOSPC') throw error;
      return undefined;
    });
    if (owner === undefined) return;
    const fault = new DiskInUse(`${this.folder} is used by another Airdesk server (${owner})`);
    for (const block of this.#blocks) if (!block.isOver) block.fail({ code: fault.code, detail: fault.message });
    throw fault;
  }

  #requireOwn(): void {
    if (this.#fault instanceof DiskInUse) throw this.#fault;
  }

  /** Where a mount is gone its folder lies on the disk of the system, which must not be filled. */
  async #checkMount(): Promise<void> {
    this.#isMounted = await this.files.isMounted(this.folder);
    this.#mustBeMounted ||= this.#isMounted;
    if (!this.#isMounted && this.#mustBeMounted) throw notMounted(this.folder);
  }
}

/** Says that another server has a disk. */
class DiskInUse extends Error {
  readonly code = 'disk_in_use';
}

function notMounted(folder: string): Error {
  return Object.assign(new Error(`${folder} is not mounted`), { code: 'not_mounted' });
}
