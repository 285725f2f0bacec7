import { episodeObjects, type Episode } from '../objects/episode-objects.ts';
import { SESSION_FIELDS } from '../../control/sessions/session-fields.ts';
import type { SessionView } from '../../control/sessions/playback-sessions.ts';
import type { ShownClipJob } from '../../control/clips/clip-port.ts';
import { clipJobObject } from '../../control/clips/clip-job-object.ts';
import { requireCatalog } from '../../control/archive/archive-operations.ts';
import type { ShownExport } from '../../control/archive/export-port.ts';
import { exportJobObject } from '../../control/archive/export-job-object.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { sessionObjectSchema } from '../../../src-preload/contract/api/session-object.ts';
import { clipJobObjectSchema } from '../../../src-preload/contract/api/file-processor-object.ts';
import { exportJobObjectSchema } from '../../../src-preload/contract/api/export-job-object.ts';
import { episodeObjectSchema } from '../../../src-preload/contract/api/archive/episode-object.ts';
import { caseObjectSchema, type CaseObject } from '../../../src-preload/contract/api/archive/case-object.ts';
import {
  ALARM_FIELDS,
  alarmTexts,
  alarmObjectSchema,
  type AlarmObject,
} from '../../../src-preload/contract/api/alarm-object.ts';
import { removeStreams } from '../../control/stream-edits.ts';
import { dvrObjects } from '../objects/dvr-objects.ts';
import { blockKey, blockObjects, blockSchema, blockSettings, type BlockCollection } from '../objects/config-objects.ts';
import { deleteObject, newStreamName, putObject } from '../objects/object-edits.ts';
import { fieldObjects, jsonObjects, wholeObjects, type JsonObject } from '../objects/object-source.ts';
import { streamObjectSchema, templateObjectSchema } from '../objects/stream-schemas.ts';
import { STREAM_LIST, StreamObjects } from '../objects/stream-objects.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';

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
  const { configuration, streams } = context;
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
    sessionCollection(context),
    episodeCollection(context),
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

/** Collection of blocks of the configuration. @param folder path of the list without its last segment */
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

/** Functions that read the objects of collections whose objects have more fields than their block. */
const OBJECTS: Partial<Record<BlockCollection, (context: CollectionContext) => readonly JsonObject[]>> = {
  event_sinks: sinkObjects,
  api_tokens: tokenObjects,
  dvrs: ({ configuration, archiveFigures }) => dvrObjects(configuration.config, archiveFigures),
};

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

/** Rows of a collection reach only its own source. */
function of<Row>(collection: Collection<Row>): Collection {
  return collection as Collection<unknown>;
}

/** Viewers' sessions. */
function sessionCollection({ sessions, clock }: Pick<CollectionContext, 'sessions' | 'clock'>): Collection {
  return of<SessionView>({
    path: '/sessions',
    name: 'sessions',
    item: 'session',
    key: 'id',
    missing: 'session_not_found',
    schema: sessionObjectSchema,
    isScoped: true,
    removeAccess: 'operate',
    implicitSort: ['opened_at', 'id'],
    source: fieldObjects(SESSION_FIELDS, () => clock.now(), {
      rows: () => [...sessions.list()],
      find: (id) => sessions.get(id),
      texts: ({ id, name, ip, userAgent, userId }) => [id, name, ip, userAgent, userId],
    }),
    remove: (id) => {
      if (sessions.close(id)) return Promise.resolve();
      throw new AirdeskError('session_not_found', `There is no session ${id.slice(0, 200)}`, { parameter: 'id' });
    },
  });
}

/** Episodes of archives. */
function episodeCollection(context: Pick<CollectionContext, 'episodes'>): Collection {
  return of<Episode>({
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
      if (context.episodes.remove(id, by)) return Promise.resolve();
      throw new AirdeskError('not_found', `There is no episode ${id.slice(0, 200)}`, { parameter: 'id' });
    },
  });
}

/** Exports of archives, which operations create. */
export function exportCollection(context: Pick<CollectionContext, 'exports' | 'clock'>): Collection {
  return of<ShownExport>({
    path: '/dvr_export_jobs',
    name: 'dvr_export_jobs',
    item: 'dvr_export_job',
    key: 'id',
    missing: 'job_not_found',
    schema: exportJobObjectSchema,
    implicitSort: ['created_at', 'id'],
    isScoped: true,
    removeAccess: 'operate',
    source: wholeObjects<ShownExport>({
      rows: () => context.exports?.list() ?? [],
      find: (id) => context.exports?.get(id),
      texts: ({ id, request, by }) => [id, by, ...request.streams, request.path],
      streams: ({ request }) => request.streams,
      object: (job) => exportJobObject(job, context.exports, context.clock.now()),
    }),
    remove: async (id) => requireCatalog(context.exports).remove(id),
  });
}

/** Cases, which need access to all streams. Operations create and change them. */
function caseCollection({ cases }: Pick<CollectionContext, 'cases'>): Collection {
  return of<CaseObject>({
    path: '/dvr_cases',
    name: 'dvr_cases',
    item: 'dvr_case',
    key: 'id',
    missing: 'not_found',
    schema: caseObjectSchema,
    implicitSort: ['created_at', 'id'],
    removeAccess: 'operate',
    source: wholeObjects<CaseObject>({
      rows: () => cases.list(),
      find: (id) => cases.find(id),
      texts: ({ id, title, note, created_by: by }) => [id, title, note, by],
      object: (one) => one,
    }),
    remove: async (id, by) => cases.remove(id, by),
  });
}

/** Clip jobs, which operations create and remove. */
function clipCollection({ clips }: Pick<CollectionContext, 'clips'>): Collection {
  return of<ShownClipJob>({
    path: '/file_processor/jobs',
    name: 'jobs',
    item: 'file_processor_job',
    key: 'id',
    missing: 'job_not_found',
    schema: clipJobObjectSchema,
    implicitSort: ['created_at', 'id'],
    source: wholeObjects<ShownClipJob>({
      rows: () => clips.list(),
      find: (id) => clips.get(id),
      texts: ({ id, request, by }) => [id, by, request.outputFile, ...request.inputFiles],
      // JSON by its schema: fields that a filter leaves out are undefined here and absent in the answer.
      object: (job) => clipJobObject(job, clips) as unknown as JsonObject,
    }),
  });
}

/** Active alarms, and cleared ones that were not acknowledged. */
export function alarmCollection({ alarms }: Pick<CollectionContext, 'alarms'>): Collection {
  return of<AlarmObject>({
    path: '/alarms',
    name: 'alarms',
    item: 'alarm',
    key: 'id',
    missing: 'alarm_not_found',
    schema: alarmObjectSchema,
    isScoped: true,
    implicitSort: ['raised_at', 'id'],
    source: {
      rows: () => alarms.list(),
      find: (id) => alarms.find(id),
      getter(path) {
        const field = ALARM_FIELDS.find((name) => name === path);
        return field ? (alarm) => alarm[field] : () => undefined;
      },
      texts: alarmTexts,
      object: (alarm) => alarm,
    },
  });
}
