import { z } from 'zod';
import type { ValueSchema } from './value-schema.ts';

/** What the reference says of a directive. */
export interface DirectiveEntry {
  /** Name as it stands in the text. */
  readonly directive: string;
  /** Other names that mean the same. */
  readonly aliases?: readonly string[];
  /** How it is written. */
  readonly usage: string;
  /** What it does, in sentences. */
  readonly doc: string;
  /** One statement that works where the directive may stand. */
  readonly example: string;
  /** Unit of a number written without one. */
  readonly unit?: string;
  /** What holds without the directive, as it would be written; absent where nothing holds. */
  readonly default?: string;
}

/**
 * How the arguments of an effective directive are taken: `value` one word; `flag` one word or none, which means true; `list` one word or more,
 * and the directive may come again; `input` an address with options, and the directive may come again.
 */
export type Form = 'value' | 'flag' | 'list' | 'input';

/** What a change of a setting of a stream needs: `restart` interrupts the stream, `update` does not. */
export type Change = 'restart' | 'update';

/** A directive that sets one value. The key of its table is the name of the value in the configuration. */
export interface Setting<T> extends DirectiveEntry {
  readonly form: Form;
  readonly change: Change;
  /** From what the form gives (undefined: not written) to the value. */
  readonly schema: z.ZodType<T>;
}

interface SettingFields extends DirectiveEntry {
  readonly change: Change;
}

/** A setting of one value with a default. */
export function setting<T>(fields: SettingFields & { readonly default: string; readonly form?: 'value' | 'flag'; readonly value: ValueSchema<T> }): Setting<T> {
  const { value, ...entry } = fields;
  return { form: 'value', ...entry, schema: value.prefault(fields.default) };
}

/** A setting of one value that is null where it is not written. */
export function optionalSetting<T>(fields: SettingFields & { readonly value: ValueSchema<T> }): Setting<T | null> {
  const { value, ...entry } = fields;
  return { form: 'value', ...entry, schema: value.nullable().default(null) };
}

/** A setting of any number of values. */
export function listSetting<T>(fields: SettingFields & { readonly value: ValueSchema<T> }): Setting<readonly T[]> {
  const { value, ...entry } = fields;
  return { form: 'list', ...entry, schema: z.array(value).default([]) };
}

/** Settings by the name of their value. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table of settings. */
export type SettingValues<T extends SettingTable> = { readonly [K in keyof T]: z.output<T[K]['schema']> };

/** The schema of all values of a table, from what the statements of a block give. */
export function tableSchema<T extends SettingTable>(table: T): z.ZodType<SettingValues<T>> {
  const shape = Object.fromEntries(Object.entries(table).map(([key, { schema }]) => [key, schema]));
  // The shape is built from the table itself, which the compiler cannot follow through Object.entries.
  return z.object(shape) as unknown as z.ZodType<SettingValues<T>>;
}

/** The blocks whose statements are known by name; `any` takes every statement. */
export type BlockName =
  | 'file'
  | 'stream'
  | 'template'
  | 'live'
  | 'api_auth'
  | 'auth_backend'
  | 'vod'
  | 'dvr'
  | 'event_sink'
  | 'file_processor'
  | 'source'
  | 'peer'
  | 'rproxy';

/** A directive that is read and kept, and has no effect yet. */
export interface LaterDirective extends DirectiveEntry {
  /** What its block may hold; without it the statements of a block are not looked at. */
  readonly block?: BlockName;
}
