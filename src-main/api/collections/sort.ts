import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { compareScalars, type Field, type FieldTable, type Scalar } from './field-table.ts';
import { splitWords } from '../endpoints/query-string.ts';

/** One field that a collection is sorted by. */
export interface SortKey {
  readonly field: Field;
  readonly isDescending: boolean;
}

/** Most fields that a request may sort by. */
const MAX_KEYS = 16;

/**
 * Reads `sort` and adds the fields that make the order total.
 *
 * @param text undefined where nothing is asked for
 * @param implicit paths that are added unless they are listed; the last is different for every object
 */
export function readSort(text: string | undefined, fields: FieldTable, implicit: readonly string[]): SortKey[] {
  const words = text === undefined || text === '' ? [] : splitWords(text);
  if (words.length > MAX_KEYS) throw bad(`At most ${MAX_KEYS} fields to sort by`);
  const keys: SortKey[] = [];
  for (const word of [...words, ...implicit]) {
    const isDescending = word.startsWith('-');
    const path = isDescending ? word.slice(1) : word;
    const field = fields.find(path);
    if (field?.type === undefined) throw bad(`There is no field ${path.slice(0, 100)} to sort by`);
    // A field that comes again orders nothing any more.
    if (!keys.some((key) => key.field.path === path)) keys.push({ field, isDescending });
  }
  return keys;
}

/** The order of two places in a sorted collection: tuple against tuple, null first where a field ascends. */
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

function bad(message: string): AirdeskError {
  return new AirdeskError('bad_query', message, { parameter: 'sort' });
}
