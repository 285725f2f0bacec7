import { BLOCK_TABLES } from './block-tables.ts';
import type { BlockName, DirectiveEntry, Setting, SettingTable } from './directive.ts';
import { FILE_SETTINGS, STREAM_BLOCKS } from './file-settings.ts';
import { FREE_FORM_DIRECTIVES } from './reserved-file-settings.ts';
import { SETTINGS_OF_LIVE, SETTINGS_OF_STREAM, SETTINGS_OF_TEMPLATE } from './stream-settings.ts';

/** Directive of the language, found by a name that it has in one kind of block. */
export type KnownDirective =
  | { readonly kind: 'setting'; readonly key: string; readonly entry: Setting<unknown> }
  | {
      readonly kind: 'stream-block';
      readonly entry: DirectiveEntry & { readonly directive: keyof typeof STREAM_BLOCKS };
    }
  | { readonly kind: 'free-form'; readonly entry: DirectiveEntry };

/** Directive that sets a value. */
export type KnownSetting = KnownDirective & { readonly kind: 'setting' };

/** Directive that is kept as written. */
export type FreeForm = KnownDirective & { readonly kind: 'free-form' };

/** Settings of every kind of block. */
export const TABLES: Readonly<Record<BlockName, SettingTable>> = {
  file: FILE_SETTINGS,
  stream: SETTINGS_OF_STREAM,
  template: SETTINGS_OF_TEMPLATE,
  live: SETTINGS_OF_LIVE,
  ...BLOCK_TABLES,
};

export const BLOCK_NAMES = Object.keys(TABLES) as readonly BlockName[]; // The keys of the record are its key type.

/** Directives by block and by name, aliases included. The order is that of the reference. */
export const DIRECTIVES: Readonly<Record<BlockName, ReadonlyMap<string, KnownDirective>>> = {
  ...knownOf(
    'api_auth',
    'api_token',
    'auth_backend',
    'vod',
    'dvr',
    'event_sink',
    'file_processor',
    'source',
    'peer',
    'rproxy',
    'logo',
  ),
  file: block(FILE_SETTINGS, FREE_FORM_DIRECTIVES, Object.values(STREAM_BLOCKS)),
  stream: block(SETTINGS_OF_STREAM),
  template: block(SETTINGS_OF_TEMPLATE),
  live: block(SETTINGS_OF_LIVE),
};

function knownOf<const N extends BlockName>(
  ...names: readonly N[]
): Readonly<Record<N, ReadonlyMap<string, KnownDirective>>> {
  // The array has one entry for each name.
  return Object.fromEntries(names.map((name) => [name, block(TABLES[name])])) as Readonly<
    Record<N, ReadonlyMap<string, KnownDirective>>
  >;
}

function block(
  settings: SettingTable,
  freeForm: readonly DirectiveEntry[] = [],
  streamBlocks: readonly (DirectiveEntry & { readonly directive: keyof typeof STREAM_BLOCKS })[] = [],
): ReadonlyMap<string, KnownDirective> {
  const known = new Map<string, KnownDirective>();
  for (const [key, entry] of Object.entries(settings)) add(known, { kind: 'setting', key, entry });
  for (const entry of streamBlocks) add(known, { kind: 'stream-block', entry });
  for (const entry of freeForm) add(known, { kind: 'free-form', entry });
  return known;
}

function add(known: Map<string, KnownDirective>, directive: KnownDirective): void {
  for (const name of [directive.entry.directive, ...(directive.entry.aliases ?? [])]) {
    if (known.has(name)) throw new Error(`The directive ${name} is entered twice`);
    known.set(name, directive);
  }
}
