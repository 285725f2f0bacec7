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

/** Values of a statement by their names. */
type Values = Readonly<Record<string, bigint | number>>;

/** One run of ids in the order of an index; those of several subscribers are merged. */
interface Run {
  readonly values: Values;
  ids: readonly bigint[];
  /** Place of the first one that was not taken. */
  at: number;
  /** How many are read at once. */
  size: number;
}

/** Ids of a run that are read at first, where there are several: most subscribers have few operations in one place. */
const FIRST_SIZE = 4;
/** A subscriber with at most so many operations is read whole, which costs less than a run for each type. */
const WHOLE = 64;
const ALL_TYPES = OPERATION_TYPES.map((_, number) => number);

/** Which operations are wanted, wherever they lie. */
export type OperationFilter = Pick<OperationQuery, 'subscriberIds' | 'packageId' | 'types'>;

/**
 * Finds operations in one table `operation`, of the log or of a file of older ones. Each filter is answered from indexes in the order of the ids, a run for each
 * type: nothing is sorted, and nothing is looked at that is not wanted, so that a portion costs the same wherever it lies.
 */
export class OperationIndex {
  readonly #connection: Connection;
  /** There are as many as there are shapes of filters. */
  readonly #statements = new Map<string, Statement<[Values], bigint>>();
  #wholeStatement: Statement<[bigint, bigint, number], readonly [bigint, bigint]> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The first ids that are wanted between two, in order. */
  find(
    portal: bigint,
    { subscriberIds, packageId, types }: OperationFilter,
    { above, below }: Bounds,
    isDescending: boolean,
    most: number,
  ): readonly bigint[] {
    const wanted = types ? [...new Set(types.map(typeNumber))] : undefined;
    const isPart = subscriberIds !== undefined || packageId !== undefined;
    const numbers = wanted ?? (isPart ? ALL_TYPES : undefined);
    if (numbers?.length === 0) return [];
    const sql = statementOf(subscriberIds !== undefined, packageId !== undefined, numbers?.length, isDescending);
    const statement = this.#statement(sql);
    const values: Values = {
      ...{ portal, above, below, most },
      ...(packageId === undefined ? {} : { package: rowId(packageId) }),
      ...Object.fromEntries((numbers ?? []).map((number, place) => [`type${place}`, number])),
    };
    if (!subscriberIds) return statement.all(values);
    const [first, ...others] = [...new Set(subscriberIds)].map(rowId);
    if (first === undefined) return [];
    if (others.length === 0) return statement.all({ ...values, subscriber: first });
    const runs = [first, ...others].map((subscriber): Run => {
      const whole = packageId === undefined && numbers?.length !== 1 ? this.#whole(portal, subscriber) : undefined;
      if (whole) {
        const ids = whole.filter(
          ([id, type]) => id > above && id < below && (!wanted || wanted.includes(Number(type))),
        );
        const sorted = ids.map(([id]) => id).sort((one, other) => (one < other === isDescending ? 1 : -1));
        return { values, ids: sorted, at: 0, size: Infinity };
      }
      const own = { ...values, subscriber, most: FIRST_SIZE };
      return { values: own, ids: statement.all(own), at: 0, size: FIRST_SIZE };
    });
    return merge(runs, isDescending, most, (run, last) => {
      run.size = Math.min(most, 2 * run.size);
      return statement.all({ ...run.values, [isDescending ? 'below' : 'above']: last, most: run.size });
    });
  }

  /** All operations of a subscriber, in no order; undefined where there are many. */
  #whole(portal: bigint, subscriber: bigint): readonly (readonly [id: bigint, type: bigint])[] | undefined {
    this.#wholeStatement ??= this.#connection
      .prepare<[bigint, bigint, number], readonly [bigint, bigint]>(
        'SELECT id, type FROM operation INDEXED BY operation_subscriber WHERE portal_id = ? AND subscriber_id = ? LIMIT ?',
      )
      .safeIntegers()
      .raw();
    const rows = this.#wholeStatement.all(portal, subscriber, WHOLE + 1);
    return rows.length > WHOLE ? undefined : rows;
  }

  #statement(sql: string): Statement<[Values], bigint> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#connection.prepare<[Values], bigint>(sql).safeIntegers().pluck();
    this.#statements.set(sql, made);
    return made;
  }
}

/** The statement of one run of ids. SQLite merges the types, each of which lies in the order of the ids. @param types how many; undefined for all of the portal */
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
  return `${bounded.join(' UNION ALL ')} ORDER BY id ${isDescending ? 'DESC' : 'ASC'} LIMIT @most`;
}

/** The first ids of all runs together, in order. @param more reads what follows an id in a run */
function merge(
  runs: readonly Run[],
  isDescending: boolean,
  most: number,
  more: (run: Run, last: bigint) => readonly bigint[],
): readonly bigint[] {
  const isBefore = (one: bigint, other: bigint): boolean => (isDescending ? one > other : one < other);
  const head = (run: Run): bigint => run.ids[run.at] ?? -1n;
  // The run with the next id stands at the end.
  const waiting = runs.filter(({ ids }) => ids.length > 0);
  waiting.sort((one, other) => (isBefore(head(one), head(other)) ? 1 : -1));
  const found: bigint[] = [];
  for (let run = waiting.pop(); run && found.length < most; run = waiting.pop()) {
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
