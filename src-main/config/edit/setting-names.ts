import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { suggest } from '../../lib/suggest.ts';
import { withSuggestion, type ConfigPath } from '../parse/problem.ts';
import type { BlockName } from '../schema/directive.ts';
import { DIRECTIVES, TABLES, type FreeForm, type KnownDirective, type KnownSetting } from '../schema/directives.ts';
import { jsonName } from '../schema/table.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import { EditProblem } from './edit-problem.ts';
import type { Json } from './json-objects.ts';

interface NamedSetting {
  readonly known: KnownSetting | FreeForm;
  /** Its name in JSON. */
  readonly key: string;
  readonly json: JsonValue;
  readonly path: ConfigPath;
}

/** Keys of a configuration as JSON that are ignored when they are sent back. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'name',
  'prefix',
  'position_global',
  'cluster_key_global',
  'effective',
  'named_by',
  'stats',
  'config_on_disk',
  'version',
  'warnings',
  'effect',
]);
/**
 * Settings that JSON names in a block, by any of their names. Raises `config_duplicate` if a setting is named twice, and
 * `config_unknown_directive`.
 */
export function* namedSettings(block: BlockName, json: Json, path: ConfigPath): Generator<NamedSetting, void> {
  const named = new Map<KnownDirective, string>();
  for (const [key, value] of Object.entries(json)) {
    if (READ_ONLY.has(key)) continue;
    const settingPath = [...path, key.slice(0, 200)];
    const known = meaningOf(block, key, settingPath);
    const before = named.get(known);
    if (before !== undefined)
      throw new EditProblem(because('keys_mean_same', { name: key, other: before }), settingPath, 'config_duplicate');
    named.set(known, key);
    yield { known, key, json: value, path: settingPath };
  }
}

/** Directive for a name in JSON, which may be any of its names in JSON or in the text. Raises `config_unknown_directive`. */
function meaningOf(block: BlockName, key: string, path: ConfigPath): KnownSetting | FreeForm {
  const known = namesOf(block).get(key) ?? DIRECTIVES[block].get(key);
  if (known && known.kind !== 'stream-block') return known;
  const similar = suggest(key, namesOf(block).keys());
  throw new EditProblem(
    withSuggestion(
      block === 'file'
        ? because('key_of_configuration_unknown', { name: key.slice(0, 80) })
        : because('key_of_block_unknown', { name: key.slice(0, 80), block }),
      similar,
    ),
    path,
    'config_unknown_directive',
  );
}

const SETTINGS = new Map<BlockName, ReadonlyMap<string, KnownSetting>>();

function namesOf(block: BlockName): ReadonlyMap<string, KnownSetting> {
  let found = SETTINGS.get(block);
  if (!found) {
    const all = new Map<string, KnownSetting>();
    for (const { directive } of Object.values(TABLES[block])) {
      const known = DIRECTIVES[block].get(directive);
      if (known?.kind !== 'setting') continue;
      for (const key of [
        ...(known.entry.jsonAliases ?? []),
        directive,
        ...(known.entry.aliases ?? []),
        jsonName(known.entry),
      ])
        if (!all.has(key) || key === jsonName(known.entry)) all.set(key, known);
    }
    SETTINGS.set(block, (found = all));
  }
  return found;
}
