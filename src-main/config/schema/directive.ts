import { z } from 'zod';
import { flagSchema, jsonForm, unitOf, type JsonValue, type ValueSchema } from './value-schema.ts';

export interface DirectiveEntry {
  /** Name in the text. */
  readonly directive: string;
  /** Equivalent names. */
  readonly aliases?: readonly string[];
  /** Syntax. */
  readonly usage: string;
  /** Description in sentences. */
  readonly doc: string;
  /** Valid statement, in the block of the directive. */
  readonly example: string;
  /** Unit of a number that is written without a unit. */
  readonly unit?: string;
  /** Default in the form in which it would be written; absent if there is none. */
  readonly default?: string;
}

/**
 * Form of a directive: `value`: one word; `flag`: one word, or none for true; `list`: at least one word; `record`: words and
 * options that define an object; `block`: a block of settings that defines an object.
 */
type Form = 'value' | 'flag' | 'list' | 'record' | 'block';

/**
 * Number of times that a directive may appear: `once` in a block; `many` times; or `keyed`, many times with different names.
 * Lists may always appear again.
 */
type Repeat = 'once' | 'many' | 'keyed';

/** Maximum number of records of one kind in a block, such as inputs. */
export const MAX_RECORDS = 1000;

/** Effect of a changed setting on a running stream: `restart` interrupts it, `update` does not. */
type Change = 'restart' | 'update';

/** Source of the value of a field: one word, all remaining words, one option, all remaining options, or all options as pairs. */
type FieldPlace = 'arg' | 'args' | 'option' | 'others' | 'pairs';

/** Part of a directive that defines an object. */
export interface Field<T> {
  readonly place: FieldPlace;
  /** Key of the option in the text, and name in JSON. */
  readonly name: string | undefined;
  /** Converts the written text (undefined: absent) to the value. */
  readonly schema: z.ZodType<T>;
  /** Schema of a word; absent for several options. */
  readonly value?: z.ZodType;
  /** Description in the objects of the APIs, or type there; absent if the field is not part of these objects. */
  readonly about?: string | z.ZodType;
  readonly isRequired: boolean;
  /** Value if nothing is written; left out in JSON. */
  readonly fallback: unknown;
  /** Pattern of the words of the field, if fields may come in any order. */
  readonly match?: RegExp;
  /** Unit added to a number in JSON, to distinguish the word from others. */
  readonly unit?: string;
  readonly isSecret?: boolean;
  /** Whether an invalid word is hidden in errors, because it may contain a secret at any place. */
  readonly isHiddenIfInvalid?: boolean;
  /** Hides the secrets of a word; default: those that an address may have. */
  readonly mask?: (word: string) => string;
  /**
   * Whether the remaining options are fields of the JSON object itself. Otherwise they are in an object under the name of the
   * field.
   */
  readonly isFlat?: boolean;
  /** Known names among the remaining options. Similar names are refused as misspellings. */
  readonly known?: readonly string[];
  /** Whether an option has an effect together with the first word of the directive. */
  readonly isRead?: (name: string, word: string) => boolean;
  /** Whether a word has an effect in this version; absent if all have. */
  readonly hasEffect?: (word: string) => boolean;
  readonly toJson: (value: unknown) => JsonValue;
}

