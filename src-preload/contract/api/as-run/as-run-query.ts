import type { AsRunObject } from './as-run-object.ts';

/** One condition on a field of the log; all of a query hold together. `in` and `ne` take a list of values, the null tests none, the others one. */
export interface AsRunCondition {
  readonly field: keyof AsRunObject;
  readonly operator: 'in' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'is' | 'is_not' | 'like';
  readonly values: readonly (string | number)[];
}

/** A place in the order of the log: by time, then by id. */
export interface AsRunPlace {
  readonly sentAt: number;
  readonly id: string;
  /** Whether a row at the very place is wanted, too. */
  readonly isInclusive: boolean;
}

/** What is wanted of the log. */
export interface AsRunQuery {
  readonly conditions: readonly AsRunCondition[];
  readonly isDescending: boolean;
  /** Rows behind this place, in the order of the query. */
  readonly after?: AsRunPlace;
  readonly limit: number;
}
