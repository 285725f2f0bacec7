import { decide, type Decision } from '../../subscribers/rules.ts';
import { printId, printOperationId, type SnowflakeIds } from '../../subscribers/snowflake.ts';
import type { SubscriberWrite, WriteResult, WrittenObject } from '../../subscribers/subscriber-write.ts';
import type { Connection } from '../database.ts';
import { operationEffect } from './operation-effect.ts';
import type { OperationLog } from './operation-log.ts';
import { factsOf } from './portal-facts.ts';
import type { SubscriberReader } from './subscriber-reader.ts';
import { createdAt, rowId } from '../subscriber-rows.ts';

/**
 * Executes commands by the rules of `subscribers`: applies their operations and appends them to the log. Call it
 * inside a transaction. A refused command has written nothing, so no savepoint is needed.
 */
export function commandWriter(
  connection: Connection,
  reader: SubscriberReader,
  ids: SnowflakeIds,
  log: OperationLog,
): (write: SubscriberWrite & { readonly kind: 'command' }) => Extract<WriteResult, { readonly ok: true }> {
  const facts = factsOf(connection);
  const applyOperation = operationEffect(connection);
  return ({ portalId, command, keyName, managerEmail, nowMs }) => {
    const decision = decide(command, facts(rowId(portalId), nowMs), () => printId(ids.next(nowMs)));
    for (const { type, subscriberId, packageId, payload } of decision.operations) {
      const id = ids.next(nowMs);
      const at = createdAt(id);
      const operation = {
        operationId: printOperationId(id),
        type,
        portalId,
        subscriberId,
        packageId,
        createdAt: at,
        updatedAt: at,
        payload: { ...payload, keyName, ...(managerEmail === undefined ? {} : { managerEmail }) },
      };
      applyOperation(operation);
      log.append(operation);
    }
    return { ok: true, object: objectOf(reader, portalId, decision), isNew: decision.isNew, isReplayed: false };
  };
}

function objectOf(reader: SubscriberReader, portalId: string, { subscriberId, packageId }: Decision): WrittenObject {
  if (subscriberId !== null && packageId !== null)
    return reader.subscription(portalId, subscriberId, packageId) ?? null;
  if (subscriberId !== null) return reader.subscriber(portalId, subscriberId) ?? null;
  return reader.package(portalId, packageId ?? '') ?? null;
}
