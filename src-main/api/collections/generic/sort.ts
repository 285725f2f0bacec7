import { badParameter } from '../../../../src-preload/contract/index.ts';
import { compareScalars, type Field, type FieldTable, type Scalar } from './field-table.ts';
import { splitAtCommas } from '../../endpoints/query-string.ts';

/** One field of a collection's order. */
export interface SortKey {
  readonly field: Field;
  readonly isDescending: boolean;
}

/** Maximum number of sort fields in a request. */
const MAX_KEYS = 16;

/**
 * Parses `sort` and appends the fields that make the order total.
 * @param text undefined if the parameter is absent
 * @param implicit paths that are appended unless `text` lists them; the last one is unique
 */
export function readSort(text: string | undefined, fields: FieldTable, implicit: readonly string[]): SortKey[] {
  const names = text === undefined || text === '' ? [] : splitAtCommas(text);
  if (names.length > MAX_KEYS) throw badParameter('sort', `At most ${MAX_KEYS} fields to sort by`);
  const keys: SortKey[] = [];
  for (const word of [...names, ...implicit]) {
    const isDescending = word.startsWith('-');
    const path = isDescending ? word.slice(1) : word;
    const field = fields.find(path);
    if (field?.type === undefined) throw badParameter('sort', `There is no field ${path.slice(0, 100)} to sort by`);
    // A repeated field has no effect on the order.
    if (!keys.some((key) => key.field.path === path)) keys.push({ field, isDescending });
  }
  return keys;
}

/** Compares two positions in a sorted collection, field by field. In ascending fields null comes first. */
export function placeOrder(sort: readonly SortKey[]): (a: readonly Scalar[], b: readonly Scalar[]) => number {
  const signs = sort.map(({ isDescending }) => (isDescending ? -1 : 1));
  const { length } = signs;
  return (a, b) => {
    for (let index = 0; index < length; index++) {
      const one = a[index] ?? null;
      const other = b[index] ?? null;
      if (one === other) continue;
      return compareScalars(one, other) * (signs[index] ?? 1);
    }
    return 0;
  };
}
