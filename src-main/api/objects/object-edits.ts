import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { mergeJson } from '../../config/edit/json-edits.ts';
import { renameStream } from '../../config/edit/rename-stream.ts';
import type { ConfigPath } from '../../config/parse/problem.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import { blockObjects, rproxyObject, writtenBlock, type BlockCollection } from './config-objects.ts';
import type { Applied } from '../../configuration/configuration-change.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { ConfigurationError, pointerOf } from '../../configuration/configuration-error.ts';
import { listEdits, requestIndex, wordEdits } from './list-edits.ts';
import type { JsonObject } from './object-source.ts';
import type { Streams } from '../../streams/streams.ts';
import { writtenSettings } from './written-settings.ts';

/** Collections that the configuration holds. */
export type WrittenCollection = 'streams' | BlockCollection;

/** What writes change. */
export interface ObjectEdits {
  readonly configuration: Configuration;
  readonly streams: Streams;
}

/** A nested list of the objects of a collection: its name, and the key of its items. */
export interface NestedList {
  readonly name: string;
  readonly key: string | undefined;
}

/** What a write says. */
export interface ObjectWrite {
  readonly body: JsonObject;
  /** How the object is shown now, without what is only shown; empty for a new one. What the body repeats of it changes nothing. */
  readonly currentJson: JsonObject;
  /** The nested lists of such objects. */
  readonly lists: readonly NestedList[];
  /** Raises what keeps the write from being made. */
  readonly check?: (() => void) | undefined;
  /** Whether nothing is changed. */
  readonly isDryRun?: boolean;
  /** Its name from now on, for an object that is there. */
  readonly newName?: string | undefined;
}

/** What came of a write, or would come of it. */
export interface ObjectWritten {
  readonly isNew: boolean;
  readonly name: string;
  readonly applied: Applied;
}

/** How an object is removed. */
export type ObjectRemoval = Pick<ObjectWrite, 'check' | 'isDryRun'>;

/**
 * Makes an object or changes the one that is there (RFC 7386): what the body names is set, null removes, the rest stays. Nested lists are edited item by
 * item. With `$reset` what the body does not name goes.
 *
 * With a new name a stream is renamed in place, in the same edit.
 */
export async function putObject(
  { configuration, streams }: ObjectEdits,
  collection: WrittenCollection,
  name: string,
  write: ObjectWrite,
  by: ChangedBy,
): Promise<ObjectWritten> {
  const { config, document } = configuration;
  const isStreams = collection === 'streams';
  const isNew = isStreams
    ? !config.streams.has(name)
    : !blockObjects(config, collection).some((object) => keyOf(collection, object) === name);
  const written =
    collection === 'streams' || collection === 'templates'
      ? writtenSettings(document, collection, name)
      : writtenBlock(config, collection, name);
  const fields = mergeable(write, written ?? {}, collection === 'vods' ? VOD_WORDS : NO_WORDS);
  // What a publisher made under this name becomes a configured stream; the encoder is disconnected and may come again.
  let { check } = write;
  const { isDryRun = false } = write;
  if (isStreams && isNew && !isDryRun && streams.get(name)) {
    check?.();
    check = undefined;
    await streams.forget(name);
  }
  const sentAs = (path: ConfigPath): ConfigPath => asSent(path, fields, written ?? {});
  const newName = isStreams && !isNew && write.newName !== name ? write.newName : undefined;
  if (newName !== undefined && streams.get(newName))
    throw new AirdeskError('stream_exists', `There is a stream ${newName.slice(0, 200)} already`, { pointer: '/name' });
  const fragment = { [collection]: { [name]: fields } };
  const options = { check, sentAs, isDryRun, newName };
  const applied = await merge(configuration, [collection, name], fragment, by, options);
  return { isNew, name: newName ?? name, applied };
}

/** Removes an object; raises what there is none of. */
export async function deleteObject(
  { configuration, streams }: ObjectEdits,
  collection: WrittenCollection,
  name: string,
  by: ChangedBy,
  { check, isDryRun = false }: ObjectRemoval = {},
): Promise<Applied | undefined> {
  const { config } = configuration;
  check?.();
  if (collection === 'streams') {
    if (!config.streams.has(name)) {
      if (!streams.get(name)) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
      if (!isDryRun) await streams.forget(name);
      return undefined;
    }
  } else if (!blockObjects(config, collection).some((object) => keyOf(collection, object) === name)) {
    throw new AirdeskError('not_found', `There is no ${name} in ${collection}`);
  }
  if (collection === 'templates') requireUnused(config, name);
  return merge(configuration, [collection, name], { [collection]: { [name]: null } }, by, { check, isDryRun });
}

/** Raises `template_in_use` for a template that streams refer to. */
function requireUnused({ streams }: Configuration['config'], template: string): void {
  const users = [...streams.values()].filter((stream) => stream.template === template).map(({ name }) => name);
  if (users.length === 0) return;
  const shown = users.slice(0, 3).join(', ');
  const more = users.length > 3 ? ` and ${users.length - 3} more` : '';
  throw new AirdeskError('template_in_use', `${template} is the template of ${shown}${more}`, { count: users.length });
}

