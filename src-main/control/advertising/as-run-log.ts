import { createHash, createPublicKey, sign } from 'node:crypto';
import {
  AS_RUN_FIELDS,
  type AsRunField,
  type AsRunObject,
} from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import { AirdeskError, type CallInput } from '../../../src-preload/contract/index.ts';
import type { LogCondition, LogQuery } from '../../../src-preload/contract/api/log-query.ts';
import type { AsRunOnThread } from '../../db/thread/as-run-on-thread.ts';
import { csvCell, csvLine } from '../../lib/csv.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import { DelayedWork, every } from '../../lib/timers.ts';
import { canonicalJson } from '../../subscribers/canonical-json.ts';

type AsRunQuery = CallInput<'ads.as_run'>;
/** Filter of the log, as the desk sends it. */
type AsRunFilter = Omit<AsRunQuery, 'limit' | 'before'>;
type AsRunStore = Pick<AsRunOnThread, 'write' | 'rows' | 'count' | 'removeBefore'>;

export interface AsRunLogOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the store if it is not open. */
  readonly store: () => Promise<AsRunStore>;
  /** Whether the log exists. The removal of old rows must not create it. */
  readonly exists: () => boolean;
  /** Private key for signing exports, PEM (PKCS #8). */
  readonly signingKey: () => Promise<string>;
  /** Time for which rows are stored, in milliseconds. */
  readonly retentionMs: () => number;
}

/** Delay of a write after the first row, and of the next attempt, in milliseconds. */
const WRITE_MS = 1000;
/** Maximum number of waiting rows. Above it, new rows are lost and counted. */
const MAX_WAITING = 100_000;
/** Maximum number of rows in a transaction. */
const MAX_BATCH = 2000;
/** Interval between two removals of old rows, in milliseconds. */
const REMOVE_MS = 600_000;
/** Number of rows of an export that are read at once: few enough for one turn of the server. */
const READ_BATCH = 200;

/** Log of advertisements sent to viewers. Nothing on the media path waits for it. */
export class AsRunLog {
  readonly #options: AsRunLogOptions;
  readonly #waiting = new Map<string, AsRunObject>();
  readonly #writes: DelayedWork;
  readonly #stopRemovals: () => void;
  #writing: Promise<void> = Promise.resolve();
  #lostRows = 0;
  #hasFailed = false;

  constructor(options: AsRunLogOptions) {
    this.#options = options;
    const { clock } = options;
    this.#writes = new DelayedWork(clock, WRITE_MS, () => void this.write());
    this.#stopRemovals = every(clock, REMOVE_MS, async () => this.#removeOld());
  }

  /** Number of rows that were lost because the disk was too slow. */
  get lostRows(): number {
    return this.#lostRows;
  }

  /** Records a showing, or its new state. Written within a second. */
  record(row: AsRunObject): void {
    if (!this.#waiting.has(row.id) && this.#waiting.size >= MAX_WAITING) {
      this.#lostRows++;
      return;
    }
    this.#waiting.set(row.id, row);
    this.#writes.schedule();
  }

