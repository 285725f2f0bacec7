import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { AirdeskError, type CallInput } from '../../src-preload/contract/index.ts';
import type { Applied, ChangeOptions } from '../configuration/configuration-change.ts';
import { DIRECTIVES } from '../config/schema/directives.ts';
import { addBlock, makeEdits, type ConfigEdit } from '../config/edit/edit-config.ts';
import type { Config } from '../config/schema/config.ts';
import type { Draft } from '../config/edit/draft.ts';
import { inputCheck } from './input-check.ts';
import type { ChangedBy } from '../operators/caller.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { mapInSteps, nextTurn, runInTurns } from '../lib/turns.ts';
import type { StreamEntry } from '../streams/stream-entry.ts';
import type { Streams } from '../streams/streams.ts';

/**
 * Adds a stream to the configuration and opens it. If it is recorded to the storage `main` and there are no storages, this
 * storage is added in the same change. A published stream gets its own block and stays on air. Raises `stream_exists` for the
 * name of a configured stream.
 * @param requireServer raises `forbidden` for a caller who may change only some streams; called before a storage is added
 */
export async function addStream(
  configuration: Configuration,
  { name, input_url: url, settings = [] }: CallInput<'streams.add'>,
  by: ChangedBy,
  requireServer: () => void = () => undefined,
): Promise<void> {
  const { config } = configuration;
  if (config.streams.has(name)) throw new AirdeskError('stream_exists', `There is a stream ${name} already`);
  const recording = settings.find(({ directive }) => directive === 'dvr');
  const storage = recording?.words.find((word) => word.startsWith('@'))?.slice(1);
  const isNewStorage = storage !== undefined && !config.dvrs.has(storage);
  if (isNewStorage && (config.dvrs.size > 0 || storage !== NEW_STORAGE.name))
    throw new AirdeskError('bad_value', `There is no storage ${storage}. Choose another one or add it first`);
  if (isNewStorage) requireServer();
  const edit: ConfigEdit = {
    edit: 'addStream',
    name,
    directives: [
      { name: 'input', args: [url] },
      ...settings.map(({ directive, words, options = {} }) => ({ name: directive, args: words, options })),
    ],
  };
  await configuration.changes.change(
    function* (draft, current) {
      if (isNewStorage && !current.dvrs.has(storage)) addStorage(draft);
      yield* makeEdits(draft, [edit], current);
    },
    by,
    { checkResult: inputCheck('streams', () => [name]) },
  );
}

/**
 * Removes streams: from the configuration in one change, or published ones from the server until their encoders return. Removes
 * all or none: fails if one of the streams does not exist, or consists of an archive only.
 * @returns change of the configuration; null if only published streams were removed
 */
export async function removeStreams(
  configuration: Configuration,
  streams: Streams,
  names: readonly string[],
  by: ChangedBy,
  options: ChangeOptions = {},
): Promise<Applied | null> {
  // Checking the names took a turn, so the configuration may have changed.
  await nextTurn();
  const { streams: configured } = configuration.config;
  const published = names.filter((name) => !configured.has(name));
  const missing = published.find((name) => !streams.get(name));
  if (missing !== undefined) throw new AirdeskError('stream_not_found', `There is no stream ${missing}`);
  const archived = published.find((name) => streams.get(name)?.isArchiveOnly === true);
  if (archived !== undefined)
    throw new AirdeskError(
      'stream_archived',
      `Only the archive of ${archived} remains; the stream is removed with its last block`,
    );
  const edits = [...new Set(names)]
    .filter((name) => configured.has(name))
    .map((name) => ({ edit: 'removeStream', name }) as const);
  if (edits.length === 0) options.check?.();
  const applied = edits.length > 0 ? await configuration.changes.edit(edits, by, options) : null;
  if (options.isDryRun !== true) await Promise.all(published.map((name) => streams.forget(name)));
  return applied;
}

/** Version of a change for an undo; null if nothing changed or it cannot be undone. */
export function undoVersion(
  { history }: Pick<Configuration, 'history'>,
  applied: Pick<Applied, 'versionId'> | null,
): number | null {
  const versionId = applied?.versionId ?? null;
  return versionId !== null && history.get(versionId).parentId !== null ? versionId : null;
}

/**
 * Disables or enables streams of the configuration in one change; streams already in this state are unchanged.
 *
 * @returns version of the change; null if nothing changed or it cannot be undone
 */
