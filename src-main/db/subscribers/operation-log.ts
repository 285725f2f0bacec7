import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import { canonicalJson } from '../../subscribers/canonical-json.ts';
import { chainHash } from '../../subscribers/hash-chain.ts';
import { rowId, typeNumber } from '../subscriber-rows.ts';
import type { Connection } from '../database.ts';

/** Last record of the chain of a portal. */
interface ChainHead {
  readonly length: number;
  readonly hash: Uint8Array;
}

/** Log of all portals within one transaction. */
export interface OperationLog {
  /**
   * Forgets the cached ends of the chains at the start of a transaction, because the previous transaction may have
   * been rolled back.
   */
  begin(): void;
  /** Appends an operation to the log of its portal, with its hash in the chain. */
  append(operation: Operation): void;
  /** Stores the chain ends at the end of the transaction. */
  end(): void;
}

/** Opens the log for appending. Call inside the transaction of the changes. */
export function operationLog(connection: Connection): OperationLog {
  const readHead = connection.prepare<[bigint], { readonly chain_length: number; readonly chain_hash: Uint8Array }>(
    'SELECT chain_length, chain_hash FROM portal WHERE id = ?',
  );
  const writeHead = connection.prepare('UPDATE portal SET chain_length = ?, chain_hash = ? WHERE id = ?');
  const insert = connection.prepare(
    'INSERT INTO operation (portal_id, id, type, subscriber_id, package_id, sequence, payload, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const heads = new Map<string, ChainHead>();
  const headOf = (portalId: string): ChainHead => {
    const cached = heads.get(portalId);
    if (cached) return cached;
    const row = readHead.get(rowId(portalId));
    if (!row) throw new Error(`there is no portal ${portalId}`);
    return { length: row.chain_length, hash: row.chain_hash };
  };
  return {
    begin() {
      heads.clear();
    },
    append(operation) {
      const { portalId, operationId, type, subscriberId, packageId, payload } = operation;
      const before = headOf(portalId);
      const sequence = before.length + 1;
      const hash = chainHash(before.hash, canonicalJson({ ...operation, sequence }));
      insert.run(
        ...[rowId(portalId), rowId(operationId), typeNumber(type)],
        ...[subscriberId === null ? null : rowId(subscriberId), packageId === null ? null : rowId(packageId)],
        ...[sequence, JSON.stringify(payload), hash],
      );
      heads.set(portalId, { length: sequence, hash });
    },
    end() {
      for (const [portalId, { length, hash }] of heads) writeHead.run(length, hash, rowId(portalId));
      heads.clear();
    },
  };
}
