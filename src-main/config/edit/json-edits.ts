import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import type { Config, StreamSettings } from '../config.ts';
import { liveJson, serverJson, streamJson, templateJson } from '../config-json.ts';
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
import { suggest } from '../../lib/suggest.ts';
import { blockScope, newBlockScope, topScope, type Scope } from './scope.ts';
import { MASK } from '../schema/secrets.ts';
import { jsonName, settingJson } from '../schema/table.ts';
import type { JsonValue } from '../schema/value-schema.ts';

type Json = Readonly<Record<string, JsonValue>>;

/** Keys that a configuration as JSON contains, and that are ignored when it is sent back. */
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
const COLLECTIONS = { streams: 'stream', lives: 'live', templates: 'template' } as const;

/** Settings of the server that are merged between two looks at the clock. */
const KEYS_PER_STEP = 10;

/**
 * Merges JSON into a configuration text (RFC 7386), in steps: what it names is changed, null removes, the rest stays. Lists are replaced as a whole,
 * unless their items say which one they mean (`$index`, with `$delete` to remove it; an item without is added then).
 *
 * @param config what the text says
 */
export function* mergeJson(draft: Draft, config: Config, fragment: JsonValue): Generator<void, void> {
  const { streams, lives, templates, ...settings } = objectAt(fragment, []);
  const collections = { streams, lives, templates };
  for (const key of ['streams', 'lives', 'templates'] as const) {
    const json = collections[key];
    if (json !== undefined) yield* mergeCollection(draft, config, COLLECTIONS[key], json, [key]);
  }
  const currentJson = Object.keys(settings).length > 0 ? serverJson(config, true) : {};
  yield* mergeSettings(
    { draft, scope: topScope(draft), currentJson: (key) => currentJson[key], values: config, path: [] },
    settings,
  );
}

/** The level of a configuration that JSON is merged into. */
interface Level {
  readonly draft: Draft;
  readonly scope: Scope;
  /** How a value stands in replies now, by its key in JSON. */
  readonly currentJson: (key: string) => JsonValue | undefined;
  /** The values of the level. */
  readonly values: object | undefined;
  readonly path: ConfigPath;
}

function* mergeCollection(
  draft: Draft,
  config: Config,
  kind: EditedBlock,
  json: JsonValue,
  path: ConfigPath,
): Generator<void, void> {
  const current: ReadonlyMap<string, StreamSettings> = {
    stream: config.streams,
    live: config.lives,
    template: config.templates,
  }[kind];
  for (const [name, value] of Object.entries(namedItems(json, path))) {
    yield;
    const place = [...path, name.slice(0, 200)];
    const found = draft.find(kind, name);
    if (value === null) {
      if (found) draft.removeBlock(found);
      continue;
    }
    const fields = objectAt(value, place);
    const scope = found
      ? blockScope(draft, kind, found)
      : newBlockScope(kind, addStreamBlock(draft, kind, name, [], place));
    const currentJson = currentOf(config, kind, name);
    const settingOf = (key: string): JsonValue | undefined => currentJson[INPUTS.has(key) ? 'inputs' : key];
    yield* mergeSettings({ draft, scope, currentJson: settingOf, values: current.get(name), path: place }, fields);
  }
}

/** How a stream, live prefix or template stands in replies now. */
function currentOf(config: Config, kind: EditedBlock, name: string): Json {
  const stream = kind === 'stream' ? config.streams.get(name) : undefined;
  if (stream) return streamJson(config, stream, { inputsKey: 'inputs', isFull: true });
  const live = kind === 'live' ? config.lives.get(name) : undefined;
  if (live) return liveJson(config, live, true);
  const template = kind === 'template' ? config.templates.get(name) : undefined;
  return template ? templateJson(config, template, true) : {};
}

const INPUTS: ReadonlySet<string> = new Set(['inputs', 'urls', 'url', 'input']);

/** Merges the settings of a level. Each may be named once, by whichever of its names. */
function* mergeSettings(level: Level, json: Json): Generator<void, void> {
  const named = new Map<KnownDirective, string>();
  for (const [count, [key, value]] of Object.entries(json).entries()) {
    if (count % KEYS_PER_STEP === KEYS_PER_STEP - 1) yield;
    if (READ_ONLY.has(key)) continue;
    const place = [...level.path, key.slice(0, 200)];
    const known = meaningOf(level.scope.block, key, place);
    const before = named.get(known);
    if (before !== undefined)
      throw new EditProblem('config_duplicate', `${key} and ${before} mean the same`, undefined, place);
    named.set(known, key);
    yield* mergeSetting({ ...level, path: place }, known, value, level.currentJson(key));
  }
}

