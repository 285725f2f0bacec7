import { nativeDvrCatalogSchema, nativeHoldSchema, nativeJobSchema } from '../../../src-preload/contract/api/native.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import {
  NATIVE_CATALOG_MAX,
  allowDeletion,
  deletionHold,
  dvrJob,
  nativeDvrCatalog,
  startDvrJob,
  stopDvrJob,
  type ArchiveJobName,
} from './archive.ts';
import { dvrMetrics } from './dvr-metrics.ts';
import type { Endpoint, ParameterDoc } from '../endpoints/endpoint.ts';
import { metricsAnswer } from './metrics-answer.ts';
import { METRICS_REPLY } from './server-endpoints.ts';
import { inQuery } from '../endpoints/parameters.ts';

const VIEW = { method: 'GET', tag: 'native', access: 'view' } as const;
const EDIT = { method: 'POST', tag: 'native', access: 'edit' } as const;
const JOB = { description: 'The job', schema: nativeJobSchema };

/** Archives in the native API, and actions on them. */
export function archiveRows(context: ApiContext): Endpoint[] {
  return [
    {
      ...VIEW,
      path: '/dvr/catalog',
      id: 'native_dvr_catalog',
      summary: 'Lists recordings, also of streams that are no longer configured',
      description:
        'For each stream, the hundred oldest ranges; `GET /streams/{name}/dvr/ranges` of the collections lists all of them.',
      parameters: [
        inQuery('limit', 'maximum number of streams', {
          type: 'integer',
          minimum: 1,
          maximum: NATIVE_CATALOG_MAX,
          default: 100,
        }),
        inQuery('cursor', '`next` of the previous page'),
      ],
      errors: [503],
      replies: { 200: { description: 'Ranges by stream', schema: nativeDvrCatalogSchema } },
      handle: async ({ query }) => ({ status: 200, body: await nativeDvrCatalog(context, query) }),
    },
    {
      ...VIEW,
      path: '/dvr/metrics',
      id: 'native_dvr_metrics',
      summary: 'Metrics of the archives',
      description:
        'By storage and by disk, for the first thousand disks. Folders that streams configure themselves are added up, with empty labels.',
      replies: { 200: METRICS_REPLY },
      handle: async (request) => metricsAnswer(request, await dvrMetrics(context)),
    },
    ...jobRows(context, 'rebuild', '/dvr/rebuild-index', {
      start: 'Rebuilds the catalog from the disks, while recording continues',
      get: 'Progress of the rebuild',
      stop: 'Stops the rebuild',
    }),
    ...jobRows(context, 'check', '/dvr/consistency-check', {
      start: 'Compares the catalog with the disks, and lists damaged files',
      get: 'Progress and result of the comparison',
      stop: 'Stops the comparison',
    }),
    ...jobRows(context, 'cleanup', '/dvr/cleanup', {
      start: 'Deletes recordings past their limits now',
      get: 'Progress of the cleanup',
      stop: 'Stops the cleanup',
    }),
    {
      ...VIEW,
      path: '/dvr/hold',
      id: 'native_dvr_hold_get',
      summary: 'Reasons why limits delete nothing from archives',
      errors: [503],
      replies: { 200: { description: 'The reasons; empty if deletion is allowed', schema: nativeHoldSchema } },
      handle: () => ({ status: 200, body: deletionHold(context) }),
    },
    {
      ...EDIT,
      method: 'DELETE',
      path: '/dvr/hold',
      id: 'native_dvr_hold_end',
      errors: [409, 503],
      summary: 'Confirms that locks and clock are right, and allows deletion again',
      replies: { 204: { description: 'Deletion is allowed' } },
      handle: (request) => {
        allowDeletion(context, request);
        return { status: 204 };
      },
    },
    ...jobRows(context, 'copies', '/dvr/copies', {
      start: 'Makes missing copies and empties disks that are to be removed, now',
      get: 'Progress of the copying, and blocks that could not be copied',
      stop: 'Stops the copying, until it is started again, the storages change or the server starts',
    }),
  ];
}

function jobRows(
  context: ApiContext,
  name: ArchiveJobName,
  path: string,
  summary: { readonly start: string; readonly get: string; readonly stop: string },
): Endpoint[] {
  const id = `native_dvr_${name}`;
  const deep: ParameterDoc = inQuery('deep', 'whether every byte is compared with its checksum; default false', {
    type: 'boolean',
  });
  return [
    {
      ...EDIT,
      path,
      id: `${id}_start`,
      summary: summary.start,
      errors: [409, 503],
      ...(name === 'rebuild' || name === 'check' ? { parameters: [deep] } : {}),
      replies: { 200: JOB },
      handle: (request) => ({ status: 200, body: startDvrJob(context, name, request) }),
    },
    {
      ...VIEW,
      path,
      id: `${id}_get`,
      summary: summary.get,
      errors: [404, 503],
      replies: { 200: JOB },
      handle: () => ({ status: 200, body: dvrJob(context, name) }),
    },
    {
      ...EDIT,
      method: 'DELETE',
      path,
      id: `${id}_stop`,
      summary: summary.stop,
      errors: [404, 503],
      replies: { 204: { description: 'The job has stopped' } },
      handle: async () => {
        await stopDvrJob(context, name);
        return { status: 204 };
      },
    },
  ];
}
