import { z } from 'zod';
import { BLOCK_TABLES } from './block-tables.ts';
import { named, type Setting, type SettingFields, type SettingTable, type SettingValues } from './directive.ts';
import { byName } from './record.ts';
import { tableJson, tableSchema } from './table.ts';
import type { ValueSchema } from './value-schema.ts';

type Tables = typeof BLOCK_TABLES;
type BlockFields<N extends keyof Tables> = SettingFields & { readonly block: N };

/** Setting of a block that defines one object; null if it is not written. */
export function blockSetting<N extends keyof Tables>(entry: BlockFields<N>): Setting<SettingValues<Tables[N]> | null> {
  const table: Tables[N] = BLOCK_TABLES[entry.block];
  return {
    form: 'block',
    repeat: 'once',
    ...named(entry),
    schema: tableSchema(table).nullable().default(null),
    fallback: null,
    toJson: blockJson(table),
  };
}

/** Setting of blocks with a name, each of which defines an object. */
export function namedBlocksSetting<N extends keyof Tables>({
  name,
  ...entry
}: BlockFields<N> & { readonly name: ValueSchema<string> }): Setting<
  ReadonlyMap<string, SettingValues<Tables[N]> & { readonly name: string }>
> {
  const table: Tables[N] = BLOCK_TABLES[entry.block];
  const schema = z
    .array(tableSchema(table, { name }))
    .default([])
    .transform(byName<SettingValues<Tables[N]> & { readonly name: string }>);
  return { form: 'block', repeat: 'keyed', ...named(entry), schema, fallback: new Map(), toJson: blockJson(table) };
}

function blockJson(table: SettingTable): Setting<unknown>['toJson'] {
  return (value) => tableJson(table, Object(value) as object);
}
