import { apiTokenObjectSchema, issuedTokenSchema } from '../../../src-preload/contract/api/api-token-object.ts';
import { probeSchema, type Probe } from '../../../src-preload/contract/api/probe.ts';
import { rproxyObjectSchema } from '../../../src-preload/contract/api/cluster-objects.ts';
import { signedAddressRequestSchema, signedAddressSchema } from '../../../src-preload/contract/api/signed-address.ts';
import { sessionsReauthSchema } from '../../../src-preload/contract/api/session-object.ts';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { requireInScope } from '../../operators/require.ts';
import { changedBy } from '../../operators/caller.ts';
import { rproxyObject } from '../objects/config-objects.ts';
import { putRproxy } from '../objects/object-edits.ts';
import { issueToken } from '../objects/issue-token.ts';
import { selectInput } from '../../control/select-input.ts';
import { makeSignedAddress } from '../objects/signed-addresses.ts';
import { changeReport, savedSchema, VALIDATE } from '../change-answer.ts';
import { flag } from '../endpoints/query-flag.ts';
import type { Endpoint, EndpointRequest } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type Json, type JsonSchema } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import type { CollectionContext } from './collection-context.ts';
import { bodySchema, readObjectBody } from './object-body.ts';

const DONE = { 204: { description: 'Done' } } as const;
const API_TOKEN = jsonSchemaOf(apiTokenObjectSchema);
const RPROXY = jsonSchemaOf(rproxyObjectSchema);

/** Schemas that these endpoints refer to. */
export const ACTION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  rproxy: RPROXY,
  rproxy_write: bodySchema(RPROXY),
  rproxy_saved: savedSchema(RPROXY),
  probe: jsonSchemaOf(probeSchema),
  issued_token: jsonSchemaOf(issuedTokenSchema),
  sessions_reauth: jsonSchemaOf(sessionsReauthSchema),
  signed_address: jsonSchemaOf(signedAddressSchema),
  signed_address_request: jsonSchemaOf(signedAddressRequestSchema),
};

