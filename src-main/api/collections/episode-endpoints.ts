import { episodeCreateSchema, episodeWriteSchema } from '../../../src-preload/contract/api/archive/episode-object.ts';
import type { z } from 'zod';
import { changedBy } from '../../operators/caller.ts';
import type { Answer, Endpoint, EndpointRequest } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { episodeObjects } from '../objects/episode-objects.ts';
import { saveEpisode } from '../../control/archive/episode-edits.ts';
import type { JsonObject } from '../objects/object-source.ts';
import type { CollectionContext } from './collection-context.ts';
import { IDEMPOTENCY_KEY, type IdempotentAnswers } from '../endpoints/idempotent-answers.ts';

const ROW = { tag: 'episodes', access: 'operate', isScoped: true, errors: [404, 409, 503] } as const;
const SAVED = { description: 'The episode', schema: schemaRef('episode') };

/** Endpoints that create and change episodes of archives. Episodes are not part of the configuration. */
export function episodeEndpoints(context: CollectionContext, idempotent: IdempotentAnswers): readonly Endpoint[] {
  return [
    {
      ...ROW,
      id: 'episode_save',
      method: 'PUT',
      path: '/episodes/{id}',
      summary: 'Creates or changes an episode',
      description:
        'No limit of time, size or disk deletes the archive range of an episode until the episode expires or is deleted. An episode may be created before its range is recorded, and episodes may overlap. Fields in the body are set, null clears a field, all other fields stay.',
      body: { schema: episodeWriteSchema, types: ['application/json', 'application/merge-patch+json'] },
      replies: { 200: SAVED },
      handle: async (request) => {
        const { id = '' } = request.params;
        return { status: 200, body: await put(context, id, request, bodyOf(episodeWriteSchema, request.body)) };
      },
    },
    {
      ...ROW,
      id: 'episode_create',
      method: 'POST',
      path: '/episodes',
      summary: 'Creates an episode, or changes the one with the same id',
      description:
        'The body contains the id; without one, the server generates one. A repeated request with the same Idempotency-Key is executed once.',
      parameters: [IDEMPOTENCY_KEY],
      body: { schema: episodeCreateSchema },
      replies: { 200: SAVED, 201: { ...SAVED, description: 'The new episode' } },
      handle: (request) => idempotent.answer(request, async () => create(context, request)),
    },
  ];
}

async function create(context: CollectionContext, request: EndpointRequest): Promise<Answer> {
  const body = bodyOf(episodeCreateSchema, request.body);
  const { episodes } = context;
  const id = body.id ?? episodes.newId();
  const isNew = episodes.find(id) === undefined;
  const saved = await put(context, id, request, body);
  if (!isNew) return { status: 200, body: saved };
  const location = `${request.url.split('?', 1)[0] ?? ''}/${encodeURIComponent(id)}`;
  return { status: 201, body: saved, headers: { location } };
}

async function put(
  context: CollectionContext,
  id: string,
  { caller }: EndpointRequest,
  body: z.output<typeof episodeWriteSchema>,
): Promise<JsonObject> {
  const saved = await saveEpisode(context, id, body, { caller, by: changedBy(caller, 'api') });
  return episodeObjects(context).object(saved);
}
