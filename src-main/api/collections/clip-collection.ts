import { clipJobObjectSchema } from '../../../src-preload/contract/api/file-processor-object.ts';
import { clipJobObject } from '../../control/clips/clip-job-object.ts';
import type { ShownClipJob } from '../../control/clips/clip-port.ts';
import { wholeObjects, type JsonObject } from '../objects/object-source.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';

/** Clip jobs, which operations create and remove. */
export function clipCollection({ clips }: CollectionContext): Collection {
  return {
    path: '/file_processor/jobs',
    name: 'jobs',
    item: 'file_processor_job',
    key: 'id',
    missing: 'job_not_found',
    schema: clipJobObjectSchema,
    implicitSort: ['created_at', 'id'],
    isScoped: false,
    source: wholeObjects<ShownClipJob>({
      rows: () => clips?.list() ?? [],
      find: (id) => clips?.get(id),
      texts: ({ id, request, by }) => [id, by, request.outputFile, ...request.inputFiles],
      // JSON by its schema: fields that a filter leaves out are undefined here and absent in the answer.
      object: (job) => clipJobObject(job, clips) as unknown as JsonObject,
    }),
  } satisfies Collection<ShownClipJob> as Collection<unknown>;
}