/** Parts of a directive by the name of their value. Words have the order in which they are written. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** Directive that sets one value. Its key in the table is the name of the value in the configuration. */
export interface Setting<T> extends DirectiveEntry {
  readonly form: Form;
  readonly repeat: Repeat;
  /**
   * Effect of a change on running streams. Only for settings of streams, where a test requires it: changes of other settings do
   * not affect running streams.
   */
  readonly change?: Change;
  /** Converts the written form (undefined: absent) to the value. */
  readonly schema: z.ZodType<T>;
  /** Value if nothing is written. */
  readonly fallback: T;
  /** Schema of one value, as written; absent for records and blocks. */
  readonly value?: z.ZodType;
  /**
   * Description of the setting in the objects of the APIs, or type there with a description; absent if it is not part of these
   * objects.
   */
  readonly about?: string | z.ZodType;
  /** Words and options of a record. */
  readonly fields?: Fields;
  /** Settings of a block. */
  readonly block?: BlockName;
  /** Whether the value must not be shown. */
  readonly isSecret?: boolean;
  /** Word that switches a secret setting off. It is not a secret, and its value is false. */
  readonly offWord?: string;
  /** Whether the setting is validated but has no effect yet. */
  readonly isReserved?: boolean;
  /** Whether a single word has an effect in this version; absent if all have. */
  readonly hasEffect?: (word: string) => boolean;
  /** Name in JSON; default: name of the directive. */
  readonly json?: string;
  /** Further names in JSON. */
  readonly jsonAliases?: readonly string[];
  /** Converts one item of a list from JSON to a word; absent if the JSON item is the word. */
  readonly toWord?: (json: JsonValue) => JsonValue;
  /** Converts one value (one item of a list) to JSON. Records and blocks use the conversions of their fields. */
  readonly toJson: (value: unknown) => JsonValue;
}

/** Common fields of all kinds of settings. The first word of `usage` is the name of the directive. */
export type SettingFields = Omit<DirectiveEntry, 'directive'> &
  Pick<
    Setting<unknown>,
    'change' | 'about' | 'isSecret' | 'offWord' | 'isReserved' | 'hasEffect' | 'json' | 'jsonAliases' | 'toWord'
  >;

/** Adds the name of the directive to the fields of a setting. */
export function named<T extends { readonly usage: string }>(fields: T): T & { readonly directive: string } {
  return { ...fields, directive: /^[a-z0-9_]+/.exec(fields.usage)?.[0] ?? '' };
}

/** Adds the name of the directive, and the unit of its value. */
function ofValue<T extends { readonly usage: string; readonly value: ValueSchema<unknown> }>(
  fields: T,
): T & Pick<DirectiveEntry, 'directive' | 'unit'> {
  const unit = unitOf(fields.value);
  return { ...(unit === undefined ? {} : { unit }), ...named(fields) };
}

export function setting<T>(
  fields: SettingFields & {
    readonly default: string;
    readonly form?: 'value' | 'flag';
    readonly value: ValueSchema<T>;
  },
): Setting<T> {
  const { value } = fields;
  return {
    form: 'value',
    repeat: 'once',
    ...ofValue(fields),
    schema: value.prefault(fields.default),
    fallback: value.parse(fields.default),
    toJson: jsonForm(value),
  };
}

/** Setting that is true or false. The directive without a word means true; without the directive it is false. */
export function flagSetting({
  directive,
  ...fields
}: Omit<SettingFields, 'usage'> &
  Pick<DirectiveEntry, 'directive'> & { readonly default?: 'true' | 'false' }): Setting<boolean> {
  const usage = `${directive} [true|false];`;
  return setting({ default: 'false', ...fields, form: 'flag', usage, value: flagSchema });
}

/** Setting of one value; null if the directive is not written. */
export function optionalSetting<T>(
  fields: SettingFields & { readonly form?: 'value' | 'flag'; readonly value: ValueSchema<T> },
): Setting<T | null> {
  const { value } = fields;
  return {
    form: 'value',
    repeat: 'once',
    ...ofValue(fields),
    schema: value.nullable().default(null),
    fallback: null,
    toJson: jsonForm(value),
  };
}

export function listSetting<T>(fields: SettingFields & { readonly value: ValueSchema<T> }): Setting<readonly T[]> {
  const { value } = fields;
  const fallback: readonly T[] = [];
  return {
    form: 'list',
    repeat: 'many',
    ...ofValue(fields),
    schema: z.array(value).default([]),
    fallback,
    toJson: jsonForm(value),
  };
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type SettingValues<T extends SettingTable> = { readonly [K in keyof T]: z.output<T[K]['schema']> };

/** Blocks with known statements. */
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