/** Changes the gateway for agents, or removes it with null. */
export async function putRproxy(
  { configuration }: ObjectEdits,
  write: ObjectWrite | null,
  by: ChangedBy,
  isDryRun = false,
): Promise<Applied> {
  const { config } = configuration;
  const fragment = write === null ? null : mergeable(write, config.rproxy ? rproxyObject(config) : {}, NO_WORDS);
  return merge(configuration, ['rproxy'], { rproxy: fragment }, by, { isDryRun });
}

/** A name for a stream that came without one. */
export function newStreamName(): string {
  return `stream-${randomBytes(6).toString('hex')}`;
}

const KEYS: Readonly<Partial<Record<WrittenCollection, string>>> = {
  vods: 'prefix',
  peers: 'hostname',
  sources: 'url',
};

function keyOf(collection: WrittenCollection, object: JsonObject): JsonValue | undefined {
  return object[KEYS[collection] ?? 'name'];
}

/** Lists of objects that are words in the configuration. */
const VOD_WORDS: ReadonlySet<string> = new Set(['storages']);
const NO_WORDS: ReadonlySet<string> = new Set();

/** A body as the configuration merges it. */
function mergeable(
  { body, currentJson, lists }: ObjectWrite,
  written: JsonObject,
  words: ReadonlySet<string>,
): JsonObject {
  const { $reset: isReset, ...fields } = body;
  const merged: Record<string, JsonValue> = {};
  if (isReset === true)
    for (const key of Object.keys(written)) if (key !== 'stats' && !Object.hasOwn(fields, key)) merged[key] = null;
  for (const [key, value] of Object.entries(fields)) {
    if (Object.hasOwn(currentJson, key) && isDeepStrictEqual(currentJson[key], value)) continue;
    const list = lists.find(({ name }) => name === key);
    const edited =
      list && Array.isArray(value)
        ? edits(
            value as readonly JsonValue[],
            isReset === true ? undefined : written[key],
            currentJson[key],
            list,
            words.has(key),
          )
        : value;
    if (edited !== undefined) merged[key] = edited;
  }
  return merged;
}

function edits(
  items: readonly JsonValue[],
  written: JsonValue | undefined,
  currentJson: JsonValue | undefined,
  { name, key }: NestedList,
  isWords: boolean,
): JsonValue | undefined {
  const own = Array.isArray(written) ? (written as readonly JsonValue[]) : [];
  if (isWords) return wordEdits(items, own, { name, key });
  return listEdits(asWritten(items, own, currentJson), own, key);
}

/** Items that only repeat how they are shown, with what holds where nothing is written, are what is written. */
function asWritten(
  items: readonly JsonValue[],
  own: readonly JsonValue[],
  currentJson: JsonValue | undefined,
): readonly JsonValue[] {
  if (!Array.isArray(currentJson) || currentJson.length !== own.length) return items;
  const places = new Map(currentJson.map((item, index) => [JSON.stringify(item), index]));
  return items.map((item) => own[places.get(JSON.stringify(item)) ?? -1] ?? item);
}

/** The place of a value in the request, by its place in the object that was to be: items of lists stand elsewhere there. */
function asSent(path: ConfigPath, fields: JsonObject, written: JsonObject): ConfigPath {
  const [key, index, ...rest] = path;
  const edits = typeof key === 'string' ? fields[key] : undefined;
  if (typeof key !== 'string' || typeof index !== 'number' || !Array.isArray(edits)) return path;
  const own = written[key];
  const sent = requestIndex(edits as readonly JsonValue[], Array.isArray(own) ? own.length : 0, index);
  return sent === undefined ? path : [key, sent, ...rest];
}

interface MergeOptions extends Pick<ObjectWrite, 'check' | 'isDryRun' | 'newName'> {
  /** The place in the request of a value of the object that was to be. */
  readonly sentAs?: (path: ConfigPath) => ConfigPath;
}

/** Merges, and reports mistakes by their path in the body instead of in the whole configuration. */
async function merge(
  configuration: Configuration,
  place: readonly string[],
  fragment: JsonObject,
  by: ChangedBy,
  { check, isDryRun = false, newName, sentAs = (path) => path }: MergeOptions = {},
): Promise<Applied> {
  try {
    const options = { check, isDryRun };
    if (newName === undefined) return await configuration.merge(fragment, by, options);
    return await configuration.change(
      function* (draft, config) {
        yield* mergeJson(draft, config, fragment);
        yield* draft.settleInSteps();
        renameStream(draft, place[1] ?? '', newName);
      },
      by,
      options,
    );
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    const [first] = cause.errors;
    const isInside = first !== undefined && place.every((part, index) => String(first.path[index]) === part);
    const below = first?.path.slice(place.length) ?? [];
    // An edit that could not be made is shown by its place in the request already.
    const inside = cause.isOfEdit ? below : sentAs(below);
    const { line: _line, column: _column, pointer: _pointer, ...details } = cause.details;
    const code = cause.code === 'config_unknown_directive' ? 'unknown_key' : cause.code;
    throw new AirdeskError(
      code,
      cause.message,
      { ...details, ...(isInside ? { pointer: pointerOf(inside) } : {}) },
      { cause },
    );
  }
}
