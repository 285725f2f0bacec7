import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import type { Config, StreamSettings } from '../config.ts';
import { liveJson, streamJson, templateJson, topJson } from '../config-json.ts';
import type { BlockName } from '../schema/directive.ts';
import { changeValues, printDirective } from './directive-edit.ts';
import { DIRECTIVES, TABLES, type KnownDirective } from '../schema/directives.ts';
import { wordsOf } from '../parse/directive-words.ts';
import { addBlock, addStreamBlock, takesOptions, type EditedBlock } from './edit-config.ts';
import { EditProblem } from './edit-problem.ts';
import type { Draft, StatementRef } from './draft.ts';
import { mergeRecord, mergeRecords, setWords, type KnownSetting } from './json-lists.ts';
import { isSameJson, wordOf } from './json-word.ts';
import { mergeFreeForm } from './free-form-edit.ts';
import type { ConfigPath } from '../parse/problem.ts';
import { blockScope, topScope, type Scope } from './scope.ts';
import { MASK } from '../schema/secrets.ts';
import { jsonName, settingJson } from '../schema/table.ts';
import type { JsonValue } from '../schema/value-schema.ts';

type Json = Readonly<Record<string, JsonValue>>;

/** What a configuration tells of itself and takes back without meaning anything. */
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
]);
const COLLECTIONS: Readonly<Record<string, EditedBlock>> = { streams: 'stream', lives: 'live', templates: 'template' };

/**
 * Merges JSON into a configuration text (RFC 7386): what it names is changed, null removes, the rest stays. Lists are replaced as a whole, unless
 * their items say which one they mean (`$index`, with `$delete` to remove it; an item without is added then).
 *
 * @param config what the text says
 */
export function mergeJson(draft: Draft, config: Config, fragment: JsonValue): void {
  const top = objectAt(fragment, []);
  const told = topJson(config, true);
  for (const [key, value] of Object.entries(top)) {
    const kind = Object.hasOwn(COLLECTIONS, key) ? COLLECTIONS[key] : undefined;
    if (kind) mergeCollection(draft, config, kind, value, [key]);
    else mergeKey(draft, topScope(draft), key, value, told[key], config, [key]);
  }
}

function mergeCollection(draft: Draft, config: Config, kind: EditedBlock, json: JsonValue, path: ConfigPath): void {
  const current: ReadonlyMap<string, StreamSettings> = {
    stream: config.streams,
    live: config.lives,
    template: config.templates,
  }[kind];
  for (const [name, value] of Object.entries(namedItems(json, path))) {
    const place = [...path, name.slice(0, 200)];
    const find = (): StatementRef | undefined => draft.find(kind, name);
    const found = find();
    if (value === null) {
      if (found) draft.remove(found);
      continue;
    }
    const fields = objectAt(value, place);
    if (!found) addStreamBlock(draft, kind, name, []);
    const scope = blockScope(draft, kind, find);
    const told = toldOf(config, kind, name);
    for (const [key, item] of Object.entries(fields))
      mergeKey(draft, scope, key, item, told[INPUTS.has(key) ? 'inputs' : key], current.get(name), [...place, key]);
  }
}

/** How a stream, live prefix or template stands in replies now. */
function toldOf(config: Config, kind: EditedBlock, name: string): Json {
  const stream = kind === 'stream' ? config.streams.get(name) : undefined;
  if (stream) return streamJson(config, stream, { inputsKey: 'inputs', isFull: true });
  const live = kind === 'live' ? config.lives.get(name) : undefined;
  if (live) return liveJson(config, live, true);
  const template = kind === 'template' ? config.templates.get(name) : undefined;
  return template ? templateJson(config, template, true) : {};
}

const INPUTS: ReadonlySet<string> = new Set(['inputs', 'urls', 'url', 'input']);

/** @param told how the value stands in a reply now; @param values the values of the level */
function mergeKey(
  draft: Draft,
  scope: Scope,
  key: string,
  json: JsonValue,
  told: JsonValue | undefined,
  values: object | undefined,
  path: ConfigPath,
): void {
  if (READ_ONLY.has(key)) return;
  if (told !== undefined && isSameJson(told, json)) return;
  const known = settingOf(scope.block, key);
  const open = DIRECTIVES[scope.block].get(key);
  if (!known && open?.kind === 'free-form') {
    if (json === null) removeAll(scope, open);
    else mergeFreeForm(scope, open, json, told, path);
    return;
  }
  if (!known)
    throw new EditProblem(
      'config_unknown_directive',
      `There is no ${key.slice(0, 80)} in ${scope.block === 'file' ? 'the configuration' : scope.block}`,
      undefined,
      path,
    );
  // Values are looked up by the name of the setting.
  const value = (values as Readonly<Record<string, unknown>> | undefined)?.[known.key];
  if (value !== undefined && isSameJson(settingJson(known.entry, value), json)) return;
  mergeSetting(draft, scope, known, json, told, path);
}

