import { randomBytes } from 'node:crypto';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Config } from '../../config/config.ts';
import type { ConfigDocument } from '../../config/document.ts';
import type { Applied } from '../../configuration/configuration-change.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import type { Streams } from '../../streams/streams.ts';
import { bodyFragment, placeInBody, type ObjectBody } from './body-fragment.ts';
import { blockSettings, writtenBlock, type BlockCollection } from './config-objects.ts';
import { mergeFragment, type MergedFragment } from './merge-fragment.ts';
import type { JsonObject } from './object-source.ts';
import { writtenSettings } from './written-settings.ts';

/** Collections that the configuration holds. */
export type WrittenCollection = 'streams' | BlockCollection;

/** What writes change. */
export interface ObjectEdits {
  readonly configuration: Configuration;
  readonly streams: Streams;
}

/** What a write says. */
export interface ObjectWrite extends ObjectBody {
  /** Raises what keeps the write from being made. */
  readonly check?: (() => void) | undefined;
  /** Whether nothing is changed. */
  readonly isDryRun?: boolean;
  /** Whether an object that is there already is refused. */
  readonly isOnlyNew?: boolean;
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
  const { check, isDryRun = false, isOnlyNew = false } = write;
  let isNew = false;
  let newName: string | undefined;
  const read = (config: Config, document: ConfigDocument): MergedFragment => {
    isNew = !isConfigured(config, collection, name);
    if (isOnlyNew && (!isNew || (collection === 'streams' && streams.get(name)))) throw existing(collection, name);
    newName = collection === 'streams' && !isNew && write.newName !== name ? write.newName : undefined;
    if (newName !== undefined && streams.get(newName)) throw existing(collection, newName);
    const written =
      (collection === 'streams' || collection === 'templates'
        ? writtenSettings(document, collection, name)
        : writtenBlock(config, collection, name)) ?? {};
    const fields = bodyFragment(write, written, collection === 'vods' ? VOD_WORDS : undefined);
    return {
      fragment: { [collection]: { [name]: fields } },
      newName,
      sentAs: (path) => placeInBody(path, fields, written),
    };
  };
  const applied = await mergeFragment(configuration, [collection, name], read, by, { check, isDryRun });
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
  if (!isConfigured(config, collection, name)) {
    if (collection !== 'streams') throw new AirdeskError('not_found', `There is no ${name} in ${collection}`);
    if (!streams.get(name)) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
    if (!isDryRun) await streams.forget(name);
    return undefined;
  }
  if (collection === 'templates') requireUnusedTemplate(config, name);
  if (collection === 'dvrs') requireUnusedStorage(config, name);
  const fragment = { [collection]: { [name]: null } };
  return mergeFragment(configuration, [collection, name], () => ({ fragment }), by, { check, isDryRun });
}

function existing(collection: WrittenCollection, name: string): AirdeskError {
  const found = name.slice(0, 200);
  return collection === 'streams'
    ? new AirdeskError('stream_exists', `There is a stream ${found} already`, { pointer: '/name' })
    : new AirdeskError('object_exists', `There is a ${found} in ${collection} already`);
}

/** Raises `template_in_use` for a template that streams refer to. */
function requireUnusedTemplate({ streams }: Configuration['config'], template: string): void {
  const users = [...streams.values()].filter((stream) => stream.template === template);
  requireNone(users, 'template_in_use', `${template} is the template of`);
}

/** Raises `storage_in_use` for a storage that streams, templates or live prefixes record into. */
function requireUnusedStorage({ streams, templates, lives }: Configuration['config'], storage: string): void {
  const all = [...streams.values(), ...templates.values(), ...lives.values()];
  const users = all.filter(({ dvr, dvrOffline }) => [dvr, dvrOffline].some((found) => found?.place === `@${storage}`));
  requireNone(users, 'storage_in_use', `${storage} is the storage of`);
}

function requireNone(
  users: readonly { readonly name: string }[],
  code: 'template_in_use' | 'storage_in_use',
  what: string,
): void {
  const names = [...new Set(users.map(({ name }) => name))];
  if (names.length === 0) return;
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  throw new AirdeskError(code, `${what} ${names.slice(0, 3).join(', ')}${more}`, { count: names.length });
}

/** A block that there is at most once. */
export type SingleBlock = 'rproxy' | 'file_processor';

/** Changes such a block, or removes it with null. @param current the block as JSON, as it is */
export async function putSingleBlock(
  { configuration }: ObjectEdits,
  block: SingleBlock,
  write: ObjectWrite | null,
  current: (config: Configuration['config']) => JsonObject,
  by: ChangedBy,
  options: ObjectRemoval = {},
): Promise<Applied> {
  const read = (config: Config): MergedFragment => {
    const isThere = block === 'rproxy' ? config.rproxy : config.fileProcessor;
    return { fragment: { [block]: write && bodyFragment(write, isThere ? current(config) : {}) } };
  };
  return mergeFragment(configuration, [block], read, by, options);
}

/** A name for a stream that came without one. */
export function newStreamName(): string {
  return `stream-${randomBytes(6).toString('hex')}`;
}

/** Lists of vods that are words in the configuration. */
const VOD_WORDS: ReadonlySet<string> = new Set(['storages']);

function isConfigured(config: Configuration['config'], collection: WrittenCollection, name: string): boolean {
  return collection === 'streams' ? config.streams.has(name) : blockSettings(config, collection, name) !== undefined;
}
