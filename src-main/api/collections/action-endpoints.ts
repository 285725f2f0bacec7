import { spliceInsertSchema } from '../../../src-preload/contract/api/ad-objects.ts';
import { sessionsReauthSchema } from '../../../src-preload/contract/api/session-object.ts';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { STREAM_OPERATIONS } from '../../../src-preload/contract/operations/streams.ts';
import { streamOperations } from '../../control/stream-operations.ts';
import { requireInScope } from '../../operators/require.ts';
import { selectInput } from '../../streams/select-input.ts';
import type { Endpoint, BodySchema } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { endpointsOf, operationSchemas } from '../endpoints/operation-endpoints.ts';
import type { CollectionContext } from './collection-context.ts';
import { inQuery, required } from '../endpoints/parameters.ts';

const DONE = { 204: { description: 'Done' } } as const;

export const ACTION_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  ...operationSchemas(STREAM_OPERATIONS),
  splice_insert: spliceInsertSchema,
  sessions_reauth: sessionsReauthSchema,
};

/** Actions on streams and sessions. */
export function actionEndpoints(context: CollectionContext): readonly Endpoint[] {
  const { streams, sessions } = context;
  return [
    {
      id: 'stream_input_select',
      tag: 'streams',
      method: 'POST',
      path: '/streams/{name}/inputs/{index}/select',
      access: 'operate',
      isScoped: true,
      summary: 'Puts an input of a stream on air',
      description:
        'Inputs are numbered from 0. The chosen input stays preferred until another one is chosen or the stream is restarted.',
      replies: DONE,
      handle: ({ params, caller }) => {
        const { name = '', index = '' } = params;
        requireInScope(caller, name);
        if (!/^\d{1,6}$/.test(index))
          throw new AirdeskError('bad_query', 'The index of an input must be a number, from 0', {
            parameter: 'index',
          });
        selectInput(streams, name, Number(index));
        return { status: 204 };
      },
    },
    ...endpointsOf(STREAM_OPERATIONS, streamOperations(context), { tag: 'streams' }),
    {
      id: 'sessions_reauth',
      tag: 'sessions',
      method: 'POST',
      path: '/sessions/reauth',
      access: 'operate',
      isScoped: true,
      summary: 'Lets the backend authorize all sessions of a stream or file again',
      parameters: [required(inQuery('name', 'the stream or file'))],
      replies: { 200: { description: 'Number of its sessions', schema: schemaRef('sessions_reauth') } },
      handle: ({ query, caller }) => {
        const name = query.find((parameter) => parameter.name === 'name')?.value;
        if (name === undefined || name === '')
          throw new AirdeskError('bad_query', 'The parameter name must name a stream or file', { parameter: 'name' });
        requireInScope(caller, name);
        return { status: 200, body: { estimated_count: sessions.reauth(name) } };
      },
    },
  ];
}
