import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import { firstIdOf } from '../../subscribers/snowflake.ts';
import type { OperationQuery, Page } from '../../subscribers/subscriber-query.ts';
import { operationOf, rowId } from '../subscriber-rows.ts';
import type { Bounds } from './tiers/operation-index.ts';
import type { OperationTiers } from './tiers/operation-tiers.ts';

const ABOVE_ALL = 2n ** 63n - 1n;

/** Reads the log of a portal, from all places of its operations. */
export class OperationReader {
  readonly #tiers: OperationTiers;

  constructor(tiers: OperationTiers) {
    this.#tiers = tiers;
  }

  /** Page of the matching operations. */
  operations(portalId: string, query: OperationQuery): Page<Operation> {
    const { limit, isDescending } = query;
    const rows = this.#tiers.rows(rowId(portalId), query, boundsOf(query), isDescending, limit + 1);
    return { items: rows.slice(0, limit).map(operationOf), hasMore: rows.length > limit };
  }

  operation(portalId: string, operationId: string): Operation | undefined {
    const row = this.#tiers.row(rowId(portalId), rowId(operationId));
    return row && operationOf(row);
  }
}

function boundsOf({ afterId, fromMs, beforeMs, isDescending }: OperationQuery): Bounds {
  const from = fromMs === undefined ? -1n : firstIdOf(fromMs) - 1n;
  const before = beforeMs === undefined ? ABOVE_ALL : firstIdOf(beforeMs);
  if (afterId === undefined) return { above: from, below: before };
  const after = rowId(afterId);
  return isDescending
    ? { above: from, below: after < before ? after : before }
    : { above: after > from ? after : from, below: before };
}
