import { dirname, join, sep } from 'node:path';
import { packIndex } from '../block/block-index.ts';
import { firstDamage, scanBlock } from '../block/block-scan.ts';
import { listFolder, streamFolder } from '../block-list.ts';
import { BLOCK_NAME, FOLDER_NAMES } from '../block-path.ts';
import type { RecordedBlock } from '../block-writer.ts';
import type { CatalogStore } from '../catalog/catalog-store.ts';
import { rangesOf } from '../catalog/block-ranges.ts';
import type { Disk } from '../disk.ts';
import { codeOf, type DiskFiles } from '../disk-files.ts';
import type { ArchiveJob, BlockFault } from '../archive-job.ts';
import { settleCuts } from '../block-cut.ts';
import { findStreams } from './found-streams.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { ExplainedError } from '../../lib/error-message.ts';

export interface ArchiveAuditOptions {
  readonly files: DiskFiles;
  readonly store: Pick<CatalogStore, 'find' | 'paths'>;
  readonly catalog: {
    add(block: RecordedBlock): void;
    remove(disk: string, path: string): void;
    settled(): Promise<void>;
    usage(): Promise<readonly { readonly stream: string; readonly disk: string }[]>;
  };
  /** Folders of all disks of archives. */
  readonly disks: () => readonly string[];
  /** Runs work on a disk in its turn, between block writes. */
  readonly onDisk: <T>(folder: string, work: (disk: Disk) => Promise<T>) => Promise<T>;
}

export interface AuditMode {
  /** Whether to correct the catalog from the disks. Otherwise the two are only compared. */
  readonly isRepaired: boolean;
  /**
   * Whether to verify all media by checksum, which reads every byte. Otherwise only the index of each block is read.
   */
  readonly isDeep: boolean;
}

/** Blocks read in one turn of a disk. */
const TURN_BLOCKS = 8;
/** Paths processed in one step. */
const STEP_PATHS = 1000;

interface StreamPlan {
  readonly folder: string;
  readonly stream: string;
  /** Folders of its days below the folder of the disk, in order. */
  readonly days: readonly string[];
}

/**
 * Checks all archives, a few blocks per turn of their disk, while recording continues. A disk without any stream may
 * not be mounted, so its blocks are not removed from the catalog.
 */
export async function auditArchives(options: ArchiveAuditOptions, mode: AuditMode, job: ArchiveJob): Promise<void> {
  const plans = await planAudit(options, mode, job);
  const days = plans.reduce((sum, plan) => sum + plan.days.length, 0);
  let done = 0;
  for (const plan of plans) {
    const audit = new StreamAudit(options, mode, job, plan);
    for (const day of plan.days) {
      if (!job.isRunning) return;
      await audit.day(day);
      job.progress(++done / days);
    }
    if (job.isRunning) await audit.end();
  }
}

/** Streams and disks to audit. Unreadable disks are faults. */
async function planAudit(
  options: ArchiveAuditOptions,
  mode: AuditMode,
  job: ArchiveJob,
): Promise<readonly StreamPlan[]> {
  const { files, onDisk, catalog } = options;
  const usage = await catalog.usage();
  const disks = new Set(options.disks());
  const plans: StreamPlan[] = [];
  for (const folder of disks) {
    try {
      const streams = new Set<string>();
      const inTurn = async <T>(work: () => Promise<T>): Promise<T> => onDisk(folder, async () => work());
      for await (const stream of findStreams(files, folder, inTurn)) {
        if (!job.isRunning) return [];
        streams.add(stream);
      }
      const listed = usage.filter(({ disk }) => disk === folder).map(({ stream }) => stream);
      if (streams.size === 0 && listed.length > 0) throw new ExplainedError(because('disk_is_empty'));
      for (const stream of new Set([...streams, ...listed])) plans.push(await planStream(options, folder, stream));
    } catch (error) {
      job.fault({ disk: folder, path: '', kind: 'unread', detail: detailOf(error) });
    }
  }
  // Disks that are no longer configured have no days to check. All their catalog entries are checked here.
  for (const { stream, disk } of usage)
    if (!disks.has(disk)) await new StreamAudit(options, mode, job, { folder: disk, stream, days: [] }).end();
  return plans;
}

async function planStream({ files, onDisk }: ArchiveAuditOptions, folder: string, stream: string): Promise<StreamPlan> {
  let level = [streamFolder(stream)];
  for (const pattern of FOLDER_NAMES.slice(0, 3)) {
    const below: string[] = [];
    for (const at of level) {
      const names = await onDisk(folder, async () => listFolder(files, join(folder, at), pattern));
      below.push(...names.map((name) => join(at, name)));
    }
    level = below;
  }
  return { folder, stream, days: level };
}

/** Audit of one stream on one disk. */
class StreamAudit {
  readonly #options: ArchiveAuditOptions;
  readonly #mode: AuditMode;
  readonly #job: ArchiveJob;
  readonly #plan: StreamPlan;
  /** Path up to which the catalog has been checked. */
  #after: string;

  constructor(options: ArchiveAuditOptions, mode: AuditMode, job: ArchiveJob, plan: StreamPlan) {
    this.#options = options;
    this.#mode = mode;
    this.#job = job;
    this.#plan = plan;
    this.#after = `${streamFolder(plan.stream)}${sep}`;
  }

