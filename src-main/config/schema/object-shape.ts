import { z } from 'zod';
import { optionsSchema } from '../../../src-preload/contract/api/api-parts.ts';
import type { Field, Fields, Setting, SettingTable } from './directive.ts';
import { fieldName } from './record.ts';
import { jsonName } from './table.ts';
import { jsonTypeOf } from './value-schema.ts';

/**
 * Fields of an API object that describes a block of the configuration: those settings of the block's table that have `about`.
 * Fields are required if their setting has a default.
 * @param shown names of settings without a default that every object contains anyway
 */
export function objectShape(table: SettingTable, shown: readonly string[] = []): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(
    Object.values(table).flatMap((setting) => {
      const { about } = setting;
      const name = jsonName(setting);
      return about === undefined ? [] : [[name, settingType(setting, about, shown.includes(name))]];
    }),
  );
}

function settingType(setting: Setting<unknown>, about: string | z.ZodType, isShown: boolean): z.ZodType {
  if (about instanceof z.ZodType) return about;
  const { value, fields, repeat, fallback } = setting;
  const one = fields ? recordType(fields) : jsonTypeOf(value);
  const type = repeat === 'many' ? z.array(one) : one;
  const isOptional = !isShown && (fallback === null || Array.isArray(fallback));
  // Items of a list are identified by the first word of their directive.
  const key = repeat === 'many' && fields ? { 'x-key': Object.keys(fields)[0] } : {};
  return (isOptional ? type.optional() : type).meta({ ...key, description: about });
}

function recordType(fields: Fields): z.ZodType {
  const entries = Object.entries(fields);
  const named = entries.filter(([, { about }]) => about !== undefined);
  const object = z.object(Object.fromEntries(named.map(([key, field]) => [fieldName(key, field), fieldType(field)])));
  if (named.length > 0) return named.length < entries.length ? object.catchall(z.string()) : object;
  return entries.some(([, { place }]) => place === 'pairs') ? z.array(z.array(z.string())) : optionsSchema;
}

function fieldType({ about = '', value, place, isRequired }: Field<unknown>): z.ZodType {
  if (about instanceof z.ZodType) return about;
  const type = place === 'others' ? optionsSchema : jsonTypeOf(value);
  return (isRequired ? type : type.optional()).describe(about);
}
