import type { StoredUsage } from '../../dvr/catalog/catalog-store.ts';
import type { BlockFailure } from '../../dvr/block-writer.ts';
import { diskFault } from '../../dvr/disk-fault.ts';
import type { Disk } from '../../dvr/disk.ts';
import type { DiskSpace } from '../../dvr/disk-files.ts';
import type { DiskFigures } from '../../dvr/disk-meter.ts';
import type { Recordings } from '../../dvr/recordings.ts';
import type { Clock } from '../../lib/clock.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

export interface ShownStorage {
  readonly name: string;
  /** Maximum use of its disks, in percent. */
  readonly maxUsedPercent: number;
  readonly disks: readonly {
    /** Path as configured; `.` for a storage without disks. */
    readonly path: string;
    /** Folder of the machine; null for other addresses. */
    readonly folder: string | null;
    /** Whether recordings are written to it. */
    readonly isWritten: boolean;
  }[];
}

/** State of a storage's disk. */
export interface DiskState {
  readonly path: string;
  readonly folder: string | null;
  readonly isWritten: boolean;
  /** Whether it is a mount point; null before the first check. */
  readonly isMounted: boolean | null;
  /** Space of the disk; null if it was not measured yet, or cannot be measured. */
  readonly space: DiskSpace | null;
  /** Reason why the disk cannot be written at the moment; null if it can be written, or should not be. */
  readonly fault: BlockFailure | null;
  /** Finished blocks of archives on it. */
  readonly blocks: number;
  readonly bytes: number;
  /** Data queued or being written, in bytes. */
  readonly waitingBytes: number;
  readonly figures: DiskFigures;
}

/** Counts of recordings to a storage since the start of the server, and of their gaps. */
interface RecordedCounts {
  readonly finishedBlocks: number;
  readonly finishedBytes: number;
  /** Number of interruptions, and total length of those that ended. */
  readonly gaps: number;
  readonly gapMs: number;
}

/** State of a storage, or of all folders together that streams configure without a storage. */
export interface StorageState extends RecordedCounts {
  /** Name of the storage; null for folders that streams configure without a storage. */
  readonly name: string | null;
  readonly disks: readonly DiskState[];
  /** Number of streams with recordings on it. */
  readonly streams: number;
  /** Number of streams that are being recorded to it. */
  readonly recording: number;
}

export interface ArchiveState {
  /** In the order of the configuration. */
  readonly storages: readonly StorageState[];
  readonly own: StorageState;
  /** Number of streams with recordings. */
  readonly streams: number;
  /** Whether recordings can be listed. */
  readonly isListed: boolean;
}

export interface ArchiveFiguresDeps {
  readonly clock: Clock;
  readonly recordings: Pick<Recordings, 'disks' | 'counts'>;
  /** Lists the use of each disk by each stream, ordered by stream name; undefined if it cannot be listed. */
  readonly usage: (() => Promise<readonly StoredUsage[]>) | undefined;
  /** Storages of the configuration in force. */
  readonly storages: () => readonly ShownStorage[];
}

/** Interval between two queries of the catalog, in milliseconds. */
const USAGE_MS = 5000;
const NO_COUNTS: RecordedCounts = { finishedBlocks: 0, finishedBytes: 0, gaps: 0, gapMs: 0 };
const NO_FIGURES: DiskFigures = {
  writes: 0,
  writtenBytes: 0,
  writingMs: 0,
  lateWrites: 0,
  failedBlocks: 0,
  writtenBytesPerSecond: 0,
  busyRatio: 0,
  slowestWriteMs: 0,
};

interface Used {
  readonly byFolder: ReadonlyMap<string, { readonly blocks: number; readonly bytes: number }>;
  /** Number of streams by storage; null for folders that streams configure without a storage. */
  readonly streamsOf: ReadonlyMap<string | null, number>;
  readonly streams: number;
}

const NOTHING_USED: Used = { byFolder: new Map(), streamsOf: new Map(), streams: 0 };

/** Measures archives: storages, disks, and written and lost data. */
export class ArchiveFigures {
  readonly #deps: ArchiveFiguresDeps;
  readonly #counts = new Map<string | null, RecordedCounts>();
  #used = NOTHING_USED;
  #usedMs = -Infinity;
  #refreshing: Promise<void> | undefined;

  constructor(deps: ArchiveFiguresDeps) {
    this.#deps = deps;
  }