function mergeSetting(
  draft: Draft,
  scope: Scope,
  known: KnownSetting,
  json: JsonValue,
  told: JsonValue | undefined,
  path: ConfigPath,
): void {
  const { entry } = known;
  if (json === null) removeAll(scope, known);
  else if (entry.form === 'block') mergeBlocks(draft, known, json, path);
  else if (entry.form === 'list') setWords(scope, known, json, path);
  else if (entry.form !== 'record') setValue(scope, known, json, path);
  else if (entry.repeat === 'once') mergeRecord(scope, known, scope.statements(known)[0], json, path);
  else if (entry.repeat === 'keyed') mergeNamedRecords(scope, known, json, path);
  else mergeRecords(scope, known, json, told, path);
}

function removeAll(scope: Scope, known: KnownDirective): void {
  for (let statement = scope.statements(known).at(-1); statement; statement = scope.statements(known).at(-1))
    scope.remove(statement);
}

function setValue(scope: Scope, known: KnownSetting, json: JsonValue, path: ConfigPath): void {
  const [statement] = scope.statements(known);
  if (json === MASK && known.entry.isSecret) {
    if (statement) return;
    throw new EditProblem(
      'config_bad_value',
      `${known.entry.directive}: there is no secret here that the mask could stand for`,
      undefined,
      path,
    );
  }
  const directive = { name: known.entry.directive, args: [wordOf(json, path)] };
  if (statement)
    scope.change(statement, changeValues(statement.text, statement.directive, directive, takesOptions(known)));
  else scope.insert(printDirective(directive));
}

function mergeNamedRecords(scope: Scope, known: KnownSetting, json: JsonValue, path: ConfigPath): void {
  for (const [name, value] of Object.entries(namedItems(json, path))) {
    const statement = scope.statements(known).find(({ directive }) => wordsOf(directive)[0]?.value === name);
    if (value !== null)
      mergeRecord(scope, known, statement, { ...objectAt(value, [...path, name]), name }, [...path, name]);
    else if (statement) scope.remove(statement);
  }
}

/** Blocks of the top level, with a name or without. */
function mergeBlocks(draft: Draft, known: KnownSetting, json: JsonValue, path: ConfigPath): void {
  const { entry } = known;
  const block = entry.block;
  if (!block) return;
  const isNamed = entry.repeat === 'keyed';
  for (const [name, value] of isNamed ? Object.entries(namedItems(json, path)) : [['', json] as const]) {
    const place = isNamed ? [...path, name] : path;
    const find = (): StatementRef | undefined => (isNamed ? draft.find(entry.directive, name) : draft.all(known)[0]);
    const found = find();
    if (value === null) {
      if (found) draft.remove(found);
      continue;
    }
    if (!found) addBlock(draft, known, isNamed ? `${entry.directive} ${printWord(name)}` : entry.directive, []);
    const scope = blockScope(draft, block, find);
    for (const [key, item] of Object.entries(objectAt(value, place)))
      mergeKey(draft, scope, key, item, undefined, undefined, [...place, key]);
  }
}

const SETTINGS = new Map<BlockName, ReadonlyMap<string, KnownSetting>>();

/** The setting that a name in JSON means in a block. */
function settingOf(block: BlockName, name: string): KnownSetting | undefined {
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
  return found.get(name);
}

/** Named items: an object by name, or a list of objects with a name. */
function namedItems(json: JsonValue, path: ConfigPath): Json {
  if (!Array.isArray(json)) return objectAt(json, path);
  const items = (json as readonly JsonValue[]).map((item, index) => {
    const object = objectAt(item, [...path, index]);
    const name = object['name'] ?? object['prefix'];
    if (typeof name !== 'string')
      throw new EditProblem('config_bad_value', 'An object with a name is expected here', undefined, [
        ...path,
        index,
        'name',
      ]);
    return [name, object['$delete'] === true ? null : object] as const;
  });
  return Object.fromEntries(items);
}

function objectAt(json: JsonValue, path: ConfigPath): Json {
  // Neither null nor a list: an object.
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Json;
  throw new EditProblem('config_bad_value', 'An object is expected here', undefined, path);
}
