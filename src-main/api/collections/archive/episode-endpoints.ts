import { episodeCreateSchema, episodeWriteSchema } from '../../../../src-preload/contract/api/episode-object.ts';
import { AirdeskError } from '../../../../src-preload/contract/errors.ts';
import type { z } from 'zod';
import { changedBy } from '../../../operators/caller.ts';
import { requireInScope } from '../../../operators/require.ts';
import type { Answer, Endpoint, EndpointRequest } from '../../endpoints/endpoint.ts';
import { schemaRef } from '../../endpoints/open-api.ts';
import { bodyOf } from '../../legacy/checked.ts';
import { episodeObject, requireEpisodes } from '../../objects/episode-objects.ts';
import { requireArchiveToChange } from './archive-times.ts';
import type { CollectionContext } from '../collection-context.ts';
import type { IdempotentAnswers } from '../idempotent-answers.ts';

const ROW = { tag: 'episodes', access: 'operate', isScoped: true, errors: [404, 409, 503] } as const;
const SAVED = { description: 'The episode', schema: schemaRef('episode') };
/** Ids that need no encoding in an address. */
const ID = /^[A-Za-z0-9._~-]{1,128}$/;

/** Endpoints that make and change episodes of archives. Episodes are not part of the configuration. */
export function episodeEndpoints(context: CollectionContext, idempotent: IdempotentAnswers): readonly Endpoint[] {
  return [
    {
      ...ROW,
      id: 'episode_save',
      method: 'PUT',
      path: '/episodes/{id}',
      summary: 'Makes an episode, or changes the one that is there',
      description:
        'No limit of time, size or disk deletes what an episode has of an archive until it expires or is deleted. It may be made before it is recorded; episodes may overlap. What the body names is set, null empties, the rest stays.',
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
      summary: 'Makes an episode, or changes the one with the same id',
      description:
        'The id stands in the body; without one, the server makes one. The same request with the same Idempotency-Key is carried out once.',
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          schema: { type: 'string' },
          description: 'made by the client, for this request alone; kept for 24 hours',
        },
      ],
      body: { schema: episodeCreateSchema },
      replies: { 200: SAVED, 201: { ...SAVED, description: 'The episode, which is new' } },
      handle: (request) => idempotent.answer(request, async () => create(context, request)),
    },
  ];
}

async function create(context: CollectionContext, request: EndpointRequest): Promise<Answer> {
  const body = bodyOf(episodeCreateSchema, request.body);
  const episodes = requireEpisodes(context);
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
): Promise<ReturnType<typeof episodeObject>> {
  if (!ID.test(id))
    throw new AirdeskError('bad_value', 'An id has 1 to 128 letters, digits and . _ ~ -', { pointer: '/id' });
  const episodes = requireEpisodes(context);
  const known = episodes.find(id);
  if (known) requireInScope(caller, known.stream);
  const stream = needed('name', body.name ?? known?.stream);
  await requireArchiveToChange(context, stream, caller);
  const startMs = needed('from', body.from === undefined ? known?.startMs : body.from * 1000);
  const endMs = needed('to', body.to === undefined ? known?.endMs : body.to * 1000);
  if (endMs <= startMs) throw new AirdeskError('bad_value', 'It ends behind its begin', { pointer: '/to' });
  const { expires_at: expiresAt } = body;
  const expiresMs = expiresAt === undefined ? known?.expiresMs : expiresAt === null ? null : expiresAt * 1000;
  const title = body.title === undefined ? (known?.title ?? '') : (body.title ?? '');
  const note = body.note === undefined ? (known?.note ?? '') : (body.note ?? '');
  return episodeObject(episodes.put({ id, stream, title, note, startMs, endMs, expiresMs }, changedBy(caller, 'api')));
}

function needed<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new AirdeskError('bad_value', `A new episode needs ${name}`, { pointer: `/${name}` });
  return value;
}