export async function disableStreams(
  configuration: Configuration,
  names: readonly string[],
  isDisabled: boolean,
  by: ChangedBy,
): Promise<number | null> {
  await nextTurn();
  const edits = [...new Set(names)]
    .filter((name) => {
      const stream = configuration.config.streams.get(name);
      if (!stream)
        throw new AirdeskError('stream_not_found', `${name} is not in the configuration; its publisher created it`);
      return stream.isDisabled !== isDisabled;
    })
    .map((name): ConfigEdit =>
      isDisabled
        ? { edit: 'setStreamDirective', block: 'stream', name, directive: { name: 'disabled', args: [] } }
        : { edit: 'removeStreamDirective', block: 'stream', name, directive: 'disabled' },
    );
  return undoVersion(configuration, edits.length > 0 ? await configuration.changes.edit(edits, by) : null);
}

/** Storage that is added if the configuration has none: its name, its folder, and the age limit of recordings. */
const NEW_STORAGE = { name: 'main', root: 'archive' } as const;
const NEW_RECORDING_DAYS = 7;

/** Streams to which a recording was added. */
export interface AddedRecording {
  /** Version of the change; null if nothing changed or it cannot be undone. */
  readonly version: number | null;
  readonly storage: string;
  readonly days: number;
}

/**
 * Records streams that have no archive: adds `dvr` to their configuration, and for published streams to their live prefix or
 * template, in one change. Uses the first storage of the configuration, or adds one. Streams with an archive are unchanged.
 * Raises `stream_not_found`.
 *
 * @param requireServer raises `forbidden` for a caller who may change only some streams; called before changes that concern
 * other streams
 */
export async function addRecording(
  configuration: Pick<Configuration, 'config' | 'changes' | 'history'>,
  streams: Pick<Streams, 'get'>,
  names: readonly string[],
  by: ChangedBy,
  requireServer: () => void,
): Promise<AddedRecording> {
  await nextTurn();
  const { config, changes } = configuration;
  const blocks = await runInTurns(mapInSteps(names, (name) => recordedBlock(config, streams.get(name), name)));
  const missing = new Map(blocks.flatMap((block) => (block ? [[`${block.block} ${block.name}`, block] as const] : [])));
  const storage = storageName(config);
  const added = { storage, days: NEW_RECORDING_DAYS };
  if (missing.size === 0) return { version: null, ...added };
  if (config.dvrs.size === 0 || [...missing.values()].some(({ block }) => block !== 'stream')) requireServer();
  const directive = { name: 'dvr', args: [`@${storage}`, `${NEW_RECORDING_DAYS}d`] };
  const edits = [...missing.values()].map((block): ConfigEdit => ({ edit: 'setStreamDirective', ...block, directive }));
  const applied = await changes.change(function* (draft, current) {
    if (!current.dvrs.has(storage)) addStorage(draft);
    yield* makeEdits(draft, edits, current);
  }, by);
  return { version: undoVersion(configuration, applied), ...added };
}

/** Block of the configuration to which `dvr` is added for a stream; undefined if the stream has an archive. */
function recordedBlock(
  config: Config,
  entry: StreamEntry | undefined,
  name: string,
): Pick<ConfigEdit, 'block' | 'name'> | undefined {
  const settings = config.streams.get(name) ?? entry?.settings;
  if (!settings) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
  if (settings.dvr !== null || settings.dvrOffline !== null) return undefined;
  if (config.streams.has(name)) return { block: 'stream', name };
  const prefix = entry?.prefix ?? '';
  return { block: config.livePrefixes.has(prefix) ? 'live' : 'template', name: prefix };
}

/** First storage of the configuration, or name of the storage to add. */
function storageName({ dvrs }: Config): string {
  const [first] = dvrs.keys();
  return first ?? NEW_STORAGE.name;
}

function addStorage(draft: Draft): void {
  const known = DIRECTIVES.file.get('dvr');
  if (known) addBlock(draft, known, `dvr ${NEW_STORAGE.name}`, [`root ${NEW_STORAGE.root};`]);
}

/**
 * Switches the recording of streams on or off until their next restart. Raises `stream_not_found`, and `archive_not_kept` for a
 * stream without an archive; then no stream was switched.
 */
export async function recordStreams(
  streams: Pick<Streams, 'get'>,
  names: readonly string[],
  isRecorded: boolean,
  switchRecording: (entry: StreamEntry, isOn: boolean) => void,
): Promise<void> {
  await nextTurn();
  const entries = names.map((name) => {
    const entry = streams.get(name);
    if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
    if (isRecorded && entry.settings.dvr === null && entry.settings.dvrOffline === null)
      throw new AirdeskError('archive_not_kept', because('stream_without_archive', { name }));
    return entry;
  });
  await runInTurns(
    mapInSteps(entries, (entry) => {
      switchRecording(entry, isRecorded);
    }),
  );
}
