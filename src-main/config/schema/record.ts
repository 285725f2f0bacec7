import { z } from 'zod';
import { named, type Field, type Fields, type Setting, type SettingFields } from './directive.ts';
import { isSecretKey, MASK, masked } from './secrets.ts';
import { flagSchema, jsonForm, type JsonValue, type ValueSchema } from './value-schema.ts';

export type FieldValues<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/**
 * Required word of a directive.
 * @param name name in JSON, if it differs from the key of the field
 * @param match pattern of the word, if words may come in any order
 */
export function arg<T>(value: ValueSchema<T>, name?: string, match?: RegExp): Field<T> {
  return {
    place: 'arg',
    name,
    value,
    schema: value,
    isRequired: true,
    fallback: null,
    toJson: jsonForm(value),
    ...(match ? { match } : {}),
  };
}

/** Required word that must not be shown. */
export function secretArg<T>(value: ValueSchema<T>, name?: string): Field<T> {
  return { ...arg(value, name), isSecret: true };
}

/** Optional word; parameters as for `arg`. */
export function optionalArg<T>(value: ValueSchema<T>, name?: string, match?: RegExp): Field<T | null> {
  return { ...arg(value, name, match), schema: value.nullable().default(null), isRequired: false };
}

/** Field with its description in the objects of the APIs, or its type there. */
export function described<T>(field: Field<T>, about: string | z.ZodType): Field<T> {
  return { ...field, about };
}

/** Optional option. @param about description in the objects of the APIs, or its type there */
export function option<T>(name: string, value: ValueSchema<T>, about?: string | z.ZodType): Field<T | null> {
  return {
    place: 'option',
    name,
    value,
    ...(about === undefined ? {} : { about }),
    schema: value.nullable().default(null),
    isRequired: false,
    fallback: null,
    toJson: jsonForm(value),
  };
}

/** Field of which this version uses only some words. */
export function partly<T>(field: Field<T>, hasEffect: (word: string) => boolean): Field<T> {
  return { ...field, hasEffect };
}

/** Boolean option; default off. */
export function flagOption(name: string): Field<boolean> {
  return {
    place: 'option',
    name,
    value: flagSchema,
    schema: flagSchema.prefault('false'),
    isRequired: false,
    fallback: false,
    toJson: jsonForm(flagSchema),
  };
}

/** All options that belong to no other field. @param name name in JSON; without one they are fields of the object */
export function otherOptions(name?: string): Field<Readonly<Record<string, string>>> {
  const schema = z.record(z.string(), z.string()).default({});
  return {
    place: 'others',
    name,
    schema,
    isRequired: false,
    fallback: null,
    isFlat: name === undefined,
    toJson: maskedOptions,
  };
}

/** All options in order; keys may repeat. */
export function optionPairs(): Field<readonly (readonly [string, string])[]> {
  const schema = z.array(z.tuple([z.string(), z.string()])).default([]);
  // The schema returns pairs of strings.
  const toJson = (value: unknown): JsonValue =>
    (value as readonly (readonly [string, string])[]).map(([key, text]) => [key, masked(text, isSecretKey(key))]);
  return { place: 'pairs', name: undefined, schema, isRequired: false, fallback: null, toJson };
}

function maskedOptions(value: unknown): JsonValue {
  // The schema of the options returns strings.
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, string>>).map(([key, text]) => [
      key,
      masked(text, isSecretKey(key)),
    ]),
  );
}

type RecordFields<F extends Fields> = SettingFields & { readonly fields: F };

/** Setting of a directive that defines one object; null if it is not written. */
export function recordSetting<F extends Fields>(entry: RecordFields<F>): Setting<FieldValues<F> | null> {
  return {
    form: 'record',
    repeat: 'once',
    ...named(entry),
    schema: fieldSchema(entry.fields).nullable().default(null),
    fallback: null,
    toJson: recordJson(entry.fields),
  };
}

/** Setting of a directive that defines an object each time it is written. */
export function recordsSetting<F extends Fields>(entry: RecordFields<F>): Setting<readonly FieldValues<F>[]> {
  return {
    form: 'record',
    repeat: 'many',
    ...named(entry),
    schema: z.array(fieldSchema(entry.fields)).default([]),
    fallback: [],
    toJson: recordJson(entry.fields),
  };
}

/** Setting of a directive that defines a named object each time it is written. Its first word is the name. */
export function namedRecordsSetting<F extends Fields & { readonly name: Field<string> }>(
  entry: RecordFields<F>,
): Setting<ReadonlyMap<string, FieldValues<F>>> {
  const schema = z
    .array(fieldSchema(entry.fields))
    .default([])
    .transform(byName<FieldValues<F>>);
  return {
    form: 'record',
    repeat: 'keyed',
    ...named(entry),
    schema,
    fallback: new Map(),
    toJson: recordJson(entry.fields),
  };
}

/** Items by name. The parser reports duplicate names, because it knows their positions. */
export function byName<T>(items: readonly T[]): ReadonlyMap<string, T> {
  // All items have a name, but the computed type of the fields cannot express this.
  return new Map(items.map((item) => [(item as { readonly name: string }).name, item]));
}

export function fieldName(key: string, field: Field<unknown>): string {
  return field.name ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function fieldSchema<F extends Fields>(fields: F): z.ZodType<FieldValues<F>> {
  // The shape is built from the fields themselves, but the compiler cannot follow this through Object.entries.
  return z.object(
    Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema])),
  ) as unknown as z.ZodType<FieldValues<F>>;
}

function recordJson(fields: Fields): (value: unknown) => JsonValue {
  const entries = Object.entries(fields);
  const [only] = entries;
  if (only && entries.length === 1 && (only[1].place === 'pairs' || only[1].isFlat === true))
    return (value) => only[1].toJson(valueOf(value, only[0]));
  return (value) => {
    const json: Record<string, JsonValue> = {};
    for (const [key, field] of entries) {
      const part = valueOf(value, key);
      if (part === null || part === field.fallback) continue;
      const form = field.isSecret ? MASK : field.toJson(part);
      if (field.isFlat) Object.assign(json, form);
      else if (field.place !== 'others' || Object.keys(form as object).length > 0) json[fieldName(key, field)] = form;
    }
    return json;
  };
}

function valueOf(record: unknown, key: string): unknown {
  // The value of a record is an object with the keys of its fields.
  return (record as Readonly<Record<string, unknown>>)[key];
}
