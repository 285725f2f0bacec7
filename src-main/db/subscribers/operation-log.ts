import type { Operation } from '../../../src-preload/contract/api/operation-object.ts';
import { canonicalJson } from '../../subscribers/canonical-json.ts';
import { chainHash } from '../../subscribers/hash-chain.ts';
import { rowId, typeNumber } from './subscriber-rows.ts';
import type { Connection } from '../database.ts';

/** Appends operations to the log of their portal, each with its place in the chain of hashes. To be called inside of the transaction of its change. */
export function operationLog(connection: Connection): (operation: Operation) => void {
  const head = connection
    .prepare<[bigint], { readonly chain_length: bigint; readonly chain_hash: Uint8Array }>(
      'SELECT chain_length, chain_hash FROM portal WHERE id = ?',
    )
    .safeIntegers();
  const move = connection.prepare('UPDATE portal SET chain_length = ?, chain_hash = ? WHERE id = ?');
  const insert = connection.prepare(
    `INSERT INTO operation (portal_id, id, type, subscriber_id, package_id, sequence, payload, hash)
     VALUES (@portalId, @id, @type, @subscriberId, @packageId, @sequence, @payload, @hash)`,
  );
  return (operation) => {
    const portalId = rowId(operation.portalId);
    const before = head.get(portalId);
    if (!before) throw new Error(`there is no portal ${operation.portalId}`);
    const sequence = Number(before.chain_length) + 1;
    const record = canonicalJson({ ...operation, sequence });
    const hash = chainHash(before.chain_hash, record);
    const { subscriberId, packageId } = operation;
    insert.run({
      portalId,
      id: rowId(operation.operationId),
      type: typeNumber(operation.type),
      subscriberId: subscriberId === null ? null : rowId(subscriberId),
      packageId: packageId === null ? null : rowId(packageId),
      sequence,
      payload: JSON.stringify(operation.payload),
      hash,
    });
    move.run(sequence, hash, portalId);
  };
}
