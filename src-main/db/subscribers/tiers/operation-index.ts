import type { Statement } from 'better-sqlite3';
import { OPERATION_TYPES } from '../../../../src-preload/contract/api/operation-object.ts';
import type { OperationQuery } from '../../../subscribers/subscriber-query.ts';
import type { Connection } from '../../database.ts';
import { rowId, typeNumber } from '../subscriber-rows.ts';

/** Ids between two, without them. */
export interface Bounds {
  readonly above: bigint;
  readonly below: bigint;
}

/** One run of ids in the order of an index; several of them are merged. */
interface Source {
  readonly sql: string;
  readonly values: readonly bigint[];
}

/** A statement with ids and a limit as its parameters. */
type Asked = Statement<(bigint | number)[]>;

/** Ids of a source that are read at least at once. */
const LEAST_CHUNK = 16;
/** All types, one bit each. */
const ALL_TYPES = (1n << BigInt(OPERATION_TYPES.length)) - 1n;

/** Which operations are wanted, wherever they lie. */
export type OperationFilter = Pick<OperationQuery, 'subscriberIds' | 'packageId' | 'types'>;

/**
 * Finds operations in one table `operation`, of the log or of a file of older ones. Each filter is answered from an index in the order of the ids, so that a portion
 * costs the same wherever it lies.
 */
export class OperationIndex {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Asked>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The first ids that are wanted between two, in order. */
  find(
    portal: bigint,
    filter: OperationFilter,
    bounds: Bounds,
    isDescending: boolean,
    most: number,
  ): readonly bigint[] {
    return this.#merge(sourcesOf(portal, filter), bounds, isDescending, most);
  }

  /** The first ids of all sources together, in order, each once. */
  #merge(sources: readonly Source[], bounds: Bounds, isDescending: boolean, most: number): readonly bigint[] {
    const chunk = Math.max(LEAST_CHUNK, Math.ceil((2 * most) / Math.max(1, sources.length)));
    const runs = sources.map((source) => {
      const size = sources.length === 1 ? most : chunk;
      return { source, size, at: 0, ids: this.#ids(source, bounds, isDescending, size) };
    });
    const found: bigint[] = [];
    while (found.length < most) {
      let best: (typeof runs)[number] | undefined;
      for (const run of runs) {
        const id = run.ids[run.at];
        if (id === undefined) continue;
        const other = best?.ids[best.at];
        if (other === undefined || (isDescending ? id > other : id < other)) best = run;
      }
      const id = best?.ids[best.at];
      if (!best || id === undefined) break;
      found.push(id);
      best.at++;
      if (best.at < best.ids.length || best.ids.length < best.size) continue;
      best.ids = this.#ids(
        best.source,
        isDescending ? { ...bounds, below: id } : { ...bounds, above: id },
        isDescending,
        best.size,
      );
      best.at = 0;
    }
    return found;
  }

  #ids({ sql, values }: Source, { above, below }: Bounds, isDescending: boolean, limit: number): readonly bigint[] {
    const text = `${sql} AND id > ? AND id < ? ORDER BY id ${isDescending ? 'DESC' : 'ASC'} LIMIT ?`;
    // The one column is an id.
    return this.#statement(text).all(...values, above, below, limit) as readonly bigint[];
  }

  #statement(sql: string): Asked {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#connection.prepare<(bigint | number)[]>(sql).safeIntegers().pluck();
    this.#statements.set(sql, made);
    return made;
  }
}

/** The runs of ids that together are what is wanted: by subscriber, else by package and type, else by type, else all of the portal. */
function sourcesOf(portal: bigint, { subscriberIds, packageId, types }: OperationFilter): readonly Source[] {
  const wanted = types ? [...new Set(types)].map((type) => BigInt(typeNumber(type))) : undefined;
  const own = packageId === undefined ? undefined : rowId(packageId);
  if (subscriberIds) {
    const mask = wanted ? wanted.reduce((bits, type) => bits | (1n << type), 0n) : ALL_TYPES;
    const ofPackage = own === undefined ? '' : 'AND package_id = ?';
    return [...new Set(subscriberIds)].map((subscriber) => ({
      sql: `SELECT id FROM operation WHERE portal_id = ? AND subscriber_id = ? AND ((1 << type) & ?) <> 0 ${ofPackage}`,
      values: [portal, rowId(subscriber), mask, ...(own === undefined ? [] : [own])],
    }));
  }
  if (own !== undefined)
    return (wanted ?? OPERATION_TYPES.map((type) => BigInt(typeNumber(type)))).map((type) => ({
      sql: 'SELECT id FROM operation WHERE portal_id = ? AND package_id = ? AND type = ?',
      values: [portal, own, type],
    }));
  if (wanted)
    return wanted.map((type) => ({
      sql: 'SELECT id FROM operation WHERE portal_id = ? AND type = ?',
      values: [portal, type],
    }));
  return [{ sql: 'SELECT id FROM operation WHERE portal_id = ?', values: [portal] }];
}
