import { episodeObjectSchema } from '../../../src-preload/contract/api/archive/episode-object.ts';
import { sessionObjectSchema } from '../../../src-preload/contract/api/session-object.ts';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { removeStreams } from '../../control/stream-edits.ts';
import { dvrObjects } from '../objects/dvr-objects.ts';
import { blockKey, blockObjects, blockSchema, blockSettings, type BlockCollection } from '../objects/config-objects.ts';
import { deleteObject, newStreamName, putObject } from '../objects/object-edits.ts';
import { jsonObjects, type JsonObject } from '../objects/object-source.ts';
import { episodeObjects, requireEpisodes, type Episode } from '../objects/episode-objects.ts';
import { sessionObjects } from '../objects/session-objects.ts';
import { streamObjectSchema, templateObjectSchema } from '../objects/stream-schemas.ts';
import { STREAM_LIST, StreamObjects } from '../objects/stream-objects.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';
import { alarmCollection } from './alarm-collection.ts';
import { clipCollection } from './clip-collection.ts';
import { caseCollection } from './case-endpoints.ts';
import { exportCollection } from './export-collection.ts';

const STREAM_EXAMPLE = {
  key: 'gate',
  written: { title: 'The gate', inputs: [{ url: 'rtsp://192.0.2.9/main', priority: 1 }], segment_duration: 4 },
  shown: {
    name: 'gate',
    title: 'The gate',
    named_by: 'config',
    stats: { alive: true, status: 'running', bitrate: 2048 },
  },
} as const;

export function collections(context: CollectionContext): readonly Collection[] {
  const { configuration, streams, sessions, clock } = context;
  const streamObjects = new StreamObjects(context);
  return [
    {
      ...STREAM_LIST,
      schema: streamObjectSchema,
      example: STREAM_EXAMPLE,
      source: streamObjects,
      unmasked: (name) => configuration.config.streams.get(name),
      writer: {
        put: (name, write, by) => putObject(context, 'streams', name, write, by),
        preview: (name, applied) => streamObjects.preview(name, applied),
        collection: 'streams',
        isRenamed: true,
        newKey: newStreamName,
      },
      remove: (name, by, removal) => removeStreams(configuration, streams, [name], by, removal),
    } satisfies Collection<Parameters<typeof streamObjects.object>[0]> as Collection<unknown>,
    blocks(context, 'templates', 'template', templateObjectSchema),
    {
      path: '/sessions',
      name: 'sessions',
      item: 'session',
      key: 'id',
      missing: 'session_not_found',
      schema: sessionObjectSchema,
      isScoped: true,
      removeAccess: 'operate',
      implicitSort: ['opened_at', 'id'],
      source: sessionObjects(sessions, clock),
      remove: (id) => {
        if (sessions.close(id)) return Promise.resolve();
        throw new AirdeskError('session_not_found', `There is no session ${id.slice(0, 200)}`, { parameter: 'id' });
      },
    } satisfies Collection<NonNullable<ReturnType<typeof sessions.get>>> as Collection<unknown>,
    {
      path: '/episodes',
      name: 'episodes',
      item: 'episode',
      key: 'id',
      missing: 'not_found',
      schema: episodeObjectSchema,
      isScoped: true,
      removeAccess: 'operate',
      implicitSort: ['from', 'id'],
      source: episodeObjects(context),
      remove: async (id, by) => {
        if (requireEpisodes(context).remove(id, by)) return Promise.resolve();
        throw new AirdeskError('not_found', `There is no episode ${id.slice(0, 200)}`, { parameter: 'id' });
      },
    } satisfies Collection<Episode> as Collection<unknown>,
    blocks(context, 'vods', 'vod', blockSchema('vods')),
    blocks(context, 'dvrs', 'dvr', blockSchema('dvrs')),
    blocks(context, 'api_tokens', 'api_token', blockSchema('api_tokens')),
    blocks(context, 'auth_backends', 'auth_backend', blockSchema('auth_backends')),
    blocks(context, 'event_sinks', 'event_sink', blockSchema('event_sinks')),
    blocks(context, 'peers', 'peer', blockSchema('peers'), '/cluster'),
    blocks(context, 'sources', 'source', blockSchema('sources'), '/cluster'),
    exportCollection(context),
    caseCollection(context),
    clipCollection(context),
    alarmCollection(context),
  ];
}

/** Collection of blocks of the configuration. @param folder path of its list without the last segment */
function blocks(
  context: CollectionContext,
  name: BlockCollection,
  item: string,
  schema: Collection['schema'],
  folder = '',
): Collection {
  const key = blockKey(name);
  return {
    path: `${folder}/${name}`,
    name,
    item,
    key,
    schema,
    implicitSort: [key],
    missing: 'not_found',
    source: jsonObjects(key, () =>
      (OBJECTS[name] ?? ((): readonly JsonObject[] => blockObjects(context.configuration.config, name)))(context),
    ) as Collection['source'],
    ...(name === 'dvrs' ? { refresh: async () => context.archiveFigures?.refresh() } : {}),
    unmasked: (value) => blockSettings(context.configuration.config, name, value),
    writer: {
      put: (value, write, by) => putObject(context, name, value, write, by),
      preview: (value, { config }) => blockObjects(config, name).find((object) => object[key] === value) ?? {},
      collection: name,
    },
    remove: (value, by, removal) => deleteObject(context, name, value, by, removal),
  };
}

/** Objects with fields besides their configuration. */
const OBJECTS: Partial<Record<BlockCollection, (context: CollectionContext) => readonly JsonObject[]>> = {
  event_sinks: sinkObjects,
  api_tokens: tokenObjects,
  dvrs: ({ configuration, archiveFigures }) => dvrObjects(configuration.config, archiveFigures),
};

/** Event sinks with their current state. */
function sinkObjects({ configuration, eventSinkState }: CollectionContext): JsonObject[] {
  return blockObjects(configuration.config, 'event_sinks').map((sink) => {
    const state = eventSinkState?.(typeof sink['name'] === 'string' ? sink['name'] : '');
    if (!state) return sink;
    const { name: _name, ...stats } = state;
    return { ...sink, stats };
  });
}

/** API tokens with their last use. */
function tokenObjects({ configuration, tokenUsedMs }: CollectionContext): JsonObject[] {
  return blockObjects(configuration.config, 'api_tokens').map((token) => ({
    ...token,
    last_used_at: tokenUsedMs?.(typeof token['name'] === 'string' ? token['name'] : '') ?? null,
  }));
}
