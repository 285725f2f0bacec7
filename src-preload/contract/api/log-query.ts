/**
 * Condition on a field of a log; a query combines its conditions with AND. `in` and `ne` take a list of values, null tests take
 * none, all others one. `below`: the value is one of the given names, or a name below one of them, separated by a slash.
 */
export interface LogCondition<Field extends string> {
  readonly field: Field;
  readonly operator: 'in' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'is' | 'is_not' | 'like' | 'below';
  readonly values: readonly (string | number)[];
}

/** Position in the order of a log: by time, then by id. */
export interface LogPlace {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly id: string;
  /** Whether the row at this position is included. */
  readonly isInclusive: boolean;
}

/** Query of a log. */
export interface LogQuery<Field extends string> {
  readonly conditions: readonly LogCondition<Field>[];
  readonly isDescending: boolean;
  /** Returns rows after this position, in the order of the query. */
  readonly after?: LogPlace;
  readonly limit: number;
}
