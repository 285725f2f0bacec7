import { createHash } from 'node:crypto';
import { type AirdeskError, badParameter } from '../../../../src-preload/contract/index.ts';
import { scalarOf, type Scalar } from './field-table.ts';
import type { Filter } from './filter.ts';
import type { SortKey } from './sort.ts';

/** Position in an ordered collection, between two objects or at one that may be removed. */
export interface Cursor {
  /** Requested side of the position. */
  readonly side: 'after' | 'before';
  /** Whether an object exactly at the position belongs to this side. */
  readonly isInclusive: boolean;
  /** Values of all fields of the order. */
  readonly values: readonly Scalar[];
}

const SIDES: Readonly<Record<string, Pick<Cursor, 'side' | 'isInclusive'>>> = {
  a: { side: 'after', isInclusive: false },
  A: { side: 'after', isInclusive: true },
  b: { side: 'before', isInclusive: false },
  B: { side: 'before', isInclusive: true },
};
const MAX_LENGTH = 16_384;

/** Digest of the order and filters to which a cursor is bound. */
export function cursorBinding(
  collection: string,
  sort: readonly SortKey[],
  filters: readonly Filter[],
  search: string | undefined,
): string {
  const conditions = filters
    .map(({ field, operator, values }) => JSON.stringify([field.path, operator, values]))
    .sort();
  const text = JSON.stringify([
    collection,
    sort.map(({ field, isDescending }) => [field.path, isDescending]),
    conditions,
    search ?? null,
  ]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** Cursor as text. */
export function printCursor({ side, isInclusive, values }: Cursor, binding: string): string {
  const letter = side === 'after' ? 'a' : 'b';
  const mark = isInclusive ? letter.toUpperCase() : letter;
  return Buffer.from(JSON.stringify([mark, binding, ...values])).toString('base64url');
}

/** Parses a cursor. Raises `bad_cursor` if it is invalid, or bound to another order or other filters. */
export function readCursor(text: string, binding: string, sort: readonly SortKey[]): Cursor {
  const [mark, bound, ...values] = decode(text);
  const side = typeof mark === 'string' && Object.hasOwn(SIDES, mark) ? SIDES[mark] : undefined;
  if (!side || typeof bound !== 'string') throw bad('This cursor is not from this server');
  if (bound !== binding)
    throw bad('The cursor belongs to another sort order or to other filters; keep them while paging');
  if (values.length !== sort.length) throw bad('This cursor is not from this server');
  return {
    ...side,
    values: sort.map(({ field }, index) => {
      const value = values[index];
      const scalar = scalarOf(value, field.type ?? 'string');
      if (scalar !== value) throw bad('This cursor is not from this server');
      return scalar;
    }),
  };
}

function decode(text: string): readonly unknown[] {
  if (text.length > MAX_LENGTH || !/^[\w-]+={0,2}$/.test(text)) throw bad('This cursor is not from this server');
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(value)) return value;
  } catch {
    // Any failure of parsing is reported below.
  }
  throw bad('This cursor is not from this server');
}

function bad(message: string): AirdeskError {
  return badParameter('cursor', message, 'bad_cursor');
}
