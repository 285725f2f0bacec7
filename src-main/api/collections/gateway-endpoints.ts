import { rproxyObjectSchema } from '../../../src-preload/contract/api/cluster-objects.ts';
import { changedBy } from '../../operators/caller.ts';
import { changeReport, isDryRun, savedSchema, VALIDATE } from '../change-answer.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type JsonSchema } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { rproxyObject } from '../objects/config-objects.ts';
import { putRproxy } from '../objects/object-edits.ts';
import type { CollectionContext } from './collection-context.ts';
import { bodySchema, readObjectBody } from './object-body.ts';

const RPROXY = jsonSchemaOf(rproxyObjectSchema);

/** Schemas that these endpoints refer to. */
export const GATEWAY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  rproxy: RPROXY,
  rproxy_write: bodySchema(RPROXY),
  rproxy_saved: savedSchema(RPROXY),
};

/** The gateway for agents: one object without a list. */
export function gatewayEndpoints(context: CollectionContext): readonly Endpoint[] {
  const { configuration } = context;
  return [
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
      handle: async (request) => {
        const fields = readObjectBody(request.body, RPROXY);
        const currentJson = readObjectBody(rproxyObject(configuration.config), RPROXY);
        const isTried = isDryRun(request);
        const write = { body: fields, currentJson, lists: [] };
        const applied = await putRproxy(context, write, changedBy(request.caller, 'api'), isTried);
        const report = await changeReport(applied, ['rproxy'], fields, isTried);
        return { status: 200, body: { ...rproxyObject(applied.config), ...report } };
      },
    },
    {
      ...{ id: 'rproxy_delete', tag: 'rproxy', method: 'DELETE', path: '/rproxy', access: 'edit' },
      summary: 'Removes the gateway for agents from the configuration',
      parameters: [VALIDATE],
      replies: { 204: { description: 'Done' } },
      handle: async (request) => {
        await putRproxy(context, null, changedBy(request.caller, 'api'), isDryRun(request));
        return { status: 204 };
      },
    },
  ];
}
