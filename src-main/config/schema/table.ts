import { z } from 'zod';
import type { Setting, SettingTable, SettingValues } from './directive.ts';
import { MASK } from './secrets.ts';
import type { JsonValue, ValueSchema } from './value-schema.ts';

/** A value that a schema refused: where it lies in the values, and what was expected. */
export interface TableIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** How many mistakes of one setting are shown. */
const MAX_ISSUES = 50;

/** The schema of all values of a table, from what the statements of a block give. @param more values besides those of the table */
export function tableSchema<T extends SettingTable, M extends Readonly<Record<string, ValueSchema<unknown>>>>(
  table: T,
  more?: M,
): z.ZodType<SettingValues<T> & { readonly [K in keyof M]: z.output<M[K]> }> {
  const shape = Object.fromEntries(Object.entries(table).map(([key, { schema }]) => [key, schema]));
  // The shape is built from the table itself, which the compiler cannot follow through Object.entries.
  return z.object({ ...shape, ...more }) as unknown as z.ZodType<
    SettingValues<T> & { readonly [K in keyof M]: z.output<M[K]> }
  >;
}

/** What holds where nothing of a table is written. */
export function fallbacksOf<T extends SettingTable>(table: T): SettingValues<T> {
  // As above.
  return Object.fromEntries(Object.entries(table).map(([key, { fallback }]) => [key, fallback])) as SettingValues<T>;
}

/**
 * Reads the values of a table. Only what is written is looked at: with thousands of streams, most settings of each are not.
 *
 * @param fallbacks what holds where nothing is written
 */
export function readTable<T extends SettingTable>(
  table: T,
  fallbacks: SettingValues<T>,
  raw: Readonly<Record<string, unknown>>,
): { readonly values: SettingValues<T>; readonly issues: readonly TableIssue[] } {
  const values: Record<string, unknown> = { ...fallbacks };
  let issues: TableIssue[] | undefined;
  for (const key of Object.keys(raw)) {
    if (!Object.hasOwn(table, key)) continue;
    const result = table[key]?.schema.safeParse(raw[key]);
    if (result?.success) values[key] = result.data;
    else
      for (const { path, message } of result?.error.issues.slice(0, MAX_ISSUES) ?? [])
        (issues ??= []).push({ path: [key, ...path], message });
  }
  // Every key of the table has a value now: its fallback or what its schema gave.
  return { values: values as SettingValues<T>, issues: issues ?? [] };
}

/** The values of a table as JSON, secrets masked. @param isFull also what holds where nothing is written */
export function tableJson(table: SettingTable, values: object, isFull = false): Record<string, JsonValue> {
  const json: Record<string, JsonValue> = {};
  // Whatever they are, they are looked up by name.
  const all = values as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(table)) {
    const setting = table[key];
    const value = all[key];
    if (setting && value !== undefined && (isFull || !isFallback(setting, value)))
      json[jsonName(setting)] = settingJson(setting, value);
  }
  return json;
}

function isFallback({ fallback }: Setting<unknown>, value: unknown): boolean {
  if (value === fallback) return true;
  // A list or map that a schema made empty is not the one of the table.
  return Array.isArray(fallback)
    ? Array.isArray(value) && value.length === 0
    : fallback instanceof Map && value instanceof Map && value.size === 0;
}

/** Name of a setting in JSON. */
export function jsonName(setting: Setting<unknown>): string {
  return setting.json ?? setting.directive;
}

/** The value of a setting as JSON, secrets masked. */
export function settingJson(setting: Setting<unknown>, value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (setting.isSecret) return setting.offWord !== undefined && value === false ? false : MASK;
  // By its form, a setting has an array or a map of values.
  if (setting.repeat === 'keyed')
    return Object.fromEntries(
      [...(value as ReadonlyMap<string, unknown>)].map(([name, item]) => [name, setting.toJson(item)]),
    );
  if (setting.repeat === 'many') return (value as readonly unknown[]).map(setting.toJson);
  return setting.toJson(value);
}
