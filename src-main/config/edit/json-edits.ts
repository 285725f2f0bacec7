import { printWord } from '../../../src-preload/contract/config-language/text-literal.ts';
import type { Config, StreamSettings } from '../schema/config.ts';
import { liveJson, serverJson, streamJson, templateJson } from '../config-json.ts';
import type { ConfigPath } from '../parse/problem.ts';
import type { KnownSetting } from '../schema/directives.ts';
import type { JsonValue } from '../schema/value-schema.ts';
import type { Draft } from './draft.ts';
import { addBlock, addStreamBlock, type EditedBlock } from './edit-config.ts';
import { namedItems, objectAt, type Json } from './json-objects.ts';
import { isUnchanged, mergeSetting } from './merge-setting.ts';
import { blockScope, newBlockScope, topScope, type Scope } from './scope.ts';
import { namedSettings } from './setting-names.ts';

const COLLECTIONS = { streams: 'stream', lives: 'live', templates: 'template' } as const;

/** Number of settings that are merged between two checks of the time. */
const KEYS_PER_STEP = 10;

/**
 * Merges JSON into a configuration text (RFC 7386), in steps: named values change, null removes, the rest stays. Lists are
 * replaced, unless items have an `$index`: such an item is edited, or removed with `$delete`, and items without an `$index` are
 * added.
 * @param config configuration of the text
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

/** Level of a configuration that JSON is merged into. */
interface Level {
  readonly draft: Draft;
  readonly scope: Scope;
  /** Value that replies currently show, by its key in JSON. */
  readonly currentJson: (key: string) => JsonValue | undefined;
  /** Values of the level. */
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
    live: config.livePrefixes,
    template: config.templates,
  }[kind];
  for (const [name, value] of Object.entries(namedItems(json, path))) {
    yield;
    const itemPath = [...path, name.slice(0, 200)];
    const found = draft.find(kind, name);
    if (value === null) {
      if (found) draft.removeBlock(found);
      continue;
    }
    const fields = objectAt(value, itemPath);
    // A stream that names a template, or null for none, inherits nothing by its name.
    const isOwn = kind !== 'stream' || Object.hasOwn(fields, 'template');
    const scope = found
      ? blockScope(draft, kind, found)
      : newBlockScope(
          kind,
          addStreamBlock(draft, kind, name, [], { path: itemPath, config: isOwn ? undefined : config }),
        );
    const currentJson = currentOf(config, kind, name);
    const settingOf = (key: string): JsonValue | undefined => currentJson[INPUTS.has(key) ? 'inputs' : key];
    yield* mergeSettings({ draft, scope, currentJson: settingOf, values: current.get(name), path: itemPath }, fields);
  }
}

/** Values of a stream, live prefix or template that replies currently show. */
function currentOf(config: Config, kind: EditedBlock, name: string): Json {
  const stream = kind === 'stream' ? config.streams.get(name) : undefined;
  if (stream) return streamJson(config, stream, { inputsKey: 'inputs', isFull: true });
  const live = kind === 'live' ? config.livePrefixes.get(name) : undefined;
  if (live) return liveJson(config, live, true);
  const template = kind === 'template' ? config.templates.get(name) : undefined;
  return template ? templateJson(config, template, true) : {};
}

const INPUTS: ReadonlySet<string> = new Set(['inputs', 'urls', 'url', 'input']);

function* mergeSettings({ draft, scope, currentJson, values, path }: Level, json: Json): Generator<void, void> {
  let count = 0;
  for (const named of namedSettings(scope.block, json, path)) {
    if (++count % KEYS_PER_STEP === 0) yield;
    const { known, key } = named;
    // `values` has a property for the name of each setting.
    const ofName = values as Readonly<Record<string, unknown>> | undefined;
    const value = known.kind === 'setting' ? ofName?.[known.key] : undefined;
    const now = { scope, currentJson: currentJson(key), value, path: named.path };
    if (known.kind !== 'setting' || known.entry.form !== 'block' || named.json === null)
      yield* mergeSetting(now, known, named.json);
    else if (!isUnchanged(known, named.json, now.currentJson, value))
      yield* mergeBlocks(draft, known, named.json, named.path);
  }
}

/** Merges top-level blocks, with a name or without. */
function* mergeBlocks(draft: Draft, known: KnownSetting, json: JsonValue, path: ConfigPath): Generator<void, void> {
  const { block, directive, repeat } = known.entry;
  if (!block) return;
  const isNamed = repeat === 'keyed';
  for (const [name, value] of isNamed ? Object.entries(namedItems(json, path)) : [['', json] as const]) {
    yield;
    const itemPath = isNamed ? [...path, name] : path;
    const found = isNamed ? draft.find(directive, name) : draft.all(known)[0];
    if (value === null) {
      if (found) draft.removeBlock(found);
      continue;
    }
    const fields = objectAt(value, itemPath);
    const head = isNamed ? `${directive} ${printWord(name)}` : directive;
    const scope = found ? blockScope(draft, block, found) : newBlockScope(block, addBlock(draft, known, head));
    yield* mergeSettings({ draft, scope, currentJson: () => undefined, values: undefined, path: itemPath }, fields);
  }
}