  async day(day: string): Promise<void> {
    const { onDisk, files } = this.#options;
    const { folder } = this.#plan;
    const hours = await onDisk(folder, async () => listFolder(files, join(folder, day), FOLDER_NAMES[3]));
    for (const name of hours) {
      if (!this.#job.isRunning) return;
      const hour = join(day, name);
      await this.#checkListed(`${hour}${sep}`);
      await this.#hour(hour);
      // Block names start with a digit, and a colon sorts after all digits.
      this.#after = `${hour}${sep}:`;
    }
  }

  /** Ends the audit: later catalog entries have no file, except blocks recorded during the audit. */
  async end(): Promise<void> {
    await this.#checkListed(`${streamFolder(this.#plan.stream)}${sep}:`);
  }

  /** Checks the catalog entries after `#after` and before a path: the audit found no folder for them. */
  async #checkListed(before: string): Promise<void> {
    const { store, catalog } = this.#options;
    const { stream, folder } = this.#plan;
    for (let after = this.#after; ;) {
      await catalog.settled();
      const paths = await store.paths(stream, folder, after, before, STEP_PATHS);
      for (const path of paths) await this.#reportIfGone(path);
      after = paths.at(-1) ?? after;
      if (paths.length < STEP_PATHS) return;
    }
  }

  async #reportIfGone(path: string): Promise<void> {
    const { files, catalog, store, onDisk } = this.#options;
    const { folder } = this.#plan;
    const isOnDisk = await onDisk(folder, async () =>
      (await files.list(join(folder, dirname(path)))).some((name) => path.endsWith(`${sep}${name}`)),
    );
    if (isOnDisk) return;
    await catalog.settled();
    if (!(await store.find(folder, path))) return;
    this.#fault(path, 'gone', 'it is in the catalog, but not on the disk');
    if (this.#mode.isRepaired) catalog.remove(folder, path);
  }

  async #hour(hour: string): Promise<void> {
    const { files, onDisk, store, catalog } = this.#options;
    const { stream, folder } = this.#plan;
    await catalog.settled();
    const found = await onDisk(folder, async (disk) => {
      const names = await settleCuts(files, disk, hour, await files.list(join(folder, hour)));
      return names
        .filter((name) => BLOCK_NAME.test(name))
        .map((name) => join(hour, name))
        .sort();
    });
    const paths = new Set(found);
    const listed = await store.paths(stream, folder, `${hour}${sep}`, `${hour}${sep}:`, 100 * STEP_PATHS);
    for (const path of listed) if (!paths.has(path)) await this.#reportIfGone(path);
    const step = this.#mode.isDeep ? 1 : TURN_BLOCKS;
    for (let at = 0; at < found.length && this.#job.isRunning; at += step) {
      const next = found.slice(at, at + step);
      const suspects = await onDisk(folder, async (disk) => this.#blocks(disk, next));
      await catalog.settled();
      for (const block of suspects) await this.#compare(block);
    }
  }

  /** Reads blocks in a turn of their disk. @returns blocks to compare with the catalog */
  async #blocks({ writing }: Disk, paths: readonly string[]): Promise<readonly RecordedBlock[]> {
    const { catalog } = this.#options;
    const suspects: RecordedBlock[] = [];
    for (const path of paths) {
      if (writing.has(path)) continue;
      const block = await this.#read(path);
      if (!block) continue;
      this.#job.count(1, block.sizeBytes);
      // Same turn, so no deletion can come in between.
      if (this.#mode.isRepaired) catalog.add(block);
      else suspects.push(block);
    }
    return suspects;
  }

  async #read(path: string): Promise<RecordedBlock | undefined> {
    const { files, catalog } = this.#options;
    const { folder, stream } = this.#plan;
    try {
      const file = await files.open(join(folder, path));
      try {
        const sizeBytes = await file.sizeBytes();
        const block = await scanBlock(file, sizeBytes);
        if (block && block.head.stream !== stream) {
          this.#fault(path, 'misplaced', `it is a block of ${block.head.stream}`);
          return undefined;
        }
        const damage =
          block && (this.#mode.isDeep || !block.isFinished) ? await firstDamage(file, sizeBytes) : undefined;
        if (!block) this.#fault(path, 'damaged', 'its start cannot be read');
        else if (damage !== undefined)
          this.#fault(path, 'damaged', `it is damaged from byte ${damage} of ${sizeBytes} on`);
        if (!block && this.#mode.isRepaired) catalog.remove(folder, path);
        return block && { ...block, disk: folder, path, packedIndex: packIndex(block.index), sizeBytes };
      } finally {
        await file.close();
      }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#fault(path, 'unread', detailOf(error));
      return undefined;
    }
  }

  async #compare({ path, head, index, sizeBytes }: RecordedBlock): Promise<void> {
    const { store, onDisk, files } = this.#options;
    const { folder } = this.#plan;
    const stored = await store.find(folder, path);
    const ranges = rangesOf(head, index);
    const isSame =
      stored?.sizeBytes === sizeBytes &&
      (ranges.length === 0 || (stored.startMs === ranges[0]?.startMs && stored.endMs === ranges.at(-1)?.endMs));
    if (isSame) return;
    // The block may have been deleted since it was read.
    const names = await onDisk(folder, async () => files.list(join(folder, dirname(path))));
    if (!names.some((name) => path.endsWith(`${sep}${name}`))) return;
    if (stored) this.#fault(path, 'different', 'the catalog has other times or another size for it');
    else this.#fault(path, 'missing', 'it is on the disk, but not in the catalog');
  }

  #fault(path: string, kind: BlockFault['kind'], detail: string): void {
    this.#job.fault({ disk: this.#plan.folder, path, kind, detail });
  }
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
