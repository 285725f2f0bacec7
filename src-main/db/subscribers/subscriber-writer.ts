import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { SnowflakeIds } from '../../subscribers/snowflake.ts';
import type { SubscriberWrite, WriteResult } from '../../subscribers/subscriber-write.ts';
import type { Connection } from '../database.ts';
import { commandWriter } from './command-writer.ts';
import { digestWriter } from './log-digests.ts';
import { operationLog } from './operation-log.ts';
import { SubscriberWrites } from './subscriber-writes.ts';
import { portalWriter } from './portal-writer.ts';
import { viewerTokenWriter } from './viewer-tokens.ts';
import { webhookWriter } from './webhook-writer.ts';
import type { SubscriberReader } from './subscriber-reader.ts';

/** Writes all data of subscribers: each change, with its operations, in one transaction. */
export class SubscriberWriter {
  readonly #batch: (batch: string, writes: readonly SubscriberWrite[]) => readonly WriteResult[];

  constructor(connection: Connection, reader: SubscriberReader) {
    const last = connection.prepare<[], bigint>('SELECT last FROM id_state').pluck().safeIntegers().get();
    const ids = new SnowflakeIds(last ?? 0n);
    const writes = new SubscriberWrites(connection);
    const log = operationLog(connection);
    const command = commandWriter(connection, reader, ids, log);
    const signDigests = digestWriter(connection);
    const changePortal = portalWriter(connection, (nowMs) => ids.next(nowMs));
    const changeWebhook = webhookWriter(connection, (nowMs) => ids.next(nowMs));
    const changeToken = viewerTokenWriter(connection, (nowMs) => ids.next(nowMs));
    const before = connection.prepare<[string], string>('SELECT results FROM last_batch WHERE batch = ?').pluck();
    const keepBatch = connection.prepare('INSERT OR REPLACE INTO last_batch (id, batch, results) VALUES (1, ?, ?)');
    const keepLast = connection.prepare('UPDATE id_state SET last = ?');
    // The inner transaction is a savepoint, so SQLite undoes a change that is refused halfway.
    const other = connection.transaction(
      (write: Exclude<SubscriberWrite, { readonly kind: 'command' }>): WriteResult => {
        if (write.kind === 'digests') {
          signDigests(write.privateKey, write.nowMs);
          return { ok: true, object: null, isNew: false, isReplayed: false };
        }
        if (write.kind === 'viewer-token') {
          const object = changeToken(write.change, write.nowMs);
          return { ok: true, object, isNew: write.change.type === 'createToken', isReplayed: false };
        }
        if (write.kind === 'webhook') {
          const object = changeWebhook(write.change, write.nowMs);
          return { ok: true, object, isNew: write.change.type === 'createWebhook', isReplayed: false };
        }
        const { object, isNew } = changePortal(write.change, write.nowMs);
        return { ok: true, object, isNew, isReplayed: false };
      },
    );
    const one = (write: SubscriberWrite): WriteResult => {
      if (write.kind === 'command') return writes.once(write, () => command(write));
      // Changes of portals read the row of the portal, which contains the end of its chain.
      log.end();
      return other(write);
    };
    this.#batch = connection.transaction(
      (batch: string, writes: readonly SubscriberWrite[]): readonly WriteResult[] => {
        const earlier = before.get(batch);
        // The text is the list of results that this transaction stored.
        if (earlier !== undefined) return JSON.parse(earlier) as readonly WriteResult[];
        log.begin();
        const results = writes.map((write): WriteResult => {
          try {
            return one(write);
          } catch (error) {
            if (!(error instanceof AirdeskError)) throw error;
            return { ok: false, error: error.toValue() };
          }
        });
        log.end();
        keepBatch.run(batch, JSON.stringify(results));
        keepLast.run(ids.last);
        return results;
      },
    );
  }

  /**
   * Executes changes in order, each separately, in one transaction that is on the disk when this returns. If it
   * raises an error of SQLite, no change was made.
   * @param batch identifies these changes: a repeated batch gives the same results and changes nothing
   */
  write(batch: string, writes: readonly SubscriberWrite[]): readonly WriteResult[] {
    return this.#batch(batch, writes);
  }
}