/** What is beside the lists and their objects: actions on streams and sessions, the gateway, and probes. */
export function actionEndpoints(context: CollectionContext): readonly Endpoint[] {
  const { configuration, streams, sessions } = context;
  return [
    {
      ...{
        id: 'stream_input_select',
        tag: 'streams',
        method: 'POST',
        path: '/streams/{name}/inputs/{index}/select',
        access: 'operate',
        isScoped: true,
      },
      summary: 'Puts an input of a stream on air',
      description:
        'Inputs are counted from 0. It stays preferred until another one is chosen or the stream is restarted.',
      replies: DONE,
      handle: ({ params, caller }) => {
        const { name = '', index = '' } = params;
        requireInScope(caller, name);
        if (!/^\d{1,6}$/.test(index))
          throw new AirdeskError('bad_query', 'The index of an input is a number, counted from 0', {
            parameter: 'index',
          });
        selectInput(streams, name, Number(index));
        return { status: 204 };
      },
    },
    {
      ...{
        id: 'stream_stop',
        tag: 'streams',
        method: 'POST',
        path: '/streams/{name}/stop',
        access: 'operate',
        isScoped: true,
      },
      summary: 'Closes a stream; a static one is opened again at once',
      replies: DONE,
      handle: async ({ params, caller }) => {
        requireInScope(caller, params['name'] ?? '');
        await streams.restart(params['name'] ?? '');
        return { status: 204 };
      },
    },
    {
      ...{
        id: 'stream_sign',
        tag: 'streams',
        method: 'POST',
        path: '/streams/{name}/signed_address',
        access: 'edit',
        isScoped: true,
      },
      summary: 'Makes a signed address of a stream, to play it or to publish it',
      description:
        'Signed with the newest `play_key` or `publish_key` of the stream. The name may be one that is not published yet, under a live prefix.',
      body: { schema: schemaRef('signed_address_request') },
      replies: { 200: { description: 'The address', schema: schemaRef('signed_address') } },
      handle: ({ params, body, caller }) => {
        requireInScope(caller, params['name'] ?? '');
        return { status: 200, body: makeSignedAddress(context, params['name'] ?? '', body) };
      },
    },
    {
      ...{
        id: 'sessions_reauth',
        tag: 'sessions',
        method: 'POST',
        path: '/sessions/reauth',
        access: 'operate',
        isScoped: true,
      },
      summary: 'Has the backend asked again about every session of a stream or file',
      parameters: [
        { name: 'name', in: 'query', description: 'the stream or file', schema: { type: 'string' }, isRequired: true },
      ],
      replies: { 200: { description: 'How many sessions it has', schema: schemaRef('sessions_reauth') } },
      handle: ({ query, caller }) => {
        const name = query.find((parameter) => parameter.name === 'name')?.value;
        if (name === undefined || name === '')
          throw new AirdeskError('bad_query', 'name says which stream or file is meant', { parameter: 'name' });
        requireInScope(caller, name);
        return { status: 200, body: { estimated_count: sessions.reauth(name) } };
      },
    },
    {
      ...{ id: 'api_token_issue', tag: 'api_tokens', method: 'POST', path: '/api_tokens/{name}/issue', access: 'edit' },
      summary: 'Makes an API token, or another secret for one that is there',
      description:
        'The secret is in the answer and nowhere else; the one before holds no more. The body may name scope and prefixes; what it does not name stays.',
      body: { schema: schemaRef('api_token_write'), isRequired: false },
      replies: { 200: { description: 'The token with its secret', schema: schemaRef('issued_token') } },
      handle: async ({ params, body, caller }) => ({
        status: 200,
        body: await issueToken(
          context,
          params['name'] ?? '',
          readObjectBody(body ?? {}, API_TOKEN),
          changedBy(caller, 'api'),
        ),
      }),
    },
    {
      ...{ id: 'rproxy_get', tag: 'rproxy', method: 'GET', path: '/rproxy', access: 'view' },
      summary: 'The gateway for agents',
      replies: { 200: { description: 'The gateway', schema: schemaRef('rproxy') } },
      handle: () => ({ status: 200, body: rproxyObject(configuration.config) }),
    },
    {
      ...{ id: 'rproxy_save', tag: 'rproxy', method: 'PUT', path: '/rproxy', access: 'edit' },
      summary: 'Changes the gateway for agents',
      body: { schema: schemaRef('rproxy_write'), types: ['application/json', 'application/merge-patch+json'] },
      parameters: [VALIDATE],
      replies: { 200: { description: 'The gateway', schema: schemaRef('rproxy_saved') } },
      handle: async ({ body, caller, query }) => {
        const fields = readObjectBody(body, RPROXY);
        const currentJson = readObjectBody(rproxyObject(configuration.config), RPROXY);
        const isDryRun = flag({ query }, 'validate');
        const write = { body: fields, currentJson, lists: [] };
        const applied = await putRproxy(context, write, changedBy(caller, 'api'), isDryRun);
        const report = changeReport(applied, ['rproxy'], fields, isDryRun);
        return { status: 200, body: { ...rproxyObject(applied.config), ...report } };
      },
    },
    {
      ...{ id: 'rproxy_delete', tag: 'rproxy', method: 'DELETE', path: '/rproxy', access: 'edit' },
      summary: 'Removes the gateway for agents from the configuration',
      parameters: [VALIDATE],
      replies: DONE,
      handle: async ({ caller, query }) => {
        await putRproxy(context, null, changedBy(caller, 'api'), flag({ query }, 'validate'));
        return { status: 204 };
      },
    },
    ...probes(context),
  ];
}

function probes(context: CollectionContext): readonly Endpoint[] {
  const answer = ({ describe, clock }: CollectionContext, status: string): Json => {
    const { version, started_at: startedAt } = describe();
    return {
      server_version: version,
      build: null,
      now: clock.now(),
      started_at: Math.floor(startedAt / 1000),
      status,
    } satisfies Probe;
  };
  const probe = (name: string, summary: string, handle: (request: EndpointRequest) => Json): Endpoint => ({
    ...{ id: `monitoring_${name}`, tag: 'monitoring', method: 'GET', path: `/monitoring/${name}`, access: 'probe' },
    summary,
    replies: { 200: { description: 'It does', schema: schemaRef('probe') } },
    handle: (request) => ({ status: 200, body: handle(request) }),
  });
  return [
    probe('liveness', 'Whether the server runs', () => answer(context, 'running')),
    probe('readiness', 'Whether the server serves; 503 while it starts or stops', () => {
      const reason = context.notReady();
      if (reason !== null) throw new AirdeskError('unavailable', reason);
      return answer(context, 'running');
    }),
  ];
}
