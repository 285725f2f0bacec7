import { createHash, createPublicKey, sign } from 'node:crypto';
import {
  AS_RUN_FIELDS,
  type AsRunField,
  type AsRunObject,
} from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { LogCondition, LogQuery } from '../../../src-preload/contract/api/log-query.ts';
import type { AsRunOnThread } from '../../db/thread/as-run-on-thread.ts';
import { csvCell, csvLine } from '../csv.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';
import { every } from '../../lib/timers.ts';
import { canonicalJson } from '../../subscribers/canonical-json.ts';

/** Where the log lies. */
type AsRunStore = Pick<AsRunOnThread, 'write' | 'rows' | 'count' | 'removeBefore'>;

/** What the log works with. */
export interface AsRunLogOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the store where it is not open. */
  readonly store: () => Promise<AsRunStore>;
  /** Whether there is a log already: none is made to shorten it. */
  readonly isMade: () => boolean;
  /** The private key with which exports are signed, PEM (PKCS #8). */
  readonly signingKey: () => Promise<string>;
  /** How long rows are kept, in milliseconds. */
  readonly keptMs: () => number;
}

/** What was shown is written so often, in milliseconds. */
const WRITE_MS = 1000;
/** Rows that wait at most; of more the newest are lost, and counted. */
const MAX_WAITING = 100_000;
/** Rows of one transaction. */
const MAX_TOGETHER = 2000;
/** How often rows that are too old are removed, in milliseconds. */
const REMOVE_MS = 600_000;
/** Rows of an export that are read at once: few enough for one turn of the server. */
const READ_AT_ONCE = 200;

/** The log of advertisements: what went to which viewer. Nothing on the way of the media waits for it. */
export class AsRunLog {
  readonly #options: AsRunLogOptions;
  readonly #waiting = new Map<string, AsRunObject>();
  readonly #stops: readonly (() => void)[];
  #writing: Promise<void> = Promise.resolve();
  #lostRows = 0;
  #hasFailed = false;

  constructor(options: AsRunLogOptions) {
    this.#options = options;
    const { clock } = options;
    this.#stops = [
      every(clock, WRITE_MS, async () => this.write()),
      every(clock, REMOVE_MS, async () => this.#removeOld()),
    ];
  }

  /** Rows that were lost because the disk did not take them in time. */
  get lostRows(): number {
    return this.#lostRows;
  }

  /** Notes a showing, or what it is now. Written within a second. */
  record(row: AsRunObject): void {
    if (!this.#waiting.has(row.id) && this.#waiting.size >= MAX_WAITING) {
      this.#lostRows++;
      return;
    }
    this.#waiting.set(row.id, row);
  }

  /** Writes what waits. Never rejects: what the disk does not take waits for the next time. */
  async write(): Promise<void> {
    this.#writing = this.#writing.then(async () => this.#writeAll());
    await this.#writing;
  }

  /** Rows in the order of the query, with what was recorded up to now. */
  async rows(query: LogQuery<AsRunField>): Promise<readonly AsRunObject[]> {
    await this.write();
    return (await this.#store()).rows(query);
  }

  /** How many rows there are, counted up to 100 000. */
  async count(conditions: readonly LogCondition<AsRunField>[]): Promise<number> {
    return (await this.#store()).count(conditions);
  }

  /** The key that verifies exports, PEM (SPKI). */
  async publicKey(): Promise<string> {
    return createPublicKey(await this.#options.signingKey())
      .export({ type: 'spki', format: 'pem' })
      .toString();
  }

  /** Rows as JSON Lines, or as CSV (RFC 4180) with a line of names, oldest first; the last line is their proof. */
  async *export(format: 'jsonl' | 'csv', conditions: readonly LogCondition<AsRunField>[]): AsyncGenerator<string> {
    const hash = createHash('sha256');
    let rows = 0;
    if (format === 'csv') {
      const head = `${AS_RUN_FIELDS.join(',')}\r\n`;
      hash.update(head);
      yield head;
    }
    for await (const portion of this.#portions(conditions)) {
      const text = portion.map(format === 'csv' ? csvRow : jsonLine).join('');
      rows += portion.length;
      hash.update(text);
      yield text;
    }
    const facts = { rows, sha256: hash.digest('hex'), signed_at: this.#options.clock.now() };
    const signature = sign(null, Buffer.from(canonicalJson(facts)), await this.#options.signingKey()).toString(
      'base64',
    );
    const proof = JSON.stringify({ ...facts, signature });
    yield format === 'csv' ? `proof,${csvCell(proof)}${','.repeat(AS_RUN_FIELDS.length - 2)}\r\n` : `${proof}\n`;
  }

  /** Writes what waits; nothing is taken after that. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.write();
  }

  async *#portions(conditions: readonly LogCondition<AsRunField>[]): AsyncGenerator<readonly AsRunObject[]> {
    let after: LogQuery<AsRunField>['after'];
    for (;;) {
      const rows = await this.rows({
        conditions,
        isDescending: false,
        limit: READ_AT_ONCE,
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
        if (rows.length >= MAX_TOGETHER) break;
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
      // What was recorded again meanwhile is written again.
      for (const row of rows) if (this.#waiting.get(row.id) === row) this.#waiting.delete(row.id);
    }
  }

  async #removeOld(): Promise<void> {
    const { clock, keptMs, store, log, isMade } = this.#options;
    if (!isMade()) return;
    try {
      const opened = await store();
      while ((await opened.removeBefore(clock.now() - keptMs())) > 0);
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

function jsonLine(row: AsRunObject): string {
  return `${JSON.stringify(row)}\n`;
}

function csvRow(row: AsRunObject): string {
  return csvLine(AS_RUN_FIELDS.map((name) => String(row[name] ?? '')));
}
