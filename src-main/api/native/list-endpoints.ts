import { dvrObjectSchema } from '../../../src-preload/contract/api/dvr-object.ts';
import {
  nativeDvrListSchema,
  nativeStreamStatsListSchema,
  nativeStreamStatsSchema,
} from '../../../src-preload/contract/api/native.ts';
import { streamObjectSchema } from '../../../src-preload/contract/api/stream-object.ts';
import { requireStream } from '../endpoints/api-context.ts';
import { dvrObjects, dvrTotals } from '../objects/dvr-objects.ts';
import { jsonObjects, type JsonObject, type ObjectSource } from '../objects/object-source.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import { StreamObjects } from '../objects/stream-objects.ts';
import { shownTo } from '../endpoints/shown-server.ts';
import type { Collection } from '../collections/generic/collection.ts';
import { PAGE_PARAMETERS } from '../collections/generic/list-parameters.ts';
import { listHandler } from '../collections/generic/list-endpoint.ts';
import type { BodySchema, Endpoint, EndpointDoc } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import type { NativeContext } from './native-context.ts';

/** Lists of the native API. Objects and query language are those of the collections. */
export function listRows(context: NativeContext): Endpoint[] {
  const { configuration, streams, stats, clock } = context;
  const source = new StreamObjects({
    configuration,
    streams,
    context: () => ({ nowMs: clock.now(), rates: (entry) => stats.rates(entry) }),
  });
  const dvrs = jsonObjects('name', () => dvrObjects(configuration.config, context.archiveFigures));
  const named = {
    name: 'streams',
    item: 'stream',
    key: 'name',
    missing: 'stream_not_found',
    implicitSort: ['named_by', 'position', 'name'],
    isScoped: true,
  } as const;
  const statsList = {
    ...named,
    path: '/streams/stats',
    schema: nativeStreamStatsSchema,
    source: streamFigures(source),
  };
  return [
    list(
      { ...named, path: '/streams', schema: streamObjectSchema, source },
      { id: 'native_stream_list', summary: 'Streams and their state' },
      schemaRef('stream_list'),
    ),
    {
      method: 'GET',
      path: '/streams/{+name}',
      id: 'native_stream_get',
      tag: 'native',
      access: 'view',
      isScoped: true,
      summary: 'A stream and its state',
      description: 'A stream with the name `stats` is only available through the collection API.',
      replies: { 200: { description: 'The stream', schema: schemaRef('stream') } },
      handle: ({ params, caller }) => ({
        status: 200,
        body: source.object(requireStream(shownTo(context, caller), params['name'] ?? '')),
      }),
    },
    list(statsList, { id: 'native_stream_stats', summary: 'State of the streams' }, nativeStreamStatsListSchema),
    list(
      { ...statsList, path: '/streams-stats' },
      { id: 'native_streams_stats', summary: 'The same as `/streams/stats`' },
      nativeStreamStatsListSchema,
    ),
    list(
      {
        name: 'dvrs',
        item: 'dvr',
        key: 'name',
        missing: 'not_found',
        implicitSort: ['name'],
        path: '/dvr',
        schema: dvrObjectSchema,
        source: dvrs,
        refresh: async () => context.archiveFigures?.refresh(),
      },
      { id: 'native_dvr_list', summary: 'Storages of archives, and totals of all archives' },
      nativeDvrListSchema,
      () => ({ stats: dvrTotals(context) }),
    ),
  ];
}

function list<Row>(
  collection: Collection<Row>,
  described: Pick<EndpointDoc, 'id' | 'summary'>,
  schema: BodySchema,
  more?: () => JsonObject,
): Endpoint {
  return {
    ...described,
    method: 'GET',
    path: collection.path,
    tag: 'native',
    access: 'view',
    isScoped: collection.isScoped === true,
    readsQuery: true,
    parameters: PAGE_PARAMETERS,
    replies: {
      200: { description: 'A page, in its envelope', schema, otherTypes: ['application/openmetrics-text'] },
    },
    handle: listHandler(collection, `native ${collection.path}`, more),
  };
}

/** State of streams without their configuration. */
function streamFigures(streams: StreamObjects): ObjectSource<StreamEntry> {
  return {
    rows: () => streams.rows(),
    find: (name) => streams.find(name),
    getter: (path) => streams.getter(path),
    texts: (entry) => streams.texts(entry),
    object(entry) {
      const { name, named_by: namedBy, position, stats } = streams.object(entry);
      // The object of a stream has all these fields.
      return { name: name ?? entry.name, named_by: namedBy ?? null, position: position ?? 0, stats: stats ?? null };
    },
  };
}