  /** Writes the waiting rows. Never rejects: rows that the disk refuses are written the next time. */
  async write(): Promise<void> {
    this.#writing = this.#writing.then(async () => this.#writeAll());
    await this.#writing;
    if (this.#waiting.size > 0) this.#writes.schedule();
  }

  /** Rows in the order of the query, including all rows that were recorded so far. */
  async rows(query: LogQuery<AsRunField>): Promise<readonly AsRunObject[]> {
    await this.write();
    return (await this.#store()).rows(query);
  }

  /**
   * Rows that match the filters of the desk, newest first, and their number.
   *
   * @param scope conditions that limit the rows to the caller's streams
   */
  async page(
    { limit, before, ...filter }: AsRunQuery,
    scope: readonly LogCondition<AsRunField>[] = [],
  ): Promise<{ rows: AsRunObject[]; count: number }> {
    const conditions = conditionsOf(filter, scope);
    const after = before && { atMs: before.sent_at, id: before.id, isInclusive: false };
    const rows = await this.rows({ conditions, isDescending: true, limit, ...(after ? { after } : {}) });
    return { rows: [...rows], count: await this.count(conditions) };
  }

  /** Number of rows, counted up to 100 000. */
  async count(conditions: readonly LogCondition<AsRunField>[]): Promise<number> {
    return (await this.#store()).count(conditions);
  }

  /** Key for verifying exports, PEM (SPKI). */
  async publicKey(): Promise<string> {
    return createPublicKey(await this.#options.signingKey())
      .export({ type: 'spki', format: 'pem' })
      .toString();
  }

  /**
   * Rows as JSON Lines, or as CSV (RFC 4180) with a header line, oldest first; the last line signs all lines before it.
   * Raises `key_lost` before the first line.
   */
  async export(
    format: 'jsonl' | 'csv',
    conditions: readonly LogCondition<AsRunField>[],
  ): Promise<AsyncGenerator<string>> {
    return this.#lines(format, conditions, format === 'csv' ? csvRow : jsonLine, await this.#options.signingKey());
  }

  /** Like `export`, with the filters of the desk. @param scope conditions that limit the rows to the caller's streams */
  async exportFiltered(
    format: 'jsonl' | 'csv',
    filter: AsRunFilter,
    scope: readonly LogCondition<AsRunField>[],
  ): Promise<AsyncGenerator<string>> {
    return this.export(format, conditionsOf(filter, scope));
  }

  async *#lines(
    format: 'jsonl' | 'csv',
    conditions: readonly LogCondition<AsRunField>[],
    print: (row: AsRunObject) => string,
    signingKey: string,
  ): AsyncGenerator<string> {
    const hash = createHash('sha256');
    let rows = 0;
    if (format === 'csv') {
      const head = `${AS_RUN_FIELDS.join(',')}\r\n`;
      hash.update(head);
      yield head;
    }
    for await (const batch of this.#pages(conditions)) {
      const text = batch.map(print).join('');
      rows += batch.length;
      hash.update(text);
      yield text;
    }
    const facts = { rows, sha256: hash.digest('hex'), signed_at: this.#options.clock.now() };
    const signature = sign(null, Buffer.from(canonicalJson(facts)), signingKey).toString('base64');
    const proof = JSON.stringify({ ...facts, signature });
    yield format === 'csv' ? `proof,${csvCell(proof)}${','.repeat(AS_RUN_FIELDS.length - 2)}\r\n` : `${proof}\n`;
  }

  /** Writes the waiting rows. Later rows are not accepted. */
  async close(): Promise<void> {
    this.#stopRemovals();
    await this.write();
    this.#writes.cancel();
  }

  async *#pages(conditions: readonly LogCondition<AsRunField>[]): AsyncGenerator<readonly AsRunObject[]> {
    let after: LogQuery<AsRunField>['after'];
    for (;;) {
      const rows = await this.rows({
        conditions,
        isDescending: false,
        limit: READ_BATCH,
        ...(after ? { after } : {}),
      });
      const last = rows.at(-1);
      if (!last) return;
      yield rows;
      after = { atMs: last.sent_at, id: last.id, isInclusive: false };
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const rows: AsRunObject[] = [];
      for (const row of this.#waiting.values()) {
        rows.push(row);
        if (rows.length >= MAX_BATCH) break;
      }
      try {
        await (await this.#options.store()).write(rows);
      } catch (error) {
        if (!this.#hasFailed)
          this.#options.log.error('the log of advertisements cannot be written', { error: messageOf(error) });
        this.#hasFailed = true;
        return;
      }
      this.#hasFailed = false;
      // Rows that changed during the write stay in the queue and are written again.
      for (const row of rows) if (this.#waiting.get(row.id) === row) this.#waiting.delete(row.id);
    }
  }

  async #removeOld(): Promise<void> {
    const { clock, retentionMs, store, log, exists } = this.#options;
    if (!exists()) return;
    try {
      const opened = await store();
      while ((await opened.removeBefore(clock.now() - retentionMs())) > 0);
    } catch (error) {
      log.error('the log of advertisements cannot be shortened', { error: messageOf(error) });
    }
  }

  async #store(): Promise<AsRunStore> {
    try {
      return await this.#options.store();
    } catch (error) {
      throw new AirdeskError('unavailable', `The log of advertisements cannot be read: ${messageOf(error)}`);
    }
  }
}

function conditionsOf(
  { from, to, stream, ...prefixes }: AsRunFilter,
  scope: readonly LogCondition<AsRunField>[],
): LogCondition<AsRunField>[] {
  const conditions = [...scope];
  if (from !== undefined) conditions.push({ field: 'sent_at', operator: 'gte', values: [from] });
  if (to !== undefined) conditions.push({ field: 'sent_at', operator: 'lt', values: [to] });
  if (stream !== undefined) conditions.push({ field: 'stream', operator: 'in', values: [stream] });
  for (const field of ['path', 'session_id', 'user_id'] as const) {
    const prefix = prefixes[field];
    if (prefix !== undefined) conditions.push({ field, operator: 'like', values: [prefix] });
  }
  return conditions;
}

function jsonLine(row: AsRunObject): string {
  return `${JSON.stringify(row)}\n`;
}

function csvRow(row: AsRunObject): string {
  return csvLine(AS_RUN_FIELDS.map((name) => String(row[name] ?? '')));
}
