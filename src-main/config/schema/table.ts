import { z } from 'zod';
import { runAtOnce } from '../../lib/turns.ts';
import type { Setting, SettingTable, SettingValues } from './directive.ts';
import { MASK } from './secrets.ts';
import type { JsonValue, ValueIssue, ValueSchema } from './value-schema.ts';

/** Value that a schema refused: its path, and the expected form. */
export interface TableIssue extends ValueIssue {
  readonly path: readonly PropertyKey[];
}

/** Number of words or records of one setting that are checked in one step. */
const ITEMS_PER_STEP = 200;
/** Maximum number of listed mistakes of one setting. */
const MAX_ISSUES = 50;

interface TableReading<T extends SettingTable> {
  readonly values: SettingValues<T>;
  readonly issues: readonly TableIssue[];
}

/**
 * Schema of all values of a table. Its input is the written form of a block's statements.
 *
 * @param more values besides those of the table
 */
export function tableSchema<T extends SettingTable, M extends Readonly<Record<string, ValueSchema<unknown>>>>(
  table: T,
  more?: M,
): z.ZodType<SettingValues<T> & { readonly [K in keyof M]: z.output<M[K]> }> {
  const shape = Object.fromEntries(Object.entries(table).map(([key, { schema }]) => [key, schema]));
  // The shape is built from the table itself, but the compiler cannot follow this through Object.entries.
  return z.object({ ...shape, ...more }) as unknown as z.ZodType<
    SettingValues<T> & { readonly [K in keyof M]: z.output<M[K]> }
  >;
}

/** Defaults of a table. */
export function fallbacksOf<T extends SettingTable>(table: T): SettingValues<T> {
  // The compiler cannot follow this through Object.entries either.
  return Object.fromEntries(Object.entries(table).map(([key, { fallback }]) => [key, fallback])) as SettingValues<T>;
}

/**
 * Reads the values of a table. Only written settings are processed, because a server may have thousands of streams with few
 * written settings.
 * @param fallbacks values of settings that are not written
 */
export function readTable<T extends SettingTable>(
  table: T,
  fallbacks: SettingValues<T>,
  raw: Readonly<Record<string, unknown>>,
): TableReading<T> {
  return runAtOnce(readTableInSteps(table, fallbacks, raw));
}

export function* readTableInSteps<T extends SettingTable>(
  table: T,
  fallbacks: SettingValues<T>,
  raw: Readonly<Record<string, unknown>>,
): Generator<void, TableReading<T>> {
  const values: Record<string, unknown> = { ...fallbacks };
  let issues: TableIssue[] | undefined;
  for (const key of Object.keys(raw)) {
    const setting = Object.hasOwn(table, key) ? table[key] : undefined;
    if (!setting) continue;
    const items: unknown = raw[key];
    const isLong = setting.repeat === 'many' && Array.isArray(items) && items.length > ITEMS_PER_STEP;
    const result = isLong ? yield* readItems(setting, items as readonly unknown[]) : setting.schema.safeParse(items);
    if (result.success) values[key] = result.data;
    else
      for (const { path, ...issue } of result.error.issues.slice(0, MAX_ISSUES))
        (issues ??= []).push({ ...issue, path: [key, ...path] });
  }
  // Every key of the table has a value now: its default or the result of its schema.
  return { values: values as SettingValues<T>, issues: issues ?? [] };
}

/** Reads a long list portion by portion; each item is checked separately. */
function* readItems(
  { schema }: Setting<unknown>,
  items: readonly unknown[],
): Generator<
  void,
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly TableIssue[] } }
> {
  const data: unknown[] = [];
  const issues: TableIssue[] = [];
  for (let at = 0; at < items.length && issues.length < MAX_ISSUES; at += ITEMS_PER_STEP) {
    const result = schema.safeParse(items.slice(at, at + ITEMS_PER_STEP));
    // A repeated setting is a list.
    if (result.success) for (const item of result.data as readonly unknown[]) data.push(item);
    else
      for (const { path, ...issue } of result.error.issues)
        issues.push({ ...issue, path: [Number(path[0] ?? 0) + at, ...path.slice(1)] });
    yield;
  }
  return issues.length > 0 ? { success: false, error: { issues } } : { success: true, data };
}

const NONE: ReadonlySet<string> = new Set();

/** Values of a table as JSON, secrets masked. @param isFull includes defaults */
export function tableJson(
  table: SettingTable,
  values: object,
  isFull = false,
  written: ReadonlySet<string> = NONE,
): Record<string, JsonValue> {
  const json: Record<string, JsonValue> = {};
  // `values` has a property for the name of each setting.
  const all = values as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(table)) {
    const setting = table[key];
    const value = all[key];
    if (setting && value !== undefined && (isFull || !isFallback(setting, value) || written.has(setting.directive)))
      json[jsonName(setting)] = settingJson(setting, value);
  }
  return json;
}

/**
 * Values of a table as the objects of the APIs show them: with defaults, without unset values and empty lists, and with masked
 * secrets.
 */
export function shownJson(table: SettingTable, values: object): Record<string, JsonValue> {
  const json: Record<string, JsonValue> = {};
  for (const [key, setting] of Object.entries(table)) {
    // `values` has a property for the name of each setting.
    const value = settingJson(setting, (values as Readonly<Record<string, unknown>>)[key]);
    if (!isUnset(value)) json[jsonName(setting)] = value;
  }
  return json;
}

/** Whether objects of the APIs leave a value out. */
export function isUnset(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function isFallback({ fallback }: Setting<unknown>, value: unknown): boolean {
  if (value === fallback) return true;
  // An empty list or map that a schema returned is a different object than the default.
  return Array.isArray(fallback)
    ? Array.isArray(value) && value.length === 0
    : fallback instanceof Map && value instanceof Map && value.size === 0;
}

export function jsonName(setting: Setting<unknown>): string {
  return setting.json ?? setting.directive;
}

/** Value of a setting as JSON, secrets masked. */
export function settingJson(setting: Setting<unknown>, value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  // Masks in a list show the number of its secrets.
  if (setting.isSecret && setting.repeat === 'many') return (value as readonly unknown[]).map(() => MASK);
  if (setting.isSecret) return setting.offWord !== undefined && value === false ? false : MASK;
  // The form of a setting determines whether its value is an array or a map.
  if (setting.repeat === 'keyed')
    return Object.fromEntries(
      [...(value as ReadonlyMap<string, unknown>)].map(([name, item]) => [name, setting.toJson(item)]),
    );
  if (setting.repeat === 'many') return (value as readonly unknown[]).map(setting.toJson);
  return setting.toJson(value);
}
