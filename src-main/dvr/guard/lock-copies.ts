import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { DelayedWork } from '../../lib/timers.ts';
import { nextTurn, runInTurns } from '../../lib/turns.ts';
import type { Disk } from '../disk.ts';
import { codeOf, type DiskFile, type DiskFiles } from '../disk-files.ts';
import type { ArchiveEpisode, ArchiveEpisodes } from '../keep/archive-episodes.ts';
import type { ArchiveLocks } from '../keep/archive-locks.ts';
import type { ArchiveLock } from '../keep/lock-set.ts';

/** Folder on each disk for files that are not recordings. */
export const DISK_STATE_FOLDER = '.airdesk';
/** Copy of locks and episodes: a header, a line for each, and a last line with their number. */
const COPY = join(DISK_STATE_FOLDER, 'locks.jsonl');
const UNFINISHED = `${COPY}.new`;
/** Copy from which locks were restored. */
const RESTORED = join(DISK_STATE_FOLDER, 'locks-restored.jsonl');
/** Copy that could not be parsed. */
const DAMAGED = join(DISK_STATE_FOLDER, 'locks-damaged.jsonl');

/** Time for which changes are collected, in milliseconds. */
const GATHER_MS = 2000;
/** Lines written or read in one step. */
const STEP_LINES = 100;
/** Bytes read in one step. */
const STEP_BYTES = 128 * 1024;
/** Maximum size of a copy in bytes, for the maximum number of locks and episodes. */
const MAX_COPY_BYTES = 512 << 20;

/** Identity of the database of locks. */
export interface LockIdentity {
  readonly id: string;
  /** Number of changes to locks and episodes. */
  readonly generation: number;
}

const headerSchema = z.object({ form: z.literal(1), id: z.string(), generation: z.number().int() });
const time = { startMs: z.number(), endMs: z.number(), note: z.string(), by: z.string(), atMs: z.number() };
const lineSchema = z.union([
  z.object({ lock: z.object({ stream: z.string(), ...time }) }),
  z.object({
    episode: z.object({
      id: z.string(),
      stream: z.string(),
      title: z.string(),
      expiresMs: z.number().nullable(),
      ...time,
    }),
  }),
  z.object({ count: z.number().int() }),
]);

/** Content of a copy. */
interface LockCopy extends LockIdentity {
  readonly locks: readonly (ArchiveLock & { readonly stream: string })[];
  readonly episodes: readonly ArchiveEpisode[];
}

export interface LockCopiesOptions {
  readonly files: DiskFiles;
  readonly clock: Clock;
  readonly locks: Pick<ArchiveLocks, 'all' | 'add' | 'isAllLocked'>;
  readonly episodes: Pick<ArchiveEpisodes, 'list' | 'find' | 'put'>;
  /** Identity of this server's database. */
  readonly identity: () => LockIdentity;
  /** Runs work on a disk in its turn. */
  readonly onDisk: <T>(folder: string, work: (disk: Disk) => Promise<T>) => Promise<T>;
  /** Called when a copy was read. @param isOwn whether it belongs to this database */
  readonly found: (copy: { readonly isOwn: boolean }) => void;
  /** Called when locks and episodes were restored from a copy, because the database is another one or older. */
  readonly restored: (folder: string, count: number) => void;
  /** Called when a copy could not be read or written. */
  readonly failed: (folder: string, error: unknown) => void;
}

