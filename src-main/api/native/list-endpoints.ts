import { z } from 'zod';
import { PORTION } from '../../../src-preload/contract/api/api-parts.ts';
import { splicesSchema } from '../../../src-preload/contract/api/splice-object.ts';
import { dvrTotalsSchema } from '../../../src-preload/contract/api/dvr-object.ts';
import { nativeStreamStatsListSchema, nativeStreamStatsSchema } from '../../../src-preload/contract/api/native.ts';
import { streamObjectSchema } from '../objects/stream-schemas.ts';
import { requireStream } from '../endpoints/api-context.ts';
import { blockSchema } from '../objects/config-objects.ts';
import { dvrObjects, dvrTotals } from '../objects/dvr-objects.ts';
import { jsonObjects, type ObjectSource } from '../objects/object-source.ts';
import { spliceObjectOf } from '../../streams/splice-object-of.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import { STREAM_LIST, StreamObjects } from '../objects/stream-objects.ts';
import { shownTo } from '../endpoints/shown-server.ts';
import { listView } from '../collections/generic/list-endpoint.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import type { NativeContext } from './native-context.ts';

/** `GET /dvr`. */
export const nativeDvrListSchema = z.object({
  dvrs: z.array(blockSchema('dvrs').partial()).describe('storages, or only their selected fields'),
  ...PORTION,
  stats: dvrTotalsSchema.nullable().describe('totals of all archives'),
});

/** Lists of the native API. Their objects and queries are the same as those of the collections. */
export function listRows(context: NativeContext): Endpoint[] {
  const source = new StreamObjects(context);
  const stats = { ...STREAM_LIST, schema: nativeStreamStatsSchema, source: streamFigures(source) };
  const dvrs = {
    name: 'dvrs',
    item: 'dvr',
    key: 'name',
    missing: 'not_found',
    implicitSort: ['name'],
    path: '/dvr',
    schema: blockSchema('dvrs'),
    source: jsonObjects('name', () => dvrObjects(context.configuration.config, context.archiveFigures)),
    refresh: async () => context.archiveFigures?.refresh(),
  } as const;
  return [
    listView(
      { ...STREAM_LIST, schema: streamObjectSchema, source },
      { tag: 'native', id: 'native_stream_list', summary: 'Streams and their state' },
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
    listView(
      { ...stats, path: '/streams/stats' },
      { tag: 'native', id: 'native_stream_stats', summary: 'State of the streams' },
      nativeStreamStatsListSchema,
    ),
    listView(
      { ...stats, path: '/streams-stats' },
      { tag: 'native', id: 'native_streams_stats', summary: 'The same as `/streams/stats`' },
      nativeStreamStatsListSchema,
    ),
    listView(
      dvrs,
      { tag: 'native', id: 'native_dvr_list', summary: 'Storages of archives, and totals of all archives' },
      nativeDvrListSchema,
      () => ({ stats: dvrTotals(context) }),
    ),
    {
      method: 'GET',
      path: '/splices/{+name}',
      id: 'native_splice_list',
      tag: 'native',
      access: 'view',
      isScoped: true,
      summary: 'Splice points (SCTE-35) of a stream',
      description: 'Splice points of the live window and announced ones, at most 256, with their sections decoded.',
      replies: { 200: { description: 'The splice points, oldest first', schema: splicesSchema } },
      handle: ({ params, caller }) => {
        const { window } = requireStream(shownTo(context, caller), params['name'] ?? '').output;
        const splices = window.splices().map(spliceObjectOf);
        return { status: 200, body: { splices, estimated_count: splices.length, next: null, prev: null } };
      },
    },
  ];
}

/** Source of the state of streams without their configuration. */
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
