import { createPrivateKey } from 'node:crypto';
import { isoTime } from '../../lib/clock.ts';
import { digestHash, signDigest, type SignedDigest } from '../../subscribers/log-digest.ts';
import type { LogHead, LogRecord } from '../../subscribers/log-verifier.ts';
import { CHAIN_START } from '../../subscribers/hash-chain.ts';
import { firstIdOf, printId, timeOfId } from '../../subscribers/snowflake.ts';
import type { Connection } from '../database.ts';
import { operationOf, rowId } from '../subscriber-rows.ts';
import type { OperationTiers } from './tiers/operation-tiers.ts';

const HOUR_MS = 3_600_000;
/**
 * Maximum number of digests of a portal that are signed at once after a long downtime. The remaining digests are
 * signed later.
 */
const MAX_BATCH = 48;

interface LastDigest {
  readonly number: bigint;
  readonly to_ms: bigint;
  readonly signed: string;
}

/** Chain of the log, for proofs: its records with their hashes, and its digests. */
export class LogProof {
  readonly #connection: Connection;
  readonly #tiers: OperationTiers;

  constructor(connection: Connection, tiers: OperationTiers) {
    this.#connection = connection;
    this.#tiers = tiers;
  }

  /**
   * Readable records in order; the caller verifies that none is missing.
   *
   * @param afterId operation after which they start; empty for the first
   */
  records(portalId: string, afterId: string, limit: number): readonly LogRecord[] {
    return this.#tiers.readable(rowId(portalId), rowId(afterId), limit).map((row) => ({
      sequence: Number(row.sequence),
      hash: Buffer.from(row.hash).toString('hex'),
      operation: operationOf(isJson(row.payload) ? row : { ...row, payload: '{}' }),
    }));
  }

  /** End of the log, as stored with the portal; undefined if there is no such portal. */
  head(portalId: string): LogHead | undefined {
    const row = this.#connection
      .prepare<[bigint], { readonly chain_length: bigint; readonly chain_hash: Uint8Array }>(
        'SELECT chain_length, chain_hash FROM portal WHERE id = ?',
      )
      .safeIntegers()
      .get(rowId(portalId));
    return row && { head: Number(row.chain_length), hash: Buffer.from(row.chain_hash).toString('hex') };
  }

  /** Whether any portal has a digest. */
  hasDigests(): boolean {
    return this.#connection.prepare('SELECT 1 FROM log_digest LIMIT 1').get() !== undefined;
  }

  /** Digests in order. @param after number of the digest after which they start */
  digests(portalId: string, after: number, limit: number): readonly SignedDigest[] {
    const texts = this.#connection
      .prepare<[bigint, number, number], string>(
        'SELECT signed FROM log_digest WHERE portal_id = ? AND number > ? ORDER BY number LIMIT ?',
      )
      .pluck()
      .all(rowId(portalId), after, limit);
    // The texts are digests that `digestWriter` stored.
    return texts.map((text) => JSON.parse(text) as SignedDigest);
  }
}

/** Signs a digest of each portal for complete hours without one. Call inside a transaction. */
export function digestWriter(connection: Connection): (privateKey: string, nowMs: number) => void {
  const portals = connection.prepare<[], bigint>('SELECT id FROM portal ORDER BY id').pluck().safeIntegers();
  const last = connection
    .prepare<[bigint], LastDigest>(
      'SELECT number, to_ms, signed FROM log_digest WHERE portal_id = ? ORDER BY number DESC LIMIT 1',
    )
    .safeIntegers();
  const head = connection
    .prepare<[bigint, bigint], { readonly sequence: bigint; readonly hash: Uint8Array }>(
      'SELECT sequence, hash FROM operation WHERE portal_id = ? AND id < ? ORDER BY id DESC LIMIT 1',
    )
    .safeIntegers();
  // If all operations were moved to files, the chain continues from the last moved one. Only operations that a digest
  // covers are moved.
  const moved = connection
    .prepare<[bigint], { readonly sequence: bigint; readonly hash: Uint8Array }>(
      'SELECT moved_sequence AS sequence, moved_hash AS hash FROM portal WHERE id = ? AND moved_hash IS NOT NULL',
    )
    .safeIntegers();
  const insert = connection.prepare('INSERT INTO log_digest (portal_id, number, to_ms, signed) VALUES (?, ?, ?, ?)');
  return (privateKey, nowMs) => {
    const key = createPrivateKey(privateKey);
    const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    for (const portal of portals.all()) {
      let before = last.get(portal);
      let fromMs = before ? Number(before.to_ms) : Math.floor(timeOfId(portal) / HOUR_MS) * HOUR_MS;
      for (let count = 0; fromMs < endMs && count < MAX_BATCH; count++) {
        const toMs = fromMs + HOUR_MS;
        const newest = head.get(portal, firstIdOf(toMs)) ?? moved.get(portal);
        const number = Number(before?.number ?? 0) + 1;
        const digest = signDigest(
          {
            portalId: printId(portal),
            number,
            from: isoTime(fromMs),
            to: isoTime(toMs),
            lastSequence: Number(newest?.sequence ?? 0),
            headHash: Buffer.from(newest?.hash ?? CHAIN_START).toString('hex'),
            // The text is a digest that this function stored.
            previousHash: before ? digestHash(JSON.parse(before.signed) as SignedDigest) : '',
            signedAt: isoTime(nowMs),
          },
          key,
        );
        const signed = JSON.stringify(digest);
        insert.run(portal, number, toMs, signed);
        before = { number: BigInt(number), to_ms: BigInt(toMs), signed };
        fromMs = toMs;
      }
    }
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
