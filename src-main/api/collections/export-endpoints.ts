import { exportJobBodySchema, exportJobObjectSchema } from '../../../src-preload/contract/api/export-job-object.ts';
import { requireExportPlace, requireInScope } from '../../operators/require.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { requireExports, type ShownExport } from '../../control/archive/export-port.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { exportJobObject } from '../../control/archive/export-job-object.ts';
import { wholeObjects } from '../objects/object-source.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';
import { IDEMPOTENCY_KEY, type IdempotentAnswers } from './generic/idempotent-answers.ts';

const PATH = '/dvr_export_jobs';

/** Exports of archives. They have a request of their own for creation, and are removed like any object. */
export function exportCollection(context: CollectionContext): Collection {
  return {
    path: PATH,
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
      object: (job) => exportJobObject(job, context.exports, context.clock.now()),
    }),
    remove: async (id) => requireExports(context).remove(id),
  } satisfies Collection<ShownExport> as Collection<unknown>;
}

/** Starts the export of an archive range into files. */
export function exportEndpoint(context: CollectionContext, idempotent: IdempotentAnswers): Endpoint {
  return {
    id: 'dvr_export_job_create',
    tag: 'dvr_export_jobs',
    method: 'POST',
    path: PATH,
    access: 'operate',
    isScoped: true,
    errors: [403, 404, 409, 507],
    summary: 'Exports a range of one or several streams’ archives into files',
    description:
      'Segments that overlap the range are exported completely. The job waits in a queue; DELETE cancels it. A repeated request with the same Idempotency-Key is executed once.',
    parameters: [IDEMPOTENCY_KEY],
    body: {
      schema: exportJobBodySchema,
      example: { name: 'news', from: 1_795_230_000_000, duration: 3_600_000, path: 'clips/evening.mp4' },
    },
    replies: { 201: { description: 'The new job', schema: schemaRef('dvr_export_job') } },
    handle: (request) =>
      idempotent.answer(request, async () => {
        const body = bodyOf(exportJobBodySchema, request.body);
        for (const stream of [body.name, ...(body.names ?? [])])
          if (stream !== undefined) requireInScope(request.caller, stream);
        requireExportPlace(request.caller, body.path);
        const exports = requireExports(context);
        const job = await exports.create(body, request.caller.who);
        const location = `${request.url.split('?', 1)[0] ?? ''}/${job.id}`;
        return { status: 201, body: exportJobObject(job, exports, context.clock.now()), headers: { location } };
      }),
  };
}
