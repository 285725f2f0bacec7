import { z } from 'zod';
import { jsonForm, type JsonValue, type ValueSchema } from './value-schema.ts';

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
 * How a directive is written: `value` one word; `flag` one word or none, which means true; `list` one word or more; `record` words and options that
 * make an object; `block` a block of settings, which makes an object too.
 */
type Form = 'value' | 'flag' | 'list' | 'record' | 'block';

/** How often a directive may come: `once` in a block; `many` times; or `keyed`, many times with different names. Lists may always come again. */
type Repeat = 'once' | 'many' | 'keyed';

/** How many records of one kind a block may have, such as inputs. */
export const MAX_RECORDS = 1000;

/** What a change of a setting of a stream needs: `restart` interrupts the stream, `update` does not. */
type Change = 'restart' | 'update';

/** Where the value of a field stands: in one word, in all words that are left, in one option, or in all options that are left. */
type FieldPlace = 'arg' | 'args' | 'option' | 'others' | 'pairs';

/** One part of a directive that makes an object. */
export interface Field<T> {
  readonly place: FieldPlace;
  /** Key of the option in the text, and name in JSON. */
  readonly name: string | undefined;
  /** From what stands there (undefined: nothing) to the value. */
  readonly schema: z.ZodType<T>;
  readonly isRequired: boolean;
  /** What holds where nothing stands there; not shown in JSON. */
  readonly fallback: unknown;
  /** Which words are meant, for words that may come in any order. */
  readonly match?: RegExp;
  /** What a number of JSON gets as a word, to be shown from other words. */
  readonly unit?: string;
  readonly isSecret?: boolean;
  /** Masks a word for readers; default: as an address. */
  readonly mask?: (word: string) => string;
  /** Whether, in JSON, the options that are left stand beside the other fields instead of under the name. */
  readonly isFlat?: boolean;
  /** Names of the options that are left that have a meaning; those that nearly have the name of one are refused. */
  readonly known?: readonly string[];
  /** Whether an option that is left has an effect beside the first word of the directive. */
  readonly isRead?: (name: string, word: string) => boolean;
  /** Which words have an effect in this version; without it all have. */
  readonly hasEffect?: (word: string) => boolean;
  readonly toJson: (value: unknown) => JsonValue;
}

/** The parts of a directive by the name of their value; words in the order in which they are written. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** A directive that sets one value. The key of its table is the name of the value in the configuration. */
export interface Setting<T> extends DirectiveEntry {
  readonly form: Form;
  readonly repeat: Repeat;
  readonly change: Change;
  /** From what the form gives (undefined: not written) to the value. */
  readonly schema: z.ZodType<T>;
  /** What holds where nothing is written. */
  readonly fallback: T;
  /** The words and options of a record. */
  readonly fields?: Fields;
  /** The settings of a block. */
  readonly block?: BlockName;
  /** Whether the value must not be shown. */
  readonly isSecret?: boolean;
  /** The word of a secret setting that is no secret, because it switches it off. Its value is false. */
  readonly offWord?: string;
  /** Whether it is read and checked, and nothing makes use of it yet. */
  readonly isReserved?: boolean;
  /** Which words of a single value have an effect in this version; without it all have. */
  readonly hasEffect?: (word: string) => boolean;
  /** Its name in JSON; that of the directive without one. */
  readonly json?: string;
  /** Further names that JSON may use for it. */
  readonly jsonAliases?: readonly string[];
  /** How one value stands in JSON (one item of a list); of records and blocks the fields have it. */
  readonly toJson: (value: unknown) => JsonValue;
}

/** What all kinds of settings are made with. */
export interface SettingFields extends DirectiveEntry {
  readonly change: Change;
  readonly isSecret?: boolean;
  readonly offWord?: string;
  readonly isReserved?: boolean;
  readonly hasEffect?: (word: string) => boolean;
  readonly json?: string;
  readonly jsonAliases?: readonly string[];
}

/** A setting of one value with a default. */
export function setting<T>(
  fields: SettingFields & {
    readonly default: string;
    readonly form?: 'value' | 'flag';
    readonly value: ValueSchema<T>;
  },
): Setting<T> {
  const { value, ...entry } = fields;
  return {
    form: 'value',
    repeat: 'once',
    ...entry,
    schema: value.prefault(fields.default),
    fallback: value.parse(fields.default),
    toJson: jsonForm(value),
  };
}

/** A setting of one value that is null where it is not written. */
export function optionalSetting<T>(
  fields: SettingFields & { readonly form?: 'value' | 'flag'; readonly value: ValueSchema<T> },
): Setting<T | null> {
  const { value, ...entry } = fields;
  return {
    form: 'value',
    repeat: 'once',
    ...entry,
    schema: value.nullable().default(null),
    fallback: null,
    toJson: jsonForm(value),
  };
}

/** A setting of any number of values. */
export function listSetting<T>(fields: SettingFields & { readonly value: ValueSchema<T> }): Setting<readonly T[]> {
  const { value, ...entry } = fields;
  const fallback: readonly T[] = [];
  return {
    form: 'list',
    repeat: 'many',
    ...entry,
    schema: z.array(value).default([]),
    fallback,
    toJson: jsonForm(value),
  };
}

/** Settings by the name of their value. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table of settings. */
export type SettingValues<T extends SettingTable> = { readonly [K in keyof T]: z.output<T[K]['schema']> };

/** The blocks whose statements are known by name. */
export type BlockName =
  | 'file'
  | 'stream'
  | 'template'
  | 'live'
  | 'api_auth'
  | 'api_token'
  | 'auth_backend'
  | 'vod'
  | 'dvr'
  | 'event_sink'
  | 'file_processor'
  | 'source'
  | 'peer'
  | 'rproxy'
  | 'logo';

/** A directive that is read and kept as written, and has no effect yet. */
export interface FreeFormDirective extends DirectiveEntry {
  /** Marks it as taking any statements in its block. */
  readonly isFreeForm: true;
}