function meaningOf(block: BlockName, key: string, path: ConfigPath): KnownSetting | FreeForm {
  const known = settingOf(block, key) ?? DIRECTIVES[block].get(key);
  if (known && known.kind !== 'stream-block') return known;
  const similar = suggest(key, namesOf(block).keys());
  throw new EditProblem(
    'config_unknown_directive',
    `There is no ${key.slice(0, 80)} in ${block === 'file' ? 'the configuration' : block}${similar === undefined ? '' : `; did you mean ${similar}?`}`,
    undefined,
    path,
  );
}

type FreeForm = KnownDirective & { readonly kind: 'free-form' };

function* mergeSetting(
  { draft, scope, values, path }: Level,
  known: KnownSetting | FreeForm,
  json: JsonValue,
  currentJson: JsonValue | undefined,
): Generator<void, void> {
  if (currentJson !== undefined && isSameJson(currentJson, json)) return;
  if (json === null) {
    for (const statement of scope.statements(known)) scope.remove(statement);
    return;
  }
  if (known.kind === 'free-form') {
    mergeFreeForm(scope, known, json, currentJson, path);
    return;
  }
  const { entry } = known;
  // Values are looked up by the name of the setting.
  const value = (values as Readonly<Record<string, unknown>> | undefined)?.[known.key];
  if (value !== undefined && isSameJson(settingJson(entry, value), json)) return;
  if (entry.form === 'block') yield* mergeBlocks(draft, known, json, path);
  else if (entry.form === 'list') yield* setWords(scope, known, json, path);
  else if (entry.form !== 'record') setValue(scope, known, json, path);
  else if (entry.repeat === 'once') mergeRecord(scope, known, scope.statements(known)[0], json, path);
  else if (entry.repeat === 'keyed') mergeNamedRecords(scope, known, json, path);
  else yield* mergeRecords(scope, known, json, currentJson, path);
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
  if (Array.isArray(json)) throw new EditProblem('config_bad_value', 'One value is expected here', undefined, path);
  const directive = { name: known.entry.directive, args: [wordOf(json, path)] };
  if (statement)
    scope.change(statement, changeValues(statement.text, statement.directive, directive, takesOptions(known)));
  else scope.insert(printDirective(directive));
}

function mergeNamedRecords(scope: Scope, known: KnownSetting, json: JsonValue, path: ConfigPath): void {
  const present = new Map<string | undefined, StatementRef>();
  for (const statement of scope.statements(known).toReversed())
    present.set(wordsOf(statement.directive)[0]?.value, statement);
  for (const [name, value] of Object.entries(namedItems(json, path))) {
    const statement = present.get(name);
    if (value !== null)
      mergeRecord(scope, known, statement, { ...objectAt(value, [...path, name]), name }, [...path, name]);
    else if (statement) scope.remove(statement);
  }
}

/** Blocks of the top level, with a name or without. */
function* mergeBlocks(draft: Draft, known: KnownSetting, json: JsonValue, path: ConfigPath): Generator<void, void> {
  const { block, directive, repeat } = known.entry;
  if (!block) return;
  const isNamed = repeat === 'keyed';
  for (const [name, value] of isNamed ? Object.entries(namedItems(json, path)) : [['', json] as const]) {
    yield;
    const place = isNamed ? [...path, name] : path;
    const found = isNamed ? draft.find(directive, name) : draft.all(known)[0];
    if (value === null) {
      if (found) draft.removeBlock(found);
      continue;
    }
    const fields = objectAt(value, place);
    const head = isNamed ? `${directive} ${printWord(name)}` : directive;
    const scope = found ? blockScope(draft, block, found) : newBlockScope(block, addBlock(draft, known, head));
    yield* mergeSettings({ draft, scope, currentJson: () => undefined, values: undefined, path: place }, fields);
  }
}

const SETTINGS = new Map<BlockName, ReadonlyMap<string, KnownSetting>>();

/** The setting that a name in JSON means in a block. */
function settingOf(block: BlockName, name: string): KnownSetting | undefined {
  return namesOf(block).get(name);
}

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

/** Named items: an object by name, or a list of objects with a name. */
function namedItems(json: JsonValue, path: ConfigPath): Json {
  if (!Array.isArray(json)) return objectAt(json, path);
  const items = new Map<string, JsonValue>();
  for (const [index, item] of (json as readonly JsonValue[]).entries()) {
    const object = objectAt(item, [...path, index]);
    const name = object['name'] ?? object['prefix'];
    const place = [...path, index, 'name'];
    if (typeof name !== 'string')
      throw new EditProblem('config_bad_value', 'An object with a name is expected here', undefined, place);
    if (items.has(name))
      throw new EditProblem('config_duplicate', `${name.slice(0, 80)} is in this list already`, undefined, place);
    items.set(name, object['$delete'] === true ? null : object);
  }
  return Object.fromEntries(items);
}

function objectAt(json: JsonValue, path: ConfigPath): Json {
  // Neither null nor a list: an object.
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Json;
  throw new EditProblem('config_bad_value', 'An object is expected here', undefined, path);
}
