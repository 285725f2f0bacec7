import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../../../src-preload/contract/api/alarm-faults.ts';
import { listBlocks } from '../../dvr/block-list.ts';
import { minuteOfPath } from '../../dvr/block-path.ts';
import type { Disk } from '../../dvr/disk.ts';
import { systemDiskFiles } from '../../dvr/disk-files.ts';
import { DeletionGuard, type DeletionHold } from '../../dvr/guard/deletion-guard.ts';
import { LockCopies, type LockIdentity } from '../../dvr/guard/lock-copies.ts';
import type { ArchiveEpisodes, EpisodeStore } from '../../dvr/keep/archive-episodes.ts';
import type { ArchiveLocks, LockStore } from '../../dvr/keep/archive-locks.ts';
import { findStreams } from '../../dvr/keep/found-streams.ts';
import type { ArchiveJobState } from '../../dvr/archive-job.ts';
import type { ArchiveJobs } from '../../dvr/keep/archive-jobs.ts';
import type { Recordings } from '../../dvr/recordings.ts';
import type { EventEmitter } from '../../events/event-bus.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import { nextTurn } from '../../lib/turns.ts';
import { LostCatalog } from './lost-catalog.ts';
import type { DiskOwnerOptions } from './open-disk-owners.ts';

/** Identity of the database with the locks, and whether it was created at this start. */
export interface ProtectionPort {
  readonly isNew: boolean;
  /** Reads the identity. Throws errors of the database. */
  read(): LockIdentity;
}

/** Protection of archives against accidental deletion. */
export interface ArchiveGuardUnit {
  readonly guard: DeletionGuard;
  /** Alerts with the reasons why nothing is deleted. */
  readonly alerts: Readonly<Record<string, Fault>>;
  /** Stores whose changes are copied to the disks. */
  readonly stores: { readonly locks: LockStore | undefined; readonly episodes: EpisodeStore | undefined };
  /**
   * Starts to compare locks and episodes with their copies on the disks, after which deletion may start.
   *
   * @param jobs for rebuilding a lost catalog
   */
  start(locks: ArchiveLocks, episodes: ArchiveEpisodes, jobs?: Pick<ArchiveJobs, 'start' | 'stop'>): void;
  /** Reports that the rebuild of the catalog ended. */
  rebuilt(state: ArchiveJobState): void;
  /** Reports that the configured disks may have changed. */
  apply(): void;
  /** Reports that the content of a disk may have changed. */
  forget(folder: string): void;
  /** Reports that the server stops: a rebuild that is stopped now restarts with the next run. */
  stop(): void;
  close(): Promise<void>;
}

/** Options of `openArchiveGuard`. */
export interface ArchiveGuardDeps {
  readonly options: DiskOwnerOptions & { readonly log: Log };
  readonly events: EventEmitter;
  readonly recordings: Pick<Recordings, 'onDisk'>;
  /** Identity of the database; undefined if the database could not be opened. Then `locks` and `episodes` are undefined, too. */
  readonly protection: ProtectionPort | undefined;
  readonly locks: LockStore | undefined;
  readonly episodes: EpisodeStore | undefined;
  /** Folders of the disks that archives are written to. */
  readonly folders: () => readonly string[];
  /** Registers a listener, which is called each time an empty catalog was created; at once if that has already happened. */
  readonly onCatalogCreated: (listener: () => void) => void;
  /** Whether the catalog has a recording. */
  readonly hasRecordings: () => Promise<boolean>;
}

/** Opens the guard with its saved state. Nothing is deleted before `start`. */
export function openArchiveGuard(deps: ArchiveGuardDeps): ArchiveGuardUnit {
  const { options, events, recordings, protection, folders } = deps;
  const { clock, log, dataFolder } = options;
  const state = new StateFile(join(dataFolder, 'archive-guard.json'), (error) => {
    log.error('the state of the archive guard cannot be written', { error: messageOf(error) });
  });
  const saved = state.read();
  const guard = new DeletionGuard({
    clock,
    saved,
    machine: options.machine ?? { uptimeMs: () => clock.now(), bootId: null },
    save: (text) => {
      state.write(text);
    },
    onHold: (hold) => {
      log.error('nothing is deleted from archives until an operator confirms', { ...hold });
      events.emit('dvr_deletion_held', { reason: hold.reason, ...factsOf(hold) });
    },
    released: (holds) => {
      log.info('archives are cleaned again', { reasons: holds.map(({ reason }) => reason).join(', ') });
    },
  });
  guard.start();
  let copies: LockCopies | undefined;
  let isStarted = false;
  let restored = 0;
  let lostCatalog: LostCatalog | undefined;
  let isCatalogNew = false;
  deps.onCatalogCreated(() => {
    // Nothing is deleted before the locks are checked, and on a new server an empty catalog is normal.
    if (guard.isChecked) lostCatalog?.lost();
    else isCatalogNew = true;
  });
  const start = async (lockCopies: LockCopies): Promise<void> => {
    // The streams open after the archive, in the same turn. Their disks are unknown before that.
    await nextTurn();
    // Checked before the copies are read, because a new server soon has a recording of its first minute.
    const areLocksLost = protection?.isNew === true && ((await deps.hasRecordings()) || (await isRecorded(deps, 2)));
    const isCatalogLost = isCatalogNew && (await isRecorded(deps, 0));
    await lockCopies.check(folders());
    if (areLocksLost) guard.hold('locks', { restored });
    guard.checked();
    if (isCatalogLost) lostCatalog?.lost();
    else lostCatalog?.rebuild();
  };
  return {
    guard,
    get alerts() {
      return Object.fromEntries(guard.holds.map((hold) => [`archive_hold_${hold.reason}`, faultOf(hold)]));
    },
    stores: watchedStores(deps, () => copies?.changed()),
    start(locks, episodes, jobs) {
      if (!protection || isStarted) return;
      isStarted = true;
      lostCatalog = jobs && new LostCatalog(guard, jobs);
      copies = new LockCopies({
        files: systemDiskFiles,
        clock,
        locks,
        episodes,
        identity: () => protection.read(),
        onDisk: async (folder, work) => recordings.onDisk(folder, work),
        found: ({ isOwn }) => {
          // Copies exist but there is no saved state, so the state was lost.
          if (isOwn && saved === undefined && !guard.holds.some(({ reason }) => reason === 'state'))
            guard.hold('state');
        },
        restored: (folder, count) => {
          log.warn('locks and episodes were restored from their copy', { folder, count });
          restored += count;
          if (count > 0) guard.hold('locks', { restored });
        },
        failed: (folder, error) => {
          log.error('the copy of locks and episodes cannot be used', { folder, error: messageOf(error) });
        },
      });
      void start(copies).catch((error: unknown) => {
        log.error('locks could not be compared with their copies; nothing is deleted', { error: messageOf(error) });
      });
    },
    rebuilt(ended) {
      lostCatalog?.ended(ended);
    },
    apply() {
      void copies?.check(folders());
    },
    forget(folder) {
      copies?.forget(folder);
      void copies?.check(folders());
    },
    stop() {
      lostCatalog?.close();
    },
    async close() {
      await copies?.close();
      guard.close();
      await state.close();
    },
  };
}

