import {
  issuedWebhookSchema,
  webhookCreateSchema,
  webhookListSchema,
  webhookRotateSchema,
  webhookSchema,
  webhookWriteSchema,
} from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import type { WebhookDesk } from '../../control/subscribers/webhook-desk.ts';
import type { Endpoint, EndpointRequest, ParameterDoc } from '../endpoints/endpoint.ts';
import { jsonSchemaOf } from '../endpoints/json-schema.ts';
import { bodyOf } from '../legacy/checked.ts';
import { writeBody } from './write-request.ts';

const EDIT = { tag: 'portals', access: 'edit' } as const;
const PORTAL_ID: ParameterDoc = {
  ...{ name: 'portalId', in: 'path', description: 'id of the portal', schema: { type: 'string' } },
};
const WEBHOOK_ID: ParameterDoc = { ...PORTAL_ID, name: 'webhookId', description: 'id of the webhook' };
const ISSUED = { description: 'The webhook with its secret', schema: jsonSchemaOf(issuedWebhookSchema) };
const WEBHOOKS = '/portals/{portalId}/webhooks';
const WEBHOOK = `${WEBHOOKS}/{webhookId}`;
/** How long messages are signed with a replaced secret too where the request does not say it, in seconds. */
const GRACE_SECONDS = 86_400;

/** Webhooks of portals, for those who may change the configuration. */
export function webhookEndpoints(desk: WebhookDesk): Endpoint[] {
  return [
    {
      ...{ ...EDIT, method: 'GET', path: WEBHOOKS, id: 'webhooks_list' },
      summary: 'The webhooks of a portal and how they do, without their secrets',
      parameters: [PORTAL_ID],
      replies: { 200: { description: 'The webhooks', schema: jsonSchemaOf(webhookListSchema) } },
      handle: async (request) => ({
        status: 200,
        body: { webhooks: [...(await desk.webhooks(idsOf(request).portalId))] },
      }),
    },
    {
      ...{ ...EDIT, method: 'POST', path: WEBHOOKS, id: 'webhook_create' },
      summary: 'Makes a webhook, to which operations are posted from then on',
      description: 'Messages are signed by Standard Webhooks 1.0.0. The secret is in this answer only.',
      parameters: [PORTAL_ID],
      body: writeBody(webhookCreateSchema),
      replies: { 201: ISSUED },
      handle: async (request) => {
        const { url, isPrivateAllowed = false } = bodyOf(webhookCreateSchema, request.body);
        return { status: 201, body: await desk.create(idsOf(request).portalId, url, isPrivateAllowed) };
      },
    },
    {
      ...{ ...EDIT, method: 'PUT', path: WEBHOOK, id: 'webhook_save' },
      summary: 'Changes what it names of a webhook, and tries again at once',
      parameters: [PORTAL_ID, WEBHOOK_ID],
      body: writeBody(webhookWriteSchema),
      replies: { 200: { description: 'The webhook', schema: jsonSchemaOf(webhookSchema) } },
      handle: async (request) => {
        const { url, isPrivateAllowed, isDisabled } = bodyOf(webhookWriteSchema, request.body);
        const change = { type: 'updateWebhook', url, isPrivateAllowed, isDisabled } as const;
        return { status: 200, body: await desk.update({ ...change, ...idsOf(request) }) };
      },
    },
    {
      ...{ ...EDIT, method: 'POST', path: `${WEBHOOK}/rotate`, id: 'webhook_rotate' },
      summary: 'Gives a webhook another secret',
      description: 'Messages are signed with the secret before too for `graceSeconds` more.',
      parameters: [PORTAL_ID, WEBHOOK_ID],
      body: { ...writeBody(webhookRotateSchema), isRequired: false },
      replies: { 200: ISSUED },
      handle: async (request) => {
        const { graceSeconds = GRACE_SECONDS } = bodyOf(webhookRotateSchema, request.body ?? {});
        const { portalId, webhookId } = idsOf(request);
        return { status: 200, body: await desk.rotate(portalId, webhookId, graceSeconds * 1000) };
      },
    },
    {
      ...{ ...EDIT, method: 'DELETE', path: WEBHOOK, id: 'webhook_remove' },
      summary: 'Removes a webhook at once',
      parameters: [PORTAL_ID, WEBHOOK_ID],
      replies: { 204: { description: 'The webhook is removed' } },
      handle: async (request) => {
        const { portalId, webhookId } = idsOf(request);
        await desk.remove(portalId, webhookId);
        return { status: 204 };
      },
    },
  ];
}

function idsOf({ params }: EndpointRequest): { readonly portalId: string; readonly webhookId: string } {
  return { portalId: params['portalId'] ?? '', webhookId: params['webhookId'] ?? '' };
}
