import type { Statement } from 'better-sqlite3';
import { OPERATION_TYPES } from '../../../../src-preload/contract/api/subscribers/operation-object.ts';
import type { OperationQuery } from '../../../subscribers/subscriber-query.ts';
import type { Connection } from '../../database.ts';
import { rowId, typeNumber } from '../../subscriber-rows.ts';

/** Bounds of ids, both excluded. */
export interface Bounds {
  readonly above: bigint;
  readonly below: bigint;
}

/** Values of a statement by their names. */
type Values = Readonly<Record<string, bigint | number | string>>;

/** Ids in the order of an index. The runs of several subscribers are merged. */
interface Run {
  readonly values: Values;
  ids: readonly bigint[];
  /** Position of the first id that was not taken. */
  at: number;
  /** Number of ids that are read at once. */
  size: number;
}

/** Number of ids that are read first if there are several runs. Most subscribers have few operations in one tier. */
const FIRST_SIZE = 4;
/**
 * Maximum number of operations with which a subscriber is read together with other subscribers and sorted. This costs
 * less than a run for each subscriber.
 */
const MAX_OF_QUIET = 64;
const ALL_TYPES = OPERATION_TYPES.map((_, number) => number);

/** Selects operations, in any tier. */
export type OperationFilter = Pick<OperationQuery, 'subscriberIds' | 'packageId' | 'types'>;

/**
 * Finds operations in one table `operation`, of the log or of a file of older ones. Each filter uses indexes in the
 * order of the ids, with a run for each type. Nothing is sorted and no other row is read, so a page costs the same
 * anywhere in the log.
 */
export class OperationIndex {
  readonly #connection: Connection;
  /** Cached statements, one for each shape of a filter. */
  readonly #statements = new Map<string, Statement<[Values], bigint>>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** First matching ids between two ids, in order. */
  find(
    portal: bigint,
    { subscriberIds, packageId, types }: OperationFilter,
    { above, below }: Bounds,
    isDescending: boolean,
    limit: number,
  ): readonly bigint[] {
    const typeNumbers = types ? [...new Set(types.map(typeNumber))] : undefined;
    const isFiltered = subscriberIds !== undefined || packageId !== undefined;
    const numbers = typeNumbers ?? (isFiltered ? ALL_TYPES : undefined);
    if (numbers?.length === 0) return [];
    const sql = statementOf(subscriberIds !== undefined, packageId !== undefined, numbers?.length, isDescending);
    const statement = this.#statement(sql);
    const values: Values = {
      portal,
      above,
      below,
      limit,
      ...(packageId === undefined ? {} : { package: rowId(packageId) }),
      ...Object.fromEntries((numbers ?? []).map((number, place) => [`type${place}`, number])),
    };
    if (!subscriberIds) return statement.all(values);
    const [first, ...others] = [...new Set(subscriberIds)].map(rowId);
    if (first === undefined) return [];
    if (others.length === 0) return statement.all({ ...values, subscriber: first });
    const subscribers = [first, ...others];
    const busy = this.#busy(portal, subscribers, values['package']);
    const runs = busy.map((subscriber): Run => {
      const parameters = { ...values, subscriber, limit: FIRST_SIZE };
      return { values: parameters, ids: statement.all(parameters), at: 0, size: FIRST_SIZE };
    });
    const quiet = subscribers.filter((subscriber) => !busy.includes(subscriber));
    const parameters = { ...values, subscribers: listOf(quiet) };
    const found = this.#statement(quietStatementOf(packageId !== undefined, typeNumbers?.length, isDescending)).all(
      parameters,
    );
    if (busy.length === 0) return found;
    runs.push({ values: parameters, ids: found, at: 0, size: Infinity });
    return merge(runs, isDescending, limit, (run, last) => {
      run.size = Math.min(limit, 2 * run.size);
      return statement.all({ ...run.values, [isDescending ? 'below' : 'above']: last, limit: run.size });
    });
  }

  /** Subscribers with too many operations to sort them; if a package is given, only operations of the package count. */
  #busy(portal: bigint, subscribers: readonly bigint[], ofPackage: Values[string] | undefined): readonly bigint[] {
    const isOfPackage = ofPackage !== undefined;
    return this.#statement(busyStatementOf(isOfPackage)).all({
      portal,
      subscribers: listOf(subscribers),
      ...(isOfPackage ? { package: ofPackage } : {}),
    });
  }

  #statement(sql: string): Statement<[Values], bigint> {
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    const statement = this.#connection.prepare<[Values], bigint>(sql).safeIntegers().pluck();
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Statement of one run of ids. SQLite merges the types, each of which is in the order of the ids.
 *
 * @param types number of types; undefined for all of the portal
 */
