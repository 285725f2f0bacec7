import type { StoredUsage } from '../../dvr/catalog/catalog-store.ts';
import type { BlockFailure } from '../../dvr/block-writer.ts';
import { diskFault } from '../../dvr/disk-fault.ts';
import type { Disk } from '../../dvr/disk.ts';
import type { DiskRoom } from '../../dvr/disk-files.ts';
import type { DiskFigures } from '../../dvr/disk-meter.ts';
import type { Recordings } from '../../dvr/recordings.ts';
import type { Clock } from '../../lib/clock.ts';
import { runInTurns } from '../../lib/turns.ts';

/** A storage of the configuration with its disks. */
export interface ShownStorage {
  readonly name: string;
  /** Up to which use its disks are filled. */
  readonly mostUsedPercent: number;
  readonly disks: readonly {
    /** As it stands in the configuration; `.` for a storage without disks. */
    readonly path: string;
    /** Null where it is no folder of this machine. */
    readonly folder: string | null;
    /** Whether recordings are written to it. */
    readonly isWritten: boolean;
  }[];
}

/** How a disk of a storage does. */
export interface DiskState {
  readonly path: string;
  readonly folder: string | null;
  readonly isWritten: boolean;
  /** Whether it is a mount point; null while it was not looked at. */
  readonly isMounted: boolean | null;
  /** Null while it was not measured, or cannot be. */
  readonly room: DiskRoom | null;
  /** Why nothing can be written to it at the moment; null where it can, or is not to be. */
  readonly fault: BlockFailure | null;
  /** What lies on it of archives, in finished blocks. */
  readonly blocks: number;
  readonly bytes: number;
  /** What waits for it, or is under way. */
  readonly waitingBytes: number;
  readonly figures: DiskFigures;
}

/** What was recorded to a storage since the server started, and what is missing. */
interface RecordedCounts {
  readonly finishedBlocks: number;
  readonly finishedBytes: number;
  /** How often a recording broke off, and for how long those were that went on again. */
  readonly holes: number;
  readonly holeMs: number;
}

/** How a storage does, or all folders of the streams' own together. */
export interface StorageState extends RecordedCounts {
  /** Null for the folders of the streams' own. */
  readonly name: string | null;
  readonly disks: readonly DiskState[];
  /** Streams that have something there. */
  readonly streams: number;
  /** Streams that are being recorded to it. */
  readonly recording: number;
}

/** How archives do. */
export interface ArchiveState {
  /** In the order of the configuration. */
  readonly storages: readonly StorageState[];
  readonly own: StorageState;
  /** Streams that have something. */
  readonly streams: number;
  /** Whether what is recorded can be listed. */
  readonly isListed: boolean;
}

/** What the figures are made of. */
export interface ArchiveFiguresDeps {
  readonly clock: Clock;
  readonly recordings: Pick<Recordings, 'disks' | 'counts'>;
  /** What of each stream lies on each disk, in the order of their names; undefined where it cannot be listed. */
  readonly usage: (() => Promise<readonly StoredUsage[]>) | undefined;
  /** The storages of the configuration in force. */
  readonly storages: () => readonly ShownStorage[];
}

/** What the catalog says is asked again after so long, in milliseconds. */
const USAGE_MS = 5000;
const NO_COUNTS: RecordedCounts = { finishedBlocks: 0, finishedBytes: 0, holes: 0, holeMs: 0 };
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
  /** Streams by the name of the storage; those of folders of their own under null. */
  readonly streamsOf: ReadonlyMap<string | null, number>;
  readonly streams: number;
}

const NOTHING_USED: Used = { byFolder: new Map(), streamsOf: new Map(), streams: 0 };

/** Measures archives: their storages, their disks, and what was written and lost. */
export class ArchiveFigures {
  readonly #deps: ArchiveFiguresDeps;
  readonly #counts = new Map<string | null, RecordedCounts>();
  #used = NOTHING_USED;
  #usedMs = -Infinity;
  #asking: Promise<void> | undefined;

