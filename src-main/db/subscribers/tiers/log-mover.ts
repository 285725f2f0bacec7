import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AirdeskError } from '../../../../src-preload/contract/errors.ts';
import { firstIdOf, timeOfId } from '../../../subscribers/snowflake.ts';
import type { LogRetention } from '../../../subscribers/subscriber-write.ts';
import type { Connection } from '../../database.ts';
import type { OperationRow } from '../../subscriber-rows.ts';
import { firstIdAfter, monthOf, type LogFiles } from './log-files.ts';

/** Suffixes of all files of a SQLite database. */
const COMPANIONS = ['', '-wal', '-shm'];
/** Number of records that are moved in one step, and packed together. */
const BATCH_SIZE = 100;
/** Number of chunks that are repacked in one step. */
const CHUNK_BATCH = 4;

/**
 * Moves operations out of the database into files of months, and old files into the cold folder. Each step is short, and may be
 * interrupted anywhere: a record is in its file, on the disk, before it leaves the database, and a file is complete in the cold
 * folder before it leaves the warm one.
 */
export class LogMover {
  readonly #connection: Connection;
  readonly #files: LogFiles;
  /** Cold files that were still incomplete after a first copy, because the source changed, and are copied once more. */
  readonly #repacked = new Set<string>();

  constructor(connection: Connection, files: LogFiles) {
    this.#connection = connection;
    this.#files = files;
  }

  /** Runs one step. Returns whether there is more to do. */
  step({ nowMs, hotMs, warmMs, coldFolder }: LogRetention): boolean {
    return this.#moveRecords(firstIdOf(nowMs - hotMs)) || this.#moveMonth(nowMs - warmMs, coldFolder);
  }

  #moveRecords(beforeId: bigint): boolean {
    // Operations without a digest stay, because digests are computed from the database.
    const signed = this.#connection
      .prepare<[], { readonly portal_id: bigint; readonly to_ms: bigint }>(
        `SELECT p.id AS portal_id, d.to_ms FROM portal p CROSS JOIN log_digest d ON d.portal_id = p.id
           AND d.number = (SELECT number FROM log_digest WHERE portal_id = p.id ORDER BY number DESC LIMIT 1)`,
      )
      .safeIntegers()
      .all();
    const isDue = this.#connection
      .prepare<[bigint, bigint], number>('SELECT 1 FROM operation WHERE portal_id = ? AND id < ? LIMIT 1')
      .pluck();
    const due = signed
      .map(({ portal_id: id, to_ms: toMs }) => ({ portal: id, before: least(beforeId, firstIdOf(Number(toMs))) }))
      .find((one) => isDue.get(one.portal, one.before) !== undefined);
    if (!due) return false;
    const { portal, before } = due;
    const oldest = this.#connection
      .prepare<[bigint, bigint, number], OperationRow>(
        'SELECT * FROM operation WHERE portal_id = ? AND id < ? ORDER BY id LIMIT ?',
      )
      .safeIntegers()
      .all(portal, before, BATCH_SIZE);
    const [first] = oldest;
    if (!first) return false;
    const month = monthOf(timeOfId(first.id));
    const end = firstIdAfter(month);
    const rows = oldest.filter(({ id }) => id < end);
    const moved = this.#connection
      .prepare<[bigint], bigint>('SELECT moved_id FROM portal WHERE id = ?')
      .safeIntegers()
      .pluck()
      .get(portal);
    this.#files.writableFile(month).add(portal, rows, moved ?? 0n, 'quick');
    const last = rows.at(-1) ?? first;
    this.#connection.transaction(() => {
      this.#connection
        .prepare('UPDATE portal SET moved_id = ?, moved_sequence = ?, moved_hash = ? WHERE id = ?')
        .run(last.id, last.sequence, last.hash, portal);
      this.#connection.prepare('DELETE FROM operation WHERE portal_id = ? AND id <= ?').run(portal, last.id);
    })();
    return true;
  }

  #moveMonth(beforeMs: number, folder: string): boolean {
    const month = this.#files.oldestWarm(beforeMs);
    if (month === undefined) return false;
    const [from, to] = [this.#files.path(month), this.#files.path(month, folder)];
    if (isSameFile(from, to)) {
      this.#files.setCold(month, to);
      return true;
    }
    // A file that an operator put into the cold folder is accepted.
    if ((existsSync(from) || !existsSync(to)) && !this.#copy(from, to)) return true;
    this.#files.setCold(month, to);
    this.#files.release(from);
    for (const end of COMPANIONS) rmSync(from + end, { force: true });
    return true;
  }

  /** Repacks the next chunks of a month. Returns whether the file is complete and in its place. */
  #copy(from: string, to: string): boolean {
    if (!existsSync(from)) throw damaged(from, 'it is not there');
    const unfinished = `${to}.part`;
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    // The last move was interrupted after its end. Operations may have been added to the month since then.
    if (existsSync(to)) renameSync(to, unfinished);
    let isComplete = false;
    const [source, target] = [this.#files.openUncached(from), this.#files.openUncached(unfinished)];
    try {
      const chunks = source.chunks(target.lastChunk(), CHUNK_BATCH);
      target.addChunks(chunks, 'small');
      if (chunks.length === CHUNK_BATCH) return false;
      isComplete = target.fingerprint() === source.fingerprint();
    } finally {
      source.close();
      target.close();
    }
    if (!isComplete) {
      if (this.#repacked.has(to)) throw damaged(from, 'its index does not have what its chunks have');
      // The source has replaced chunks that were already copied.
      this.#repacked.add(to);
      for (const end of COMPANIONS) rmSync(unfinished + end, { force: true });
      return false;
    }
    renameSync(unfinished, to);
    const folderHandle = openSync(dirname(to), 'r');
    fsyncSync(folderHandle);
    closeSync(folderHandle);
    return true;
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** Whether two paths lead to one file, for example if both folders are the same. */
function isSameFile(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) return false;
  const [a, b] = [statSync(one), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

function damaged(path: string, why: string): AirdeskError {
  return new AirdeskError('database_unavailable', `${path} is damaged: ${why}`);
}
