import { badParameter } from '../../../../src-preload/contract/index.ts';
import { compareScalars, scalarOf, type Field, type FieldTable, type FieldType, type Scalar } from './field-table.ts';
import { splitAtCommas, type QueryParameter } from '../../endpoints/query-string.ts';

type FilterOperator = 'in' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'is' | 'is_not' | 'like';

/** One condition on one field. */
export interface Filter {
  readonly field: Field;
  readonly operator: FilterOperator;
  /** Values of the condition: a list for `in` and `ne`, no value for `is` and `is_not`, one value for all other operators. */
  readonly values: readonly Scalar[];
}

/** Maximum number of values in a filter. */
const MAX_VALUES = 1000;

/** Suffixes of parameters, longest first, so that the end of `_is_not` is not taken for another suffix. */
const SUFFIXES = ['is_not', 'like', 'lte', 'gte', 'ne', 'lt', 'gt', 'is'] as const satisfies readonly FilterOperator[];

/** Parses a parameter as a filter. Raises `bad_query` for unknown fields and invalid values. */
export function readFilter({ name, value }: QueryParameter, fields: FieldTable): Filter {
  const { field, operator } = findField(name, fields);
  // A parameter without a value means true.
  const text = value ?? 'true';
  switch (operator) {
    case 'is':
    case 'is_not':
      if (text !== 'null') throw badParameter(name, `The only value of ${name} is null`);
      return { field, operator, values: [] };
    case 'in':
    case 'ne':
      return { field, operator, values: readValues(text, field, name) };
    case 'like':
      if (field.type !== 'string') throw badParameter(name, `${field.path} is not a text`);
      return { field, operator, values: [text] };
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      if (field.type === 'boolean') throw badParameter(name, `${field.path} is a boolean, which has no order`);
      return { field, operator, values: [readValue(text, { ...field, choices: undefined }, name)] };
    default:
      return operator satisfies never;
  }
}

/** Compiles a filter into a test of objects. @param get reads the field of an object */
export function compileFilter<Row>(
  { field, operator, values }: Filter,
  get: (row: Row) => unknown,
): (row: Row) => boolean {
  if (operator === 'is') return (row) => isNull(get(row));
  if (operator === 'is_not') return (row) => !isNull(get(row));
  const type = field.type ?? 'string';
  const expected = values[0] ?? null;
  const order =
    (test: (order: number) => boolean) =>
    (row: Row): boolean => {
      const value = scalarOf(get(row), type);
      return value !== null && test(compareScalars(value, expected));
    };
  switch (operator) {
    case 'in': {
      if (values.length === 1) return (row) => scalarOf(get(row), type) === expected;
      const set = new Set(values);
      return (row) => set.has(scalarOf(get(row), type));
    }
    case 'ne': {
      const set = new Set(values);
      return (row) => !set.has(scalarOf(get(row), type));
    }
    case 'like':
      return (row) => {
        const value = scalarOf(get(row), type);
        return typeof value === 'string' && value.startsWith(String(expected));
      };
    case 'lt':
      return order((result) => result < 0);
    case 'lte':
      return order((result) => result <= 0);
    case 'gt':
      return order((result) => result > 0);
    case 'gte':
      return order((result) => result >= 0);
    default:
      return operator satisfies never;
  }
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

function findField(name: string, fields: FieldTable): { readonly field: Field; readonly operator: FilterOperator } {
  const exact = fields.find(name);
  if (exact?.isDeclared) return comparable(exact, 'in', name);
  for (const operator of SUFFIXES) {
    const suffix = `_${operator}`;
    const field = name.endsWith(suffix) ? fields.find(name.slice(0, -suffix.length)) : undefined;
    if (field) return comparable(field, operator, name);
  }
  if (exact) return comparable(exact, 'in', name);
  throw badParameter(name, `There is no field ${name.slice(0, 100)} to filter by`);
}

function comparable(
  field: Field,
  operator: FilterOperator,
  name: string,
): { readonly field: Field; readonly operator: FilterOperator } {
  if (field.type === undefined && operator !== 'is' && operator !== 'is_not')
    throw badParameter(name, `${field.path} is an object or a list, which can only be compared with null`);
  return { field, operator };
}

const READERS: Readonly<Record<FieldType, { readonly expected: string; readonly read: (text: string) => Scalar }>> = {
  string: { expected: 'a text', read: (text) => text },
  boolean: { expected: 'true or false', read: (text) => (text === 'true' ? true : text === 'false' ? false : null) },
  integer: {
    expected: 'a whole number',
    read: (text) => (/^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null),
  },
  number: {
    expected: 'a number',
    read: (text) => (/^-?\d{1,17}(\.\d{1,17})?([eE][+-]?\d{1,2})?$/.test(text) ? Number(text) : null),
  },
};

function readValues(text: string, field: Field, parameter: string): Scalar[] {
  const texts = splitAtCommas(text);
  if (texts.length > MAX_VALUES) throw badParameter(parameter, `A filter has at most ${MAX_VALUES} values`);
  return texts.map((word) => readValue(word, field, parameter));
}

function readValue(text: string, { path, type = 'string', choices }: Field, parameter: string): Scalar {
  const { expected, read } = READERS[type];
  const value = read(text);
  if (value === null) throw badParameter(parameter, `${path} takes ${expected}`);
  if (choices && !choices.includes(text)) throw badParameter(parameter, `${path} must be one of ${choices.join(', ')}`);
  return value;
}