  /** Counts a finished block. @param storage null for a folder that the stream configures without a storage */
  finished(storage: string | null, sizeBytes: number): void {
    const { finishedBlocks, finishedBytes, ...rest } = this.#countsOf(storage);
    this.#counts.set(storage, {
      ...rest,
      finishedBlocks: finishedBlocks + 1,
      finishedBytes: finishedBytes + sizeBytes,
    });
  }

  /** Counts the start or the end of an interruption. @param lastedMs length of the gap in milliseconds; undefined at its start */
  countGap(storage: string | null, lastedMs: number | undefined): void {
    const { gaps, gapMs, ...rest } = this.#countsOf(storage);
    this.#counts.set(storage, {
      ...rest,
      gaps: gaps + (lastedMs === undefined ? 1 : 0),
      gapMs: gapMs + Math.max(0, lastedMs ?? 0),
    });
  }

  /**
   * Updates the disk use in `state` if it is older than some seconds. Never rejects: if the catalog cannot be read, the last
   * values stay.
   */
  async refresh(): Promise<void> {
    const { usage, clock } = this.#deps;
    const sinceMs = clock.now() - this.#usedMs;
    if (!usage || (sinceMs >= 0 && sinceMs < USAGE_MS)) return;
    this.#refreshing ??= this.#update(usage)
      .catch(() => undefined)
      .finally(() => {
        this.#refreshing = undefined;
      });
    await this.#refreshing;
  }

  get state(): ArchiveState {
    const { recordings, storages, usage } = this.#deps;
    const { counts, disks } = recordings;
    const shown = storages();
    const inStorages = new Set(shown.flatMap((storage) => storage.disks.map(({ folder }) => folder)));
    const own = [...new Set([...disks.keys(), ...this.#used.byFolder.keys()])]
      .filter((folder) => !inStorages.has(folder))
      .map((folder) => ({ path: folder, folder, isWritten: false }));
    const stateOf = (name: string | null, limit: number, list: ShownStorage['disks']): StorageState => ({
      name,
      disks: list.map((disk) => this.#disk(disk, limit)),
      streams: this.#used.streamsOf.get(name) ?? 0,
      recording: counts.get(name) ?? 0,
      ...this.#countsOf(name),
    });
    return {
      storages: shown.map((storage) => stateOf(storage.name, storage.maxUsedPercent / 100, storage.disks)),
      own: stateOf(null, 1, own),
      streams: this.#used.streams,
      isListed: usage !== undefined,
    };
  }

  #disk(shown: ShownStorage['disks'][number], limit: number): DiskState {
    const { folder, isWritten } = shown;
    const disk = folder === null ? undefined : this.#deps.recordings.disks.get(folder);
    const { blocks = 0, bytes = 0 } = (folder === null ? undefined : this.#used.byFolder.get(folder)) ?? {};
    return {
      ...shown,
      isMounted: disk?.isMounted ?? null,
      space: disk?.space ?? null,
      fault: faultOf(folder, disk, isWritten ? limit : undefined),
      blocks,
      bytes,
      waitingBytes: disk?.waitingBytes ?? 0,
      figures: disk?.meter.figures ?? NO_FIGURES,
    };
  }

  #countsOf(storage: string | null): RecordedCounts {
    return this.#counts.get(storage) ?? NO_COUNTS;
  }

  async #update(usage: () => Promise<readonly StoredUsage[]>): Promise<void> {
    const rows = await usage();
    const storageOf = new Map(
      this.#deps.storages().flatMap(({ name, disks }) => disks.map(({ folder }) => [folder, name] as const)),
    );
    this.#used = sumOf(rows, storageOf);
    this.#usedMs = this.#deps.clock.now();
    // Removes storages that are no longer configured.
    const names = new Set(this.#deps.storages().map(({ name }) => name));
    for (const name of this.#counts.keys()) if (name !== null && !names.has(name)) this.#counts.delete(name);
  }
}

function faultOf(folder: string | null, disk: Disk | undefined, limit: number | undefined): BlockFailure | null {
  if (folder === null) return { code: 'no_disk', ...because('disk_not_local') };
  return (disk && diskFault(disk, limit)) ?? null;
}

/** @param rows ordered by stream name */
function sumOf(rows: readonly StoredUsage[], storageOf: ReadonlyMap<string | null, string>): Used {
  const byFolder = new Map<string, { blocks: number; bytes: number }>();
  const streamsOf = new Map<string | null, number>();
  // Last counted stream, of all storages together and of each storage. The rows of a stream are adjacent.
  const last = new Map<string | null, string>();
  let streams = 0;
  let newest: string | undefined;
  for (const { stream, disk, blocks, bytes } of rows) {
    const sum = byFolder.get(disk) ?? { blocks: 0, bytes: 0 };
    byFolder.set(disk, { blocks: sum.blocks + blocks, bytes: sum.bytes + bytes });
    const storage = storageOf.get(disk) ?? null;
    if (last.get(storage) !== stream) streamsOf.set(storage, (streamsOf.get(storage) ?? 0) + 1);
    last.set(storage, stream);
    if (stream !== newest) streams++;
    newest = stream;
  }
  return { byFolder, streamsOf, streams };
}