export function statementOf(
  hasSubscriber: boolean,
  hasPackage: boolean,
  types: number | undefined,
  isDescending: boolean,
): string {
  const part = [
    'SELECT id FROM operation WHERE portal_id = @portal',
    ...(hasSubscriber ? ['AND subscriber_id = @subscriber'] : []),
    ...(hasPackage ? ['AND package_id = @package'] : []),
  ].join(' ');
  const parts =
    types === undefined ? [part] : ALL_TYPES.slice(0, types).map((place) => `${part} AND type = @type${place}`);
  const bounded = parts.map((one) => `${one} AND id > @above AND id < @below`);
  return `${bounded.join(' UNION ALL ')} ORDER BY id ${isDescending ? 'DESC' : 'ASC'} LIMIT @limit`;
}

/** Statement that finds the subscribers with many operations, among several. */
export function busyStatementOf(hasPackage: boolean): string {
  return `SELECT value FROM json_each(@subscribers) WHERE ${MAX_OF_QUIET} < (SELECT count(*) FROM (
    SELECT 1 FROM operation o WHERE o.portal_id = @portal AND o.subscriber_id = value
    ${hasPackage ? 'AND o.package_id = @package' : ''} LIMIT ${MAX_OF_QUIET + 1}))`;
}

/** Statement of several subscribers with few operations, whose ids are sorted. @param types number of types; undefined for all */
export function quietStatementOf(hasPackage: boolean, types: number | undefined, isDescending: boolean): string {
  const parameters = ALL_TYPES.slice(0, types).map((place) => `@type${place}`);
  return [
    'SELECT o.id FROM json_each(@subscribers) CROSS JOIN operation o WHERE o.portal_id = @portal AND o.subscriber_id = value',
    ...(hasPackage ? ['AND o.package_id = @package'] : []),
    ...(types === undefined ? [] : [`AND o.type IN (${parameters.join(', ')})`]),
    // The sign keeps SQLite from scanning all ids of the portal.
    `AND +o.id > @above AND +o.id < @below ORDER BY +o.id ${isDescending ? 'DESC' : 'ASC'} LIMIT @limit`,
  ].join(' ');
}

/** List of numbers as one value that SQLite expands. */
const listOf = (numbers: readonly bigint[]): string => `[${numbers.join()}]`;

/** First ids of all runs, merged in order. @param more reads the ids after one in a run */
function merge(
  runs: readonly Run[],
  isDescending: boolean,
  limit: number,
  more: (run: Run, last: bigint) => readonly bigint[],
): readonly bigint[] {
  const isBefore = (one: bigint, other: bigint): boolean => (isDescending ? one > other : one < other);
  const head = (run: Run): bigint => run.ids[run.at] ?? -1n;
  // The run with the next id is the last one in the list.
  const waiting = runs.filter(({ ids }) => ids.length > 0);
  waiting.sort((one, other) => (isBefore(head(one), head(other)) ? 1 : -1));
  const found: bigint[] = [];
  for (let run = waiting.pop(); run && found.length < limit; run = waiting.pop()) {
    const id = head(run);
    found.push(id);
    run.at++;
    if (run.at === run.ids.length && run.ids.length === run.size) {
      run.ids = more(run, id);
      run.at = 0;
    }
    if (run.at === run.ids.length) continue;
    const next = head(run);
    let [from, to] = [0, waiting.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = waiting[middle];
      if (other && isBefore(next, head(other))) from = middle + 1;
      else to = middle;
    }
    waiting.splice(from, 0, run);
  }
  return found;
}
