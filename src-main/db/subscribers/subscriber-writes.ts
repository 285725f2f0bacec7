import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { SubscriberWrite, WriteResult } from '../../subscribers/subscriber-write.ts';
import type { Connection } from '../database.ts';
import { rowId } from '../subscriber-rows.ts';

type Done = Extract<WriteResult, { readonly ok: true }>;

/** Time for which a result is stored, in milliseconds. */
const KEEP_MS = 86_400_000;
/**
 * Number of expired results that are dropped with each new one. More than one, so that expired results do not
 * accumulate.
 */
const DROPPED_PER_WRITE = 4;

/** Results of changes with an `Idempotency-Key`, kept for 24 hours. They are stored in the transaction of the change itself. */
export class SubscriberWrites {
  readonly #find: (
    portalId: bigint,
    key: string,
    nowMs: number,
  ) => { readonly fingerprint: string; readonly result: string } | undefined;
  readonly #keep: (portalId: bigint, key: string, fingerprint: string, nowMs: number, result: string) => void;

  constructor(connection: Connection) {
    const find = connection.prepare<
      [bigint, string, number],
      { readonly fingerprint: string; readonly result: string }
    >('SELECT fingerprint, result FROM write_result WHERE portal_id = ? AND key = ? AND until_ms > ?');
    const keep = connection.prepare(
      'INSERT OR REPLACE INTO write_result (portal_id, key, fingerprint, until_ms, result) VALUES (?, ?, ?, ?, ?)',
    );
    const forget = connection.prepare(
      `DELETE FROM write_result WHERE (portal_id, key) IN
         (SELECT portal_id, key FROM write_result WHERE until_ms <= ? ORDER BY until_ms LIMIT ${DROPPED_PER_WRITE})`,
    );
    this.#find = (...at) => find.get(...at);
    this.#keep = (portalId, key, fingerprint, nowMs, result) => {
      forget.run(nowMs);
      keep.run(portalId, key, fingerprint, nowMs + KEEP_MS, result);
    };
  }

  /**
   * Executes a change once for each key. Raises `idempotency_key_reused` if the key was used for another request.
   * Failures are not stored.
   */
  once({ portalId, idempotency, nowMs }: SubscriberWrite & { readonly kind: 'command' }, make: () => Done): Done {
    if (!idempotency) return make();
    const { key, fingerprint } = idempotency;
    const portal = rowId(portalId);
    const earlier = this.#find(portal, key, nowMs);
    if (earlier) {
      if (earlier.fingerprint !== fingerprint)
        throw new AirdeskError('idempotency_key_reused', 'This Idempotency-Key was already used with another request', {
          parameter: 'Idempotency-Key',
        });
      // The text is a result that `once` stored.
      return { ...(JSON.parse(earlier.result) as Done), isReplayed: true };
    }
    const result = make();
    this.#keep(portal, key, fingerprint, nowMs, JSON.stringify(result));
    return result;
  }
}
