import { exportJobObjectSchema } from '../../../src-preload/contract/api/export-job-object.ts';
import { exportJobObject } from '../../control/archive/export-job-object.ts';
import { requireExports, type ShownExport } from '../../control/archive/export-port.ts';
import { wholeObjects } from '../objects/object-source.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';

/** Exports of archives. They have a request of their own for creation, and are removed like any object. */
export function exportCollection(context: Pick<CollectionContext, 'exports' | 'clock'>): Collection {
  return {
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
    remove: async (id) => requireExports(context).remove(id),
  } satisfies Collection<ShownExport> as Collection<unknown>;
}