/**
 * Whether a disk has an older recording: a stream whose oldest finished block is at least `minAgeMinutes` old. A disk that
 * cannot be read counts as having one. A block in the future counts as older, too, because the clock may have been set back.
 */
async function isRecorded({ folders, recordings, options }: ArchiveGuardDeps, minAgeMinutes: number): Promise<boolean> {
  const startMs = options.clock.now();
  for (const folder of folders()) {
    const inTurn = async <T>(work: (disk: Pick<Disk, 'writing'>) => Promise<T>): Promise<T> =>
      recordings.onDisk(folder, work);
    try {
      for await (const stream of findStreams(systemDiskFiles, folder, inTurn)) {
        const [oldest] = await inTurn(async ({ writing }) =>
          listBlocks(systemDiskFiles, folder, stream, {
            limit: 1,
            isNewestFirst: false,
            isRequested: (path) => !writing.has(path),
          }),
        );
        const minuteMs = oldest === undefined ? undefined : minuteOfPath(oldest);
        if (minuteMs !== undefined && Math.abs(startMs - minuteMs) >= minAgeMinutes * MINUTE_MS) return true;
      }
    } catch {
      // An unreadable disk may contain recordings.
      return true;
    }
  }
  return false;
}

const MINUTE_MS = 60_000;

function watchedStores(
  { locks, episodes }: Pick<ArchiveGuardDeps, 'locks' | 'episodes'>,
  changed: () => void,
): ArchiveGuardUnit['stores'] {
  return {
    locks: locks && {
      all: () => locks.all(),
      change(...change) {
        locks.change(...change);
        changed();
      },
    },
    episodes: episodes && {
      all: () => episodes.all(),
      put(episode) {
        episodes.put(episode);
        changed();
      },
      remove(ids) {
        episodes.remove(ids);
        changed();
      },
    },
  };
}

const HOUR_MS = 3_600_000;

function factsOf({ jumpMs, restored }: DeletionHold): { jump_hours: number | null; restored: number | null } {
  const hours = jumpMs === undefined ? null : Math.round((jumpMs / HOUR_MS) * 10) / 10;
  return { jump_hours: hours, restored: restored ?? null };
}

function faultOf(hold: DeletionHold): Fault {
  const { jump_hours: hours, restored } = factsOf(hold);
  switch (hold.reason) {
    case 'clock':
      return { fault: 'deletion_held_clock', facts: { hours } };
    case 'locks':
      return { fault: 'deletion_held_locks', facts: { count: restored ?? 0 } };
    case 'catalog':
      return hold.unread === undefined
        ? { fault: 'catalog_being_made', facts: {} }
        : { fault: 'deletion_held_catalog', facts: { count: hold.unread } };
    case 'state':
      return { fault: 'deletion_held_state', facts: {} };
  }
}

/** Small file that is replaced completely. Writes run one at a time, and only the newest waiting text is written. */
class StateFile {
  readonly #path: string;
  readonly #failed: (error: unknown) => void;
  #next: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(path: string, failed: (error: unknown) => void) {
    this.#path = path;
    this.#failed = failed;
  }

  /** Text of the file; undefined if there is no file. An unreadable file counts as damaged. */
  read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : '';
    }
  }

  write(text: string): void {
    this.#next = text;
    this.#writing ??= this.#run().finally(() => (this.#writing = undefined));
  }

  async close(): Promise<void> {
    await this.#writing;
  }

  async #run(): Promise<void> {
    for (;;) {
      const text = this.#next;
      if (text === undefined) return;
      this.#next = undefined;
      try {
        const unfinished = `${this.#path}.new`;
        const file = await open(unfinished, 'w', 0o600);
        try {
          await file.writeFile(text);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, this.#path);
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