/** Copies of all locks and episodes on the disks of the archives: they survive the loss of the database, and move with a disk. */
export class LockCopies {
  readonly #options: LockCopiesOptions;
  readonly #write: DelayedWork;
  /** Disks whose copy was compared with the database: only these disks get a new copy. */
  readonly #checked = new Set<string>();
  /** Generation of the copy on each disk. */
  readonly #written = new Map<string, number>();
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: LockCopiesOptions) {
    this.#options = options;
    this.#write = new DelayedWork(options.clock, GATHER_MS, () => this.settled());
  }

  /** Schedules writing of the copies after a change of locks or episodes. */
  changed(): void {
    if (!this.#isClosed) this.#write.schedule();
  }

  /** Compares the copies on some disks with the database and restores missing entries. Resolves when all were tried. */
  async check(folders: readonly string[]): Promise<void> {
    await this.#inTurn(async () => {
      for (const folder of folders) if (!this.#checked.has(folder)) await this.#check(folder);
    });
    this.changed();
  }

  /** Requires another comparison for a disk that returned or was replaced. */
  forget(folder: string): void {
    this.#checked.delete(folder);
    this.#written.delete(folder);
  }

  /** Resolves when the copies have all changes so far, or could not be written. */
  async settled(): Promise<void> {
    this.#write.cancel();
    return this.#inTurn(async () => {
      const { id, generation } = this.#options.identity();
      const behind = [...this.#checked].filter((folder) => this.#written.get(folder) !== generation);
      if (behind.length === 0) return;
      const lines = await runInTurns(copyLines({ id, generation }, this.#options));
      for (const folder of behind) await this.#store(folder, generation, lines);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#write.isScheduled) await this.settled();
    await this.#turn;
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      this.#options.failed('', error);
    });
    return this.#turn;
  }

  async #check(folder: string): Promise<void> {
    const { files, onDisk, identity, found, restored, failed } = this.#options;
    try {
      const copy = await onDisk(folder, async () => readCopy(files, join(folder, COPY)));
      if (copy) {
        const ownIdentity = identity();
        found({ isOwn: copy.id === ownIdentity.id });
        const isOlder = copy.id === ownIdentity.id && copy.generation <= ownIdentity.generation;
        if (!isOlder) {
          const count = await runInTurns(this.#restore(copy));
          await onDisk(folder, async () => files.rename(join(folder, COPY), join(folder, RESTORED)));
          restored(folder, count);
        }
      }
      this.#checked.add(folder);
      // A database without locks creates no file.
      if (!copy && identity().generation === 0) this.#written.set(folder, 0);
    } catch (error) {
      failed(folder, error);
      // An unreadable disk is tried again when it returns; a damaged copy is replaced.
      if (codeOf(error) !== '') return;
      await onDisk(folder, async () => files.rename(join(folder, COPY), join(folder, DAMAGED))).catch(() => undefined);
      this.#checked.add(folder);
    }
  }

  /** Adds missing entries; existing ones stay unchanged. @returns number of added entries */
  *#restore({ locks, episodes }: LockCopy): Generator<void, number> {
    const { locks: ownLocks, episodes: ownEpisodes } = this.#options;
    let count = 0;
    for (const { stream, ...lock } of locks) {
      yield;
      if (!ownLocks.isAllLocked(stream, lock) && ownLocks.add(stream, lock)) count++;
    }
    for (const episode of episodes) {
      yield;
      if (!ownEpisodes.find(episode.id) && ownEpisodes.put(episode)) count++;
    }
    return count;
  }

  async #store(folder: string, generation: number, lines: readonly Uint8Array[]): Promise<void> {
    const { files, onDisk, failed } = this.#options;
    try {
      await onDisk(folder, async (disk) => {
        await files.remove(join(folder, UNFINISHED)).catch(() => 0);
        const file = await disk.create(join(folder, UNFINISHED));
        try {
          await file.write(lines, 0);
          await file.sync();
        } finally {
          await file.close();
        }
        await files.rename(join(folder, UNFINISHED), join(folder, COPY));
      });
      this.#written.set(folder, generation);
    } catch (error) {
      failed(folder, error);
    }
  }
}

function* copyLines(
  identity: LockIdentity,
  { locks, episodes }: Pick<LockCopiesOptions, 'locks' | 'episodes'>,
): Generator<void, Uint8Array[]> {
  const runs: Uint8Array[] = [];
  let lines = [JSON.stringify({ form: 1, ...identity })];
  let count = 0;
  const flush = (): void => {
    runs.push(Buffer.from(`${lines.join('\n')}\n`));
    lines = [];
  };
  function* all(): Generator<object, void> {
    for (const lock of locks.all()) yield { lock };
    for (const episode of episodes.list()) yield { episode };
  }
  for (const line of all()) {
    count++;
    if (lines.push(JSON.stringify(line)) < STEP_LINES) continue;
    flush();
    yield;
  }
  lines.push(JSON.stringify({ count }));
  flush();
  return runs;
}

/** Reads a copy; undefined if there is none. Throws system errors, and an error for an incomplete copy. */
async function readCopy(files: DiskFiles, path: string): Promise<LockCopy | undefined> {
  let file: DiskFile;
  try {
    file = await files.open(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const sizeBytes = await file.sizeBytes();
    if (sizeBytes > MAX_COPY_BYTES) throw new Error(`${path} is too large`);
    return await parseCopy(file, sizeBytes, path);
  } finally {
    await file.close();
  }
}

async function parseCopy(file: DiskFile, sizeBytes: number, path: string): Promise<LockCopy> {
  const decoder = new TextDecoder();
  const locks: (ArchiveLock & { readonly stream: string })[] = [];
  const episodes: ArchiveEpisode[] = [];
  let header: z.infer<typeof headerSchema> | undefined;
  let [rest, isComplete] = ['', false];
  for (let at = 0; at < sizeBytes; at += STEP_BYTES) {
    rest += decoder.decode(await file.read(at, Math.min(STEP_BYTES, sizeBytes - at)), { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!header) {
        header = headerSchema.parse(JSON.parse(line));
        continue;
      }
      const read = lineSchema.parse(JSON.parse(line));
      if ('lock' in read) locks.push(read.lock);
      else if ('episode' in read) episodes.push(read.episode);
      else isComplete = read.count === locks.length + episodes.length;
    }
    await nextTurn();
  }
  if (!header || !isComplete) throw new Error(`${path} is damaged`);
  return { ...header, locks, episodes };
}
