import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../../../src-preload/contract/api/alarm-words.ts';
import { listBlocks } from '../../dvr/block-list.ts';
import { minuteOfPath } from '../../dvr/block-path.ts';
import { systemDiskFiles } from '../../dvr/disk-files.ts';
import { DeletionGuard, type DeletionHold } from '../../dvr/guard/deletion-guard.ts';
import { LockCopies, type LockIdentity } from '../../dvr/guard/lock-copies.ts';
import type { ArchiveEpisodes, EpisodeStore } from '../../dvr/keep/archive-episodes.ts';
import type { ArchiveLocks, LockStore } from '../../dvr/keep/archive-locks.ts';
import { findStreams } from '../../dvr/keep/found-streams.ts';
import type { Recordings } from '../../dvr/recordings.ts';
import type { EventEmitter } from '../../events/event-bus.ts';
import { messageOf } from '../../lib/error-message.ts';
import { nextTurn } from '../../lib/turns.ts';
import type { ServerOptions } from '../server-options.ts';

/** Identity of the database with the locks, and whether it was made at this start. */
export interface ProtectionPort {
  readonly isNew: boolean;
  /** Raises what the database does. */
  read(): LockIdentity;
}

/** Protection of archives against deletion by mistake. */
export interface ArchiveGuardUnit {
  readonly guard: DeletionGuard;
  /** Why nothing is deleted, for operators. */
  readonly alerts: Readonly<Record<string, Fault>>;
  /** Stores whose changes reach the copies. */
  readonly stores: { readonly locks: LockStore | undefined; readonly episodes: EpisodeStore | undefined };
  /** Locks and episodes are read: they are held against their copies on the disks, and deletion may start. */
  start(locks: ArchiveLocks, episodes: ArchiveEpisodes): void;
  /** Other disks may be in the configuration. */
  apply(): void;
  /** The content of a disk may have changed. */
  forget(folder: string): void;
  close(): Promise<void>;
}

/** Options of `openArchiveGuard`. */
export interface ArchiveGuardDeps {
  readonly options: Pick<ServerOptions, 'clock' | 'log' | 'dataFolder' | 'machine'>;
  readonly events: EventEmitter;
  readonly recordings: Pick<Recordings, 'onDisk'>;
  /** Undefined where the database cannot be opened, as `locks` and `episodes`. */
  readonly protection: ProtectionPort | undefined;
  readonly locks: LockStore | undefined;
  readonly episodes: EpisodeStore | undefined;
  /** Folders of the disks that archives are written to. */
  readonly folders: () => readonly string[];
  /** Whether the catalog has a recording. */
  readonly hasRecordings: () => Promise<boolean>;
}

/** Opens the guard with its state of the run before. Nothing is deleted before `start`. */
export function openArchiveGuard(deps: ArchiveGuardDeps): ArchiveGuardUnit {
  const { options, events, recordings, protection, folders } = deps;
  const { clock, log, dataFolder } = options;
  const state = new StateFile(join(dataFolder, 'archive-guard.json'), (error) => {
    log.error('the state of the archive guard cannot be written', { error: messageOf(error) });
  });
  const saved = state.read();
  const guard = new DeletionGuard({
    ...{ clock, saved },
    machine: options.machine ?? { uptimeMs: () => clock.now(), bootId: null },
    save: (text) => {
      state.write(text);
    },
    held: (hold) => {
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
  const start = async (made: LockCopies): Promise<void> => {
    // The streams are opened after the archive, in the same turn: until then their disks cannot be asked for.
    await nextTurn();
    // Asked before all else: a new server records its own first minute while the disks are read.
    const isMissed = protection?.isNew === true && (await isAnythingRecorded(deps));
    await made.check(folders());
    if (isMissed) guard.hold('locks', { restored });
    guard.checked();
  };
  return {
    guard,
    get alerts() {
      return Object.fromEntries(guard.holds.map((hold) => [`archive_hold_${hold.reason}`, faultOf(hold)]));
    },
    stores: watchedStores(deps, () => copies?.changed()),
    start(locks, episodes) {
      if (!protection || isStarted) return;
      isStarted = true;
      copies = new LockCopies({
        ...{ files: systemDiskFiles, clock, locks, episodes, identity: () => protection.read() },
        onDisk: async (folder, work) => recordings.onDisk(folder, work),
        found: ({ isOwn }) => {
          // The state is as old as the copies: it was lost.
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
        log.error('locks cannot be held against their copies; nothing is deleted', { error: messageOf(error) });
      });
    },
    apply() {
      void copies?.check(folders());
    },
    forget(folder) {
      copies?.forget(folder);
      void copies?.check(folders());
    },
    async close() {
      await copies?.close();
      guard.close();
      await state.close();
    },
  };
}

/** Whether something is recorded that locks may have been lost of: by the catalog, and by the disks, because the catalog may be lost too. */
async function isAnythingRecorded({ hasRecordings, folders, recordings, options }: ArchiveGuardDeps): Promise<boolean> {
  const startMs = options.clock.now();
  if (await hasRecordings()) return true;
  for (const folder of folders()) {
    const look = async <T>(work: () => Promise<T>): Promise<T> => recordings.onDisk(folder, work);
    try {
      for await (const stream of findStreams(systemDiskFiles, folder, look)) {
        const [oldest] = await look(async () =>
          listBlocks(systemDiskFiles, folder, stream, { most: 1, isNewestFirst: false }),
        );
        const minuteMs = oldest === undefined ? undefined : minuteOfPath(oldest);
        if (minuteMs !== undefined && Math.abs(startMs - minuteMs) >= 2 * MINUTE_MS) return true;
      }
    } catch {
      // A disk that cannot be read may have anything.
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
    case 'state':
      return { fault: 'deletion_held_state', facts: {} };
  }
}

/** A small file that is replaced as a whole, one write after the other; the newest text wins. */
class StateFile {
  readonly #path: string;
  readonly #failed: (error: unknown) => void;
  #next: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(path: string, failed: (error: unknown) => void) {
    this.#path = path;
    this.#failed = failed;
  }

  /** Its text; undefined where there is no file. One that cannot be read is like a damaged one. */
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
