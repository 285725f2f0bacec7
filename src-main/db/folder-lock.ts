import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { isoTime } from '../lib/clock.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

export interface FolderLockOptions {
  readonly log: Log;
  /** Epoch milliseconds; written to the lock file as the start of the lock. */
  readonly now: () => number;
}

const holderSchema = z.object({ pid: z.int(), since: z.string().max(40) });

/**
 * Prevents a second server from using a data folder. The lock is SQLite's lock on a file of its own: the system
 * releases it when the process ends for any reason, and it also works between threads. Another file beside it names
 * the holder.
 */
export class FolderLock {
  readonly #file: Sqlite.Database | undefined;
  readonly #holderPath: string;

  private constructor(file: Sqlite.Database | undefined, holderPath: string) {
    this.#file = file;
    this.#holderPath = holderPath;
  }

  /**
   * Locks a folder. Raises `data_folder_in_use`. If the lock file cannot be created, this is logged and the folder is
   * used without a lock.
   */
  static acquire(folder: string, { log, now }: FolderLockOptions): FolderLock {
    const holderPath = join(folder, 'airdesk.pid');
    let file: Sqlite.Database | undefined;
    try {
      file = new Sqlite(join(folder, 'airdesk.lock'), { timeout: 0 });
      // Nothing is ever written: the transaction is the lock.
      file.exec('BEGIN EXCLUSIVE');
    } catch (cause) {
      file?.close();
      if (cause instanceof Sqlite.SqliteError && cause.code.startsWith('SQLITE_BUSY')) throw inUse(folder, holderPath);
      log.warn('the data folder cannot be locked; a second server on it would not be noticed', {
        folder,
        error: messageOf(cause),
      });
      return new FolderLock(undefined, holderPath);
    }
    noteHolder(holderPath, now());
    return new FolderLock(file, holderPath);
  }

  /** Unlocks the folder. */
  close(): void {
    if (!this.#file?.open) return;
    rmSync(this.#holderPath, { force: true });
    this.#file.close();
  }
}

/**
 * Writes the holder to a file, which other servers read for their error message. If that fails, the lock still works.
 */
function noteHolder(path: string, nowMs: number): void {
  try {
    const holder = { pid: process.pid, since: isoTime(nowMs) };
    writeFileSync(path, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch {
    return;
  }
}

function inUse(folder: string, holderPath: string): AirdeskError {
  const holder = readHolder(holderPath);
  const who = holder ? `process ${holder.pid}, since ${holder.since}` : 'the process did not leave its number';
  return new AirdeskError(
    'data_folder_in_use',
    `The data folder ${folder} is used by another Airdesk server (${who}). Stop that server, or start this one with another folder (--data)`,
    { folder, ...holder },
  );
}

function readHolder(path: string): z.infer<typeof holderSchema> | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
