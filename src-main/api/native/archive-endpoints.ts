import { nativeDvrCatalogSchema, nativeJobSchema } from '../../../src-preload/contract/api/native.ts';
import type { ApiContext } from '../api-context.ts';
import { dvrMetrics, findDvrJob, nativeDvrCatalog, startDvrJob } from './archive.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { jsonSchemaOf } from '../endpoints/json-schema.ts';
import { metricsAnswer } from './metrics-answer.ts';
import { METRICS_REPLY } from './server-endpoints.ts';

const VIEW = { method: 'GET', tag: 'native', access: 'view' } as const;
const EDIT = { method: 'POST', tag: 'native', access: 'edit' } as const;
const JOB = { description: 'The job', schema: jsonSchemaOf(nativeJobSchema) };

/** The native API's view of archives, and its actions on them. */
export function archiveRows(context: ApiContext): Endpoint[] {
  return [
    {
      ...VIEW,
      path: '/dvr/catalog',
      id: 'native_dvr_catalog',
      summary: 'What is recorded',
      replies: { 200: { description: 'Stretches by stream', schema: jsonSchemaOf(nativeDvrCatalogSchema) } },
      handle: () => ({ status: 200, body: nativeDvrCatalog() }),
    },
    {
      ...VIEW,
      path: '/dvr/metrics',
      id: 'native_dvr_metrics',
      summary: 'Metrics of the archives',
      replies: { 200: METRICS_REPLY },
      handle: (request) => metricsAnswer(request, dvrMetrics(context)),
    },
    {
      ...EDIT,
      path: '/dvr/rebuild-index',
      id: 'native_dvr_rebuild_start',
      summary: 'Rebuilds the catalog from the disks',
      replies: { 200: JOB },
      handle: () => startDvrJob(),
    },
    {
      ...VIEW,
      path: '/dvr/rebuild-index',
      id: 'native_dvr_rebuild_get',
      summary: 'How far the rebuilding is',
      replies: { 200: JOB },
      errors: [404],
      handle: () => findDvrJob(),
    },
    {
      ...EDIT,
      method: 'DELETE',
      path: '/dvr/rebuild-index',
      id: 'native_dvr_rebuild_stop',
      summary: 'Stops the rebuilding',
      replies: { 204: { description: 'It stops' } },
      errors: [404],
      handle: () => findDvrJob(),
    },
    {
      ...EDIT,
      path: '/dvr/cleanup',
      id: 'native_dvr_cleanup_start',
      summary: 'Cleans the archives up',
      replies: { 200: JOB },
      handle: () => startDvrJob(),
    },
    {
      ...VIEW,
      path: '/dvr/cleanup',
      id: 'native_dvr_cleanup_get',
      summary: 'How far the cleaning is',
      replies: { 200: JOB },
      errors: [404],
      handle: () => findDvrJob(),
    },
  ];
}
