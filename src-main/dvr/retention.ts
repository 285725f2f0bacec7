import { dirname, join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import { every } from '../lib/timers.ts';
import { listBlocks } from './block-list.ts';
import { FOLDER_NAMES, minuteOfPath } from './block-path.ts';
import type { Disk } from './disk.ts';
import type { DiskFiles } from './disk-files.ts';
import type { RecordingSettings } from './recordings.ts';

/** A stream whose archive is kept within limits, recorded at the moment or not. */
export interface KeptStream {
  readonly stream: string;
  readonly settings: RecordingSettings;
}

/** What retention needs. */
export interface RetentionOptions {
  readonly files: DiskFiles;
  readonly clock: Clock;
  /** All archives with their limits, asked for in each round. */
  readonly kept: () => Iterable<KeptStream>;
  /** Does work on a disk in its turn. */
  readonly onDisk: <T>(folder: string, work: (disk: Disk) => Promise<T>) => Promise<T>;
  /** Blocks of a stream were deleted. */
  readonly deleted: (stream: string, storage: string | null, count: number, bytes: number) => void;
  /** A block was deleted. @param path below the folder of the disk */
  readonly removed: (folder: string, path: string) => void;
  /** A disk could not be cleaned. */
  readonly failed: (folder: string, error: unknown) => void;
}

/** How often is deleted, in milliseconds. */
const ROUND_MS = 60_000;
/** Blocks that are deleted in one turn of a disk, so that those that are written do not wait for long. */
const TURN_BLOCKS = 32;
/** Turns of one round for each stream, or disk: what is more waits for the next round. */
const ROUND_TURNS = 64;
/** How far below its limit a disk is emptied, in percent of the disk, so that there is room up to the next round. */
const MARGIN_PERCENT = 1;
const MINUTE_MS = 60_000;

/** Deletes the oldest blocks: those past their time, and those of a disk that is fuller than its limit. Looks at the disks themselves. */
export class Retention {
  readonly #options: RetentionOptions;
  #stop: (() => void) | undefined;
  /** When the oldest block of a stream on a disk is past its time, in epoch milliseconds: until then there is nothing to look for. */
  #dueMs = new Map<string, number>();

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Begins; the first round is a minute later. */
  start(): void {
    this.#stop ??= every(this.#options.clock, ROUND_MS, () => this.round());
  }

  close(): void {
    this.#stop?.();
  }

  /** One round over all disks, which do not wait for each other. Never rejects. */
  async round(): Promise<void> {
    const before = this.#dueMs;
    this.#dueMs = new Map();
    const disks = new Map<string, KeptStream[]>();
    for (const kept of this.#options.kept())
      for (const folder of kept.settings.disks) {
        const known = disks.get(folder);
        if (known) known.push(kept);
        else disks.set(folder, [kept]);
        const due = before.get(keyOf(folder, kept));
        if (due !== undefined) this.#dueMs.set(keyOf(folder, kept), due);
      }
    await Promise.all([...disks].map(async ([folder, kept]) => this.#clean(folder, kept)));
  }

  async #clean(folder: string, kept: readonly KeptStream[]): Promise<void> {
    try {
      for (const one of kept) await this.#expire(folder, one);
      await this.#makeRoom(folder, kept);
    } catch (error) {
      this.#options.failed(folder, error);
    }
  }

  /** Deletes what is older than its time. */
  async #expire(folder: string, kept: KeptStream): Promise<void> {
    const { expirationMs } = kept.settings;
    const key = keyOf(folder, kept);
    if (expirationMs === undefined || (this.#dueMs.get(key) ?? 0) > this.#options.clock.now()) return;
    for (let turn = 0; turn < ROUND_TURNS; turn++) {
      const oldestMs = this.#options.clock.now() - expirationMs;
      const count = await this.#options.onDisk(folder, async (disk) => {
        const oldest = await this.#oldest(disk, kept);
        const old = oldest.filter(({ minuteMs }) => minuteMs + MINUTE_MS <= oldestMs);
        const next = oldest[old.length]?.minuteMs ?? this.#options.clock.now();
        this.#dueMs.set(key, next + MINUTE_MS + expirationMs);
        return this.#delete(disk, old);
      });
      if (count < TURN_BLOCKS) return;
    }
  }

  /** Deletes the oldest blocks of all streams of a disk until it is below its lowest limit. */
  async #makeRoom(folder: string, kept: readonly KeptStream[]): Promise<void> {
    const limit = Math.min(...kept.map(({ settings }) => settings.mostUsedPercent ?? 100)) - MARGIN_PERCENT;
    if (limit >= 100 - MARGIN_PERCENT) return;
    for (let turn = 0; turn < ROUND_TURNS; turn++) {
      const isDone = await this.#options.onDisk(folder, async (disk) => {
        const { totalBytes, freeBytes } = await this.#options.files.room(folder);
        if (totalBytes - freeBytes <= (totalBytes * limit) / 100) return true;
        const blocks: OldBlock[] = [];
        for (const one of kept) blocks.push(...(await this.#oldest(disk, one)));
        const oldest = blocks.sort((a, b) => a.minuteMs - b.minuteMs).slice(0, TURN_BLOCKS);
        return (await this.#delete(disk, oldest)) === 0;
      });
      if (isDone) return;
    }
  }

  /** The oldest blocks of a stream that are not being written. */
  async #oldest(disk: Disk, kept: KeptStream): Promise<OldBlock[]> {
    const paths = await listBlocks(this.#options.files, disk.folder, kept.stream, {
      most: TURN_BLOCKS,
      isNewestFirst: false,
    });
    const { writing } = disk;
    return paths.flatMap((path) => {
      const minuteMs = minuteOfPath(path);
      return minuteMs === undefined || writing.has(path) ? [] : [{ kept, path, minuteMs }];
    });
  }

  async #delete({ folder }: Disk, blocks: readonly OldBlock[]): Promise<number> {
    const { files, deleted, removed } = this.#options;
    const sums = new Map<KeptStream, { count: number; bytes: number }>();
    for (const { kept, path } of blocks) {
      const bytes = await files.remove(join(folder, path));
      removed(folder, path);
      const sum = sums.get(kept) ?? { count: 0, bytes: 0 };
      sums.set(kept, { count: sum.count + 1, bytes: sum.bytes + bytes });
      await this.#removeFolders(folder, path);
    }
    for (const [{ stream, settings }, { count, bytes }] of sums) deleted(stream, settings.storage, count, bytes);
    return blocks.length;
  }

  /** Removes the folders of the hour, the day, the month and the year as far as nothing is in them. */
  async #removeFolders(folder: string, path: string): Promise<void> {
    let at = dirname(path);
    for (let level = 0; level < FOLDER_NAMES.length; level++) {
      if (!(await this.#options.files.removeFolder(join(folder, at)))) return;
      at = dirname(at);
    }
  }
}

interface OldBlock {
  readonly kept: KeptStream;
  readonly path: string;
  readonly minuteMs: number;
}

function keyOf(folder: string, { stream, settings }: KeptStream): string {
  return JSON.stringify([folder, stream, settings.expirationMs]);
}
