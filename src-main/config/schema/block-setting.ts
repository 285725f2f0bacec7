import { z } from 'zod';
import type { BlockName, Setting, SettingFields, SettingTable, SettingValues } from './directive.ts';
import { byName } from './record.ts';
import { tableJson, tableSchema } from './table.ts';
import type { ValueSchema } from './value-schema.ts';

type BlockFields<T extends SettingTable> = SettingFields & { readonly block: BlockName; readonly table: T };

/** Block that makes one object; null if it is not written. */
export function blockSetting<T extends SettingTable>(fields: BlockFields<T>): Setting<SettingValues<T> | null> {
  const { table, ...entry } = fields;
  return {
    form: 'block',
    repeat: 'once',
    ...entry,
    schema: tableSchema(table).nullable().default(null),
    fallback: null,
    toJson: blockJson(table),
  };
}

/** Block with a name; each one makes an object. */
export function namedBlocksSetting<T extends SettingTable>(
  fields: BlockFields<T> & { readonly name: ValueSchema<string> },
): Setting<ReadonlyMap<string, SettingValues<T> & { readonly name: string }>> {
  const { table, name, ...entry } = fields;
  const schema = z
    .array(tableSchema(table, { name }))
    .default([])
    .transform(byName<SettingValues<T> & { readonly name: string }>);
  return { form: 'block', repeat: 'keyed', ...entry, schema, fallback: new Map(), toJson: blockJson(table) };
}

function blockJson(table: SettingTable): Setting<unknown>['toJson'] {
  return (value) => tableJson(table, Object(value) as object);
}
