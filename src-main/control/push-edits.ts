import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { CallOutput } from '../../src-preload/contract/index.ts';
import type { Config, StreamSettings } from '../config/schema/config.ts';
import type { ConfigDocument } from '../config/document.ts';
import type { JsonValue } from '../config/schema/value-schema.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { Streams } from '../streams/streams.ts';
import { mergeFragment } from './merge-fragment.ts';
import { undoVersion } from './stream-edits.ts';

/** Dependencies of changes of pushes. */
export interface PushEdits {
  readonly configuration: Pick<Configuration, 'config' | 'changes' | 'history'>;
  readonly streams: Pick<Streams, 'get' | 'pushId'>;
}

/** Settings of a push, by their names in JSON. */
type PushFields = Readonly<Record<string, JsonValue | undefined>>;

/** Adds a push to a stream. Raises `push_exists` if the stream is already sent there with the same tracks. */
export async function addPush(
  context: PushEdits,
  name: string,
  fields: PushFields,
  by: ChangedBy,
): Promise<CallOutput<'streams.add_push'>> {
  const edit = (own: Pushes): JsonValue[] =>
    // A list in which no item has an index would replace the list.
    own.length > 0 ? [{ $index: 0 }, written(fields)] : [written(fields)];
  const { config, version } = await editPushes(context, name, edit, by);
  const id = idsOf(context, name, config.streams.get(name)).at(-1) ?? '';
  return { name, id, version };
}

/**
 * Changes the settings of pushes in one change of the configuration. Settings that `fields` does not name stay. Raises
 * `push_not_found` if the stream has no push with one of the ids; then nothing was changed.
 */
export async function changePushes(
  context: PushEdits,
  name: string,
  ids: readonly string[],
  fields: PushFields,
  by: ChangedBy,
): Promise<CallOutput<'streams.change_push'>> {
  let first = 0;
  const edit = (own: Pushes): JsonValue[] => {
    const indexes = placesOf(name, ids, own);
    [first = 0] = indexes;
    return indexes.map(($index) => ({ ...written(fields), $index }));
  };
  const { config, version } = await editPushes(context, name, edit, by);
  return { name, id: idsOf(context, name, config.streams.get(name))[first] ?? '', version };
}

/** Ends a push and removes it. Raises `push_not_found`. */
export async function removePush(
  context: PushEdits,
  name: string,
  id: string,
  by: ChangedBy,
): Promise<CallOutput<'streams.remove_push'>> {
  const edit = (own: Pushes): JsonValue[] => placesOf(name, [id], own).map(($index) => ({ $index, $delete: true }));
  const { version } = await editPushes(context, name, edit, by);
  return { version };
}

/** Ids of the pushes of a stream, in the order of its configuration. */
type Pushes = readonly string[];

async function editPushes(
  context: PushEdits,
  name: string,
  edit: (own: Pushes) => JsonValue[],
  by: ChangedBy,
): Promise<{ readonly config: Config; readonly version: number | null }> {
  const { configuration } = context;
  let own: Pushes = [];
  let text: string | undefined;
  const read: Parameters<typeof mergeFragment>[2] = (config, document) => {
    own = ownPushes(context, name, config, document);
    ({ text } = document);
    return { fragment: { streams: { [name]: { pushes: edit(own) } } } };
  };
  const checkResult = (_: Config, after: Config): void => {
    requireNoTwins(own, idsOf(context, name, after.streams.get(name)));
  };
  try {
    const applied = await mergeFragment(configuration, ['streams', name], read, by, { checkResult });
    const isChanged = applied.document.text !== text;
    return { config: applied.config, version: isChanged ? undoVersion(configuration, applied) : null };
  } catch (cause) {
    throw cause instanceof AirdeskError ? placedInPush(cause) : cause;
  }
}

/** Ids of the pushes in the block of a stream. Raises an error if its pushes cannot be edited there. */
function ownPushes(context: PushEdits, name: string, config: Config, document: ConfigDocument): Pushes {
  const entry = context.streams.get(name);
  const stream = config.streams.get(name);
  const settings = stream ?? entry?.settings;
  if (!settings) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
  if (!stream && entry?.isPublished !== true)
    throw new AirdeskError('stream_not_configured', `${name} is not in the configuration, and no encoder sends it`);
  if (stream && hasOwnPushes(document, name)) return idsOf(context, name, stream);
  if (settings.pushes.length > 0)
    throw new AirdeskError('push_inherited', `The pushes of ${name} come from its template or live prefix`);
  return [];
}

function hasOwnPushes({ textBlocks = [] }: ConfigDocument, name: string): boolean {
  return textBlocks.some(({ blocks }) =>
    blocks.some(
      (block) => block.kind === 'stream' && block.name === name && Object.hasOwn(block.reading.raw, 'pushes'),
    ),
  );
}

function idsOf({ streams }: PushEdits, name: string, settings: Pick<StreamSettings, 'pushes'> | undefined): Pushes {
  return (settings?.pushes ?? []).map((push) => streams.pushId(name, push));
}

/** Indexes of the pushes with these ids, in ascending order. */
function placesOf(name: string, ids: readonly string[], own: Pushes): number[] {
  if (ids.some((id) => !own.includes(id)))
    throw new AirdeskError('push_not_found', `${name} has no such push. It was changed or removed`);
  return own.flatMap((id, index) => (ids.includes(id) ? [index] : []));
}

/** Raises `push_exists` if a change gives a stream two equal pushes. */
function requireNoTwins(before: Pushes, after: Pushes): void {
  const twins = (ids: Pushes): number => ids.length - new Set(ids).size;
  if (twins(after) > twins(before))
    throw new AirdeskError('push_exists', 'The stream is already sent to this address with these tracks', {
      pointer: '/url',
    });
}

/** Settings to write: absent fields are left out. Names that control an edit are no settings. */
function written(fields: PushFields): Record<string, JsonValue> {
  const json: Record<string, JsonValue> = {};
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined && !field.startsWith('$')) json[field] = value;
  return json;
}

/** Error with its location in the body of one push, instead of the list of pushes, and without the address that was sent. */
function placedInPush(error: AirdeskError): AirdeskError {
  const { pointer, found: _found, ...details } = error.details;
  const [, place] = /^\/pushes\/\d+(\/.*)?$/.exec(String(pointer)) ?? [];
  const at = place ?? pointer;
  return new AirdeskError(
    error.code,
    { detail: error.message, explanation: error.explanation },
    { ...details, ...(at === undefined ? {} : { pointer: at }) },
    { cause: error },
  );
}
