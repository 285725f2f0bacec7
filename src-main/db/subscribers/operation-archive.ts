import { closeSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Operation } from '../../../src-preload/contract/api/operation-object.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { LogRecord } from '../../subscribers/log-verifier.ts';
import { firstIdOf } from '../../subscribers/snowflake.ts';
import type { Connection } from '../database.ts';
import { operationOf, recordOf, type OperationRow } from './subscriber-rows.ts';

const BLOCK_RECORDS = 64;
/** Blocks that are moved at once: few enough for one turn of the thread. */
const MOST_BLOCKS = 8;
/** A block is never larger, unpacked: what a damaged file says is not believed. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Unpacked blocks that are remembered. */
const MOST_KNOWN = 8;

/** What a record of an archive file is found by. */
interface BlockRow {
  readonly last_id: bigint;
  readonly first_sequence: bigint;
  readonly file: string;
  readonly offset: bigint;
  readonly length: bigint;
}

/**
 * Archive files of the log: what is old goes there, and its row stays behind as an index, with id, filters and hash but no payload. A file has the records of a
 * portal that begin in one month, as blocks that are gzip members of JSON Lines, the same as in an export; all members together are one gzip file.
 */
export class OperationArchive {
  readonly #folder: string;
  readonly #blockRecords: number;
  readonly #connection: Connection;
  readonly #blockOf;
  readonly #known = new Map<string, readonly string[]>();

  /**
   * @param folder where the files are; made when the first is written
   * @param blockRecords records of a block, default 64: one of them is read by unpacking all
   */
  constructor(connection: Connection, folder: string, blockRecords = BLOCK_RECORDS) {
    this.#blockRecords = blockRecords;
    this.#connection = connection;
    this.#folder = folder;
    this.#blockOf = connection
      .prepare<[bigint, bigint], BlockRow>(
        'SELECT * FROM operation_block WHERE portal_id = ? AND last_id >= ? ORDER BY last_id LIMIT 1',
      )
      .safeIntegers();
  }

  /** A record as it is shown, wherever its payload is. Raises `unavailable` where its file is missing or damaged. */
  operationOf(row: OperationRow): Operation {
    if (row.payload !== '') return operationOf(row);
    const block = this.#blockOf.get(row.portal_id, row.id);
    if (!block) throw new AirdeskError('unavailable', 'An operation is in no archive file');
    const line = this.#linesOf(block)[Number(row.sequence - block.first_sequence)];
    if (line === undefined) throw new AirdeskError('unavailable', `The archive file ${block.file} is too short`);
    // It was written below.
    const { payload } = (JSON.parse(line) as LogRecord).operation;
    // All else is in the row, and the hash of the row vouches for the payload.
    return operationOf({ ...row, payload: JSON.stringify(payload) });
  }

  /**
   * Moves some of the contents that are older than a time, of one portal, in whole blocks: into a file, on the disk, and only then out of the table. What a
   * crash leaves behind the last block of a file is written over. @returns how many records were moved; 0 where there is nothing to do
   */
  move(beforeMs: number): number {
    const portals = this.#connection.prepare<[], bigint>('SELECT id FROM portal ORDER BY id').pluck().safeIntegers();
    for (const portal of portals.all()) {
      const moved = this.#moveOf(portal, firstIdOf(beforeMs));
      if (moved > 0) return moved;
    }
    return 0;
  }

  #moveOf(portal: bigint, beforeId: bigint): number {
    const done = this.#connection
      .prepare<[bigint], bigint | null>('SELECT max(last_id) FROM operation_block WHERE portal_id = ?')
      .pluck()
      .safeIntegers()
      .get(portal);
    const rows = this.#connection
      .prepare<[bigint, bigint, bigint, number], OperationRow>(
        'SELECT * FROM operation WHERE portal_id = ? AND id > ? AND id < ? ORDER BY id LIMIT ?',
      )
      .safeIntegers()
      .all(portal, done ?? -1n, beforeId, this.#blockRecords * MOST_BLOCKS);
    const blocks: OperationRow[][] = [];
    for (let at = 0; at + this.#blockRecords <= rows.length; at += this.#blockRecords)
      blocks.push(rows.slice(at, at + this.#blockRecords));
    const first = blocks[0]?.[0];
    if (!first) return 0;
    const month = operationOf(first).createdAt.slice(0, 7);
    // Ids as they are printed differ by case alone, which not every file system sees.
    const file = `${portal.toString(16).padStart(16, '0')}-${month}.jsonl.gz`;
    this.#connection.transaction(() => {
      this.#append(portal, file, blocks);
    })();
    return blocks.length * this.#blockRecords;
  }

  #append(portal: bigint, file: string, blocks: readonly (readonly OperationRow[])[]): void {
    const add = this.#connection.prepare(
      `INSERT INTO operation_block (portal_id, last_id, first_sequence, file, offset, length) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    const strip = this.#connection.prepare(
      `UPDATE operation SET payload = '' WHERE portal_id = ? AND id >= ? AND id <= ?`,
    );
    const end = this.#connection
      .prepare<[string], number | null>('SELECT max(offset + length) FROM operation_block WHERE file = ?')
      .pluck()
      .get(file);
    let offset = end ?? 0;
    const packed: Uint8Array[] = [];
    for (const rows of blocks) {
      const [first, last] = [rows[0], rows.at(-1)];
      if (!first || !last) continue;
      const bytes = gzipSync(rows.map((row) => `${JSON.stringify(recordOf(row, operationOf(row)))}\n`).join(''));
      packed.push(bytes);
      add.run(portal, last.id, first.sequence, file, offset, bytes.length);
      strip.run(portal, first.id, last.id);
      offset += bytes.length;
    }
    this.#write(file, end ?? 0, Buffer.concat(packed));
  }

  #write(file: string, offset: number, bytes: Uint8Array): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, file);
    const handle = openSync(path, offset === 0 ? 'w' : 'r+', 0o600);
    try {
      if (fstatSync(handle).size < offset)
        throw new AirdeskError('unavailable', `The archive file ${file} is too short: restore it from a copy`);
      ftruncateSync(handle, offset);
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at, bytes.length - at, offset + at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (offset === 0) flushFolder(this.#folder);
  }

  #linesOf({ file, offset, length }: BlockRow): readonly string[] {
    const key = `${file} ${offset}`;
    const known = this.#known.get(key);
    if (known) return known;
    const lines = this.#read(file, Number(offset), Number(length)).split('\n');
    this.#known.set(key, lines);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
    return lines;
  }

  #read(file: string, offset: number, length: number): string {
    try {
      const handle = openSync(join(this.#folder, file), 'r');
      try {
        const bytes = Buffer.alloc(length);
        readSync(handle, bytes, 0, length, offset);
        return gunzipSync(bytes, { maxOutputLength: MOST_BYTES }).toString();
      } finally {
        closeSync(handle);
      }
    } catch (error) {
      throw new AirdeskError(
        'unavailable',
        `The archive file ${file} is missing or damaged, restore it from a copy: ${messageOf(error).split(',')[0] ?? ''}`,
        {},
        { cause: error },
      );
    }
  }
}

/** The entry of a new file is on the disk, too. */
function flushFolder(folder: string): void {
  // Windows opens no folders, and keeps entries by its journal.
  if (process.platform === 'win32') return;
  for (const path of [folder, join(folder, '..')]) {
    const handle = openSync(path, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  }
}
