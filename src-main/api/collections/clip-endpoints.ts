import { clipJobBodySchema, clipJobObjectSchema } from '../../../src-preload/contract/api/file-processor-object.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { requireClips, type ShownClipJob, type ShownClips } from '../../control/clips/clip-port.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { clipJobObject } from '../../control/clips/clip-job-object.ts';
import { wholeObjects, type JsonObject } from '../objects/object-source.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';
import { IDEMPOTENCY_KEY, type IdempotentAnswers } from '../endpoints/idempotent-answers.ts';

const PATH = '/file_processor/jobs';

/** Clip jobs. They have their own request for creation, and are removed like any object. */
export function clipCollection(context: CollectionContext): Collection {
  return {
    path: PATH,
    name: 'jobs',
    item: 'file_processor_job',
    key: 'id',
    missing: 'job_not_found',
    schema: clipJobObjectSchema,
    implicitSort: ['created_at', 'id'],
    isScoped: false,
    removeAccess: 'operate',
    source: wholeObjects<ShownClipJob>({
      rows: () => context.clips?.list() ?? [],
      find: (id) => context.clips?.get(id),
      texts: ({ id, request, by }) => [id, by, request.outputFile, ...request.inputFiles],
      object: (job) => clipJson(job, context.clips),
    }),
    remove: async (id) => requireClips(context).remove(id),
  } satisfies Collection<ShownClipJob> as Collection<unknown>;
}

function clipJson(job: ShownClipJob, clips: ShownClips | undefined): JsonObject {
  // JSON by its schema: fields that a filter leaves out are undefined here and absent in the answer.
  return clipJobObject(job, clips) as unknown as JsonObject;
}

/** Starts the conversion of files to the format of a stream. */
export function clipEndpoint(context: CollectionContext, idempotent: IdempotentAnswers): Endpoint {
  return {
    id: 'file_processor_job_create',
    tag: 'jobs',
    method: 'POST',
    path: PATH,
    access: 'operate',
    errors: [403, 404, 409, 415, 507],
    summary: 'Converts files to the format of a stream, as a clip for insertion',
    description:
      'The job waits in a queue; DELETE cancels it. The answer contains the name of the clip. The file ends with `.tmp` until it is complete. A repeated request with the same Idempotency-Key is executed once.',
    parameters: [IDEMPOTENCY_KEY],
    body: {
      schema: clipJobBodySchema,
      example: {
        input_files: ['raw/summer.mov'],
        output_file: 'summer.mp4',
        filters: [
          {
            group: 'transcoder',
            transcoder: {
              tracks: [
                {
                  content: 'video',
                  codec: 'h264',
                  track_id: 'v1',
                  bitrate: 3000,
                  width: 1280,
                  height: 720,
                  fps: 25,
                  sar_width: 1,
                  sar_height: 1,
                  profile: 'High',
                  level: '3.1',
                },
                { content: 'audio', codec: 'aac', track_id: 'a1', sample_rate: 48_000, channels: 2 },
              ],
            },
          },
        ],
      },
    },
    replies: { 201: { description: 'The new job', schema: schemaRef('file_processor_job') } },
    handle: (request) =>
      idempotent.answer(request, async () => {
        const clips = requireClips(context);
        const job = await clips.create(bodyOf(clipJobBodySchema, request.body), request.caller.who);
        const location = `${request.url.split('?', 1)[0] ?? ''}/${job.id}`;
        return { status: 201, body: clipJson(job, clips), headers: { location } };
      }),
  };
}