  constructor(deps: ArchiveFiguresDeps) {
    this.#deps = deps;
  }

  /** A block was finished. @param storage null for a folder of the stream's own */
  finished(storage: string | null, sizeBytes: number): void {
    const { finishedBlocks, finishedBytes, ...rest } = this.#countsOf(storage);
    this.#counts.set(storage, {
      ...rest,
      finishedBlocks: finishedBlocks + 1,
      finishedBytes: finishedBytes + sizeBytes,
    });
  }

  /** A recording broke off, or goes on again. @param lastedMs how long something is missing, in milliseconds; undefined where it breaks off */
  hole(storage: string | null, lastedMs: number | undefined): void {
    const { holes, holeMs, ...rest } = this.#countsOf(storage);
    this.#counts.set(storage, {
      ...rest,
      holes: holes + (lastedMs === undefined ? 1 : 0),
      holeMs: holeMs + Math.max(0, lastedMs ?? 0),
    });
  }

  /** Resolves when `state` knows what lies where, as it was some seconds ago at most. Never rejects: what cannot be read stays as it was. */
  async refresh(): Promise<void> {
    const { usage, clock } = this.#deps;
    const sinceMs = clock.now() - this.#usedMs;
    if (!usage || (sinceMs >= 0 && sinceMs < USAGE_MS)) return;
    this.#asking ??= this.#ask(usage)
      .catch(() => undefined)
      .finally(() => {
        this.#asking = undefined;
      });
    await this.#asking;
  }

  /** How archives do at this moment. */
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
      storages: shown.map((storage) => stateOf(storage.name, storage.mostUsedPercent / 100, storage.disks)),
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
      room: disk?.room ?? null,
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

  async #ask(usage: () => Promise<readonly StoredUsage[]>): Promise<void> {
    const rows = await usage();
    const storageOf = new Map(
      this.#deps.storages().flatMap(({ name, disks }) => disks.map(({ folder }) => [folder, name] as const)),
    );
    this.#used = await runInTurns(sumOf(rows, storageOf));
    this.#usedMs = this.#deps.clock.now();
    // Storages that are not configured any more are forgotten.
    const names = new Set(this.#deps.storages().map(({ name }) => name));
    for (const name of this.#counts.keys()) if (name !== null && !names.has(name)) this.#counts.delete(name);
  }
}

function faultOf(folder: string | null, disk: Disk | undefined, limit: number | undefined): BlockFailure | null {
  if (folder === null) return { code: 'no_disk', detail: 'it is no folder of this machine' };
  return (disk && diskFault(disk, limit)) ?? null;
}

/** Rows that are added up in one step. */
const STEP_ROWS = 500;

/** @param rows in the order of the names of streams */
function* sumOf(rows: readonly StoredUsage[], storageOf: ReadonlyMap<string | null, string>): Generator<void, Used> {
  const byFolder = new Map<string, { blocks: number; bytes: number }>();
  const streamsOf = new Map<string | null, number>();
  // The stream that was counted last, of all and of each storage: the rows of a stream follow each other.
  const last = new Map<string | null, string>();
  let streams = 0;
  let newest: string | undefined;
  for (const [index, { stream, disk, blocks, bytes }] of rows.entries()) {
    const sum = byFolder.get(disk) ?? { blocks: 0, bytes: 0 };
    byFolder.set(disk, { blocks: sum.blocks + blocks, bytes: sum.bytes + bytes });
    const storage = storageOf.get(disk) ?? null;
    if (last.get(storage) !== stream) streamsOf.set(storage, (streamsOf.get(storage) ?? 0) + 1);
    last.set(storage, stream);
    if (stream !== newest) streams++;
    newest = stream;
    if (index % STEP_ROWS === STEP_ROWS - 1) yield;
  }
  return { byFolder, streamsOf, streams };
}
