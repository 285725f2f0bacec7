import { randomBytes } from 'node:crypto';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Applied } from '../../configuration/configuration-change.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { ChangedBy } from '../../operators/caller.ts';
import { inputCheck } from '../../control/input-check.ts';
import { mergeFragment } from '../../control/merge-fragment.ts';
import type { Streams } from '../../streams/streams.ts';
import { bodyFragment, placeInBody, type ObjectBody } from './body-fragment.ts';
import { blockSettings, writtenBlock, type BlockCollection } from './config-objects.ts';
import type { JsonObject } from './object-source.ts';
import { writtenSettings } from './written-settings.ts';

/** Collections stored in the configuration. */
export type WrittenCollection = 'streams' | BlockCollection;

export interface ObjectEdits {
  readonly configuration: Configuration;
  readonly streams: Streams;
}

export interface ObjectWrite extends ObjectBody {
  /** Raises the error that forbids the write. */
  readonly check?: (() => void) | undefined;
  /** Whether this is a dry run. */
  readonly isDryRun?: boolean;
  /** Whether the write is refused if the object exists. */
  readonly isOnlyNew?: boolean;
  /** New name of an existing object. */
  readonly newName?: string | undefined;
}

/** Result of a write, or of its dry run. */
export interface ObjectWritten {
  readonly isNew: boolean;
  readonly name: string;
  readonly applied: Applied;
}

export type ObjectRemoval = Pick<ObjectWrite, 'check' | 'isDryRun'>;

/**
 * Creates or changes an object (RFC 7386): the fields of the body are set, null removes a field, and all other fields stay.
 * Nested lists are edited item by item. `$reset` removes the fields that the body does not name. A new name renames a stream in
 * place, in the same edit.
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
  const read: Parameters<typeof mergeFragment>[2] = (config, document) => {
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
  const checkResult =
    collection === 'streams' || collection === 'templates'
      ? inputCheck(collection, () => [name, newName ?? name])
      : undefined;
  const applied = await mergeFragment(configuration, [collection, name], read, by, { check, checkResult, isDryRun });
  return { isNew, name: newName ?? name, applied };
}

/** Removes a block of the configuration. Raises an error if it does not exist. */
export async function deleteObject(
  { configuration }: Pick<ObjectEdits, 'configuration'>,
  collection: BlockCollection,
  name: string,
  by: ChangedBy,
  { check, isDryRun = false }: ObjectRemoval = {},
): Promise<Applied> {
  const { config } = configuration;
  check?.();
  if (!isConfigured(config, collection, name))
    throw new AirdeskError('not_found', `There is no ${name} in ${collection}`);
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

/** Raises `template_in_use` if a stream uses the template. */
function requireUnusedTemplate({ streams }: Configuration['config'], template: string): void {
  const users = [...streams.values()].filter((stream) => stream.template === template);
  requireNone(users, 'template_in_use', `${template} is the template of`);
}

/** Raises `storage_in_use` if streams, templates or live prefixes record into the storage. */
function requireUnusedStorage({ streams, templates, livePrefixes }: Configuration['config'], storage: string): void {
  const all = [...streams.values(), ...templates.values(), ...livePrefixes.values()];
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

/** Block that can exist at most once. */
export type SingleBlock = 'rproxy' | 'file_processor';

/** Changes a block that can exist only once, or removes it with null. @param current returns the block as JSON */
export async function putSingleBlock(
  { configuration }: ObjectEdits,
  block: SingleBlock,
  write: ObjectWrite | null,
  current: (config: Configuration['config']) => JsonObject,
  by: ChangedBy,
  options: ObjectRemoval = {},
): Promise<Applied> {
  const read: Parameters<typeof mergeFragment>[2] = (config) => {
    const isThere = block === 'rproxy' ? config.rproxy : config.fileProcessor;
    return { fragment: { [block]: write && bodyFragment(write, isThere ? current(config) : {}) } };
  };
  return mergeFragment(configuration, [block], read, by, options);
}

/** Generates a name for a stream that has none. */
export function newStreamName(): string {
  return `stream-${randomBytes(6).toString('hex')}`;
}

/** Names of nested lists of VOD locations that are lists of words in the configuration. */
const VOD_WORDS: ReadonlySet<string> = new Set(['storages']);

function isConfigured(config: Configuration['config'], collection: WrittenCollection, name: string): boolean {
  return collection === 'streams' ? config.streams.has(name) : blockSettings(config, collection, name) !== undefined;
}
