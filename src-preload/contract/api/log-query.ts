/** One condition on a field of a log; all of a query hold together. `in` and `ne` take a list of values, the null tests none, the others one. */
export interface LogCondition<Field extends string> {
  readonly field: Field;
  readonly operator: 'in' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'is' | 'is_not' | 'like';
  readonly values: readonly (string | number)[];
}

/** A place in the order of a log: by time, then by id. */
export interface LogPlace {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly id: string;
  /** Whether a row at the very place is wanted, too. */
  readonly isInclusive: boolean;
}

/** What is wanted of a log. */
export interface LogQuery<Field extends string> {
  readonly conditions: readonly LogCondition<Field>[];
  readonly isDescending: boolean;
  /** Rows behind this place, in the order of the query. */
  readonly after?: LogPlace;
  readonly limit: number;
}
