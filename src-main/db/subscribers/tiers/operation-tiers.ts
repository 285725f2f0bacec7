import type { Statement } from 'better-sqlite3';
import { AirdeskError } from '../../../../src-preload/contract/errors.ts';
import type { Connection } from '../../database.ts';
import type { OperationRow } from '../../subscriber-rows.ts';
import type { LogFiles } from './log-files.ts';
import { OperationIndex, type Bounds, type OperationFilter } from './operation-index.ts';

/** Table of operations with its index. */
interface Tier {
  readonly index: OperationIndex;
  row(portal: bigint, id: bigint): OperationRow | undefined;
}

/**
 * All operations of a portal: recent ones in the database, older ones in files. Operations up to `moved_id` of the
 * portal are in files, later ones in the database. Copies elsewhere are left over from an interrupted move.
 */
export class OperationTiers {
  readonly #files: LogFiles;
  readonly #hot: Tier;
  readonly #moved: Statement<[bigint], bigint>;

  constructor(connection: Connection, files: LogFiles) {
    this.#files = files;
    this.#moved = connection
      .prepare<[bigint], bigint>('SELECT moved_id FROM portal WHERE id = ?')
      .safeIntegers()
      .pluck();
    const byId = connection
      .prepare<[bigint, bigint], OperationRow>('SELECT * FROM operation WHERE portal_id = ? AND id = ?')
      .safeIntegers();
    this.#hot = { index: new OperationIndex(connection), row: (portal, id) => byId.get(portal, id) };
  }

  /** First matching records between two ids, in order. Raises `database_unavailable` if a file is missing or damaged. */
  rows(
    portal: bigint,
    filter: OperationFilter,
    bounds: Bounds,
    isDescending: boolean,
    limit: number,
  ): readonly OperationRow[] {
    const rows: OperationRow[] = [];
    for (const [tier, within] of this.#tiers(this.#movedId(portal), bounds, isDescending)) {
      for (const id of tier.index.find(portal, filter, within, isDescending, limit - rows.length)) {
        const row = tier.row(portal, id);
        if (!row) throw new Error(`the operation ${id} is in an index and not in its table`);
        rows.push(row);
      }
      if (rows.length >= limit) break;
    }
    return rows;
  }

  /**
   * First records after an id, in order. Records that are lost in a damaged file are left out. Raises
   * `database_unavailable` if a file is missing.
   */
  readable(portal: bigint, after: bigint, limit: number): readonly OperationRow[] {
    const rows: OperationRow[] = [];
    const bounds = { above: after, below: 2n ** 63n - 1n };
    for (const [tier, within] of this.#tiers(this.#movedId(portal), bounds, false))
      for (let { above } = within; rows.length < limit;) {
        const ids = tier.index.find(portal, ALL, { ...within, above }, false, limit - rows.length);
        for (const id of ids) {
          const row = readableRow(tier, portal, id);
          if (row) rows.push(row);
        }
        const last = ids.at(-1);
        if (last === undefined) break;
        above = last;
      }
    return rows;
  }

  row(portal: bigint, id: bigint): OperationRow | undefined {
    const bounds = { above: id - 1n, below: id + 1n };
    for (const [tier] of this.#tiers(this.#movedId(portal), bounds, false)) {
      const row = tier.row(portal, id);
      if (row) return row;
    }
    return undefined;
  }

  *#tiers(movedId: bigint, bounds: Bounds, isDescending: boolean): Generator<readonly [Tier, Bounds]> {
    const { above, below } = bounds;
    const hot =
      below > movedId ? ([this.#hot, { above: above > movedId ? above : movedId, below }] as const) : undefined;
    const within = { above, below: below > movedId ? movedId + 1n : below };
    if (hot && isDescending) yield hot;
    if (within.below > within.above + 1n)
      for (const file of this.#files.between(within, isDescending)) yield [file, within];
    if (hot && !isDescending) yield hot;
  }

  #movedId(portal: bigint): bigint {
    return this.#moved.get(portal) ?? 0n;
  }
}

const ALL: OperationFilter = { subscriberIds: undefined, packageId: undefined, types: undefined };

function readableRow(tier: Tier, portal: bigint, id: bigint): OperationRow | undefined {
  try {
    return tier.row(portal, id);
  } catch (error) {
    if (error instanceof AirdeskError) return undefined;
    throw error;
  }
}
