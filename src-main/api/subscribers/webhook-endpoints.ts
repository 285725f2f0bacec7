import {
  issuedWebhookSchema,
  webhookCreateSchema,
  webhookListSchema,
  webhookLogSchema,
  webhookReplayCountSchema,
  webhookReplaySchema,
  webhookRotateSchema,
  webhookSchema,
  webhookTestSchema,
  webhookWriteSchema,
} from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import type { WebhookService } from '../../control/subscribers/webhook-service.ts';
import type { Endpoint, EndpointRequest, ParameterDoc } from '../endpoints/endpoint.ts';
import { bodyOf } from '../legacy/checked.ts';
import { writeBody } from './write-request.ts';

const EDIT = { tag: 'portals', access: 'edit' } as const;
const PORTAL_ID: ParameterDoc = {
  name: 'portalId',
  in: 'path',
  description: 'id of the portal',
  schema: { type: 'string' },
};
const WEBHOOK_ID: ParameterDoc = { ...PORTAL_ID, name: 'webhookId', description: 'id of the webhook' };
const ISSUED = { description: 'The webhook with its secret', schema: issuedWebhookSchema };
const WEBHOOKS = '/portals/{portalId}/webhooks';
const WEBHOOK = `${WEBHOOKS}/{webhookId}`;
/** Default time in which messages are also signed with a replaced secret, in seconds. */
const GRACE_SECONDS = 86_400;

/** Webhooks of portals, for callers with write access. */
export function webhookEndpoints(service: WebhookService): Endpoint[] {
  return [
    {
      ...EDIT,
      method: 'GET',
      path: WEBHOOKS,
      id: 'webhooks_list',
      summary: 'The webhooks of a portal with their state, without their secrets',
      parameters: [PORTAL_ID],
      replies: { 200: { description: 'The webhooks', schema: webhookListSchema } },
      handle: async (request) => ({
        status: 200,
        body: { webhooks: [...(await service.webhooks(idsOf(request).portalId))] },
      }),
    },
    {
      ...EDIT,
      method: 'POST',
      path: WEBHOOKS,
      id: 'webhook_create',
      summary: 'Creates a webhook, which receives operations from then on',
      description: 'Messages are signed by Standard Webhooks 1.0.0. Only this answer contains the secret.',
      parameters: [PORTAL_ID],
      body: writeBody(webhookCreateSchema),
      replies: { 201: ISSUED },
      handle: async (request) => {
        const { url, isPrivateAllowed = false, maxPerSecond } = bodyOf(webhookCreateSchema, request.body);
        return {
          status: 201,
          body: await service.create(idsOf(request).portalId, url, isPrivateAllowed, maxPerSecond),
        };
      },
    },
    {
      ...EDIT,
      method: 'PUT',
      path: WEBHOOK,
      id: 'webhook_save',
      summary: 'Changes the given fields of a webhook, and retries at once',
      parameters: [PORTAL_ID, WEBHOOK_ID],
      body: writeBody(webhookWriteSchema),
      replies: { 200: { description: 'The webhook', schema: webhookSchema } },
      handle: async (request) => {
        const { url, isPrivateAllowed, isDisabled, maxPerSecond } = bodyOf(webhookWriteSchema, request.body);
        const change = { type: 'updateWebhook', url, isPrivateAllowed, isDisabled, maxPerSecond } as const;
        return { status: 200, body: await service.update({ ...change, ...idsOf(request) }) };
      },
    },
    {
      ...EDIT,
      method: 'POST',
      path: `${WEBHOOK}/rotate`,
      id: 'webhook_rotate',
      summary: 'Gives a webhook another secret',
      description: 'Messages are also signed with the previous secret for `graceSeconds`.',
      parameters: [PORTAL_ID, WEBHOOK_ID],
      body: { ...writeBody(webhookRotateSchema), isRequired: false },
      replies: { 200: ISSUED },
      handle: async (request) => {
        const { graceSeconds = GRACE_SECONDS } = bodyOf(webhookRotateSchema, request.body ?? {});
        const { portalId, webhookId } = idsOf(request);
        return { status: 200, body: await service.rotate(portalId, webhookId, graceSeconds * 1000) };
      },
    },
    {
      ...EDIT,
      method: 'DELETE',
      path: WEBHOOK,
      id: 'webhook_remove',
      summary: 'Removes a webhook at once',
      parameters: [PORTAL_ID, WEBHOOK_ID],
      replies: { 204: { description: 'The webhook is removed' } },
      handle: async (request) => {
        const { portalId, webhookId } = idsOf(request);
        await service.remove(portalId, webhookId);
        return { status: 204 };
      },
    },
    {
      ...EDIT,
      method: 'GET',
      path: `${WEBHOOK}/log`,
      id: 'webhook_log',
      summary: 'The last attempts of a webhook, and its undelivered operations',
      parameters: [PORTAL_ID, WEBHOOK_ID],
      replies: { 200: { description: 'Attempts and dead letters', schema: webhookLogSchema } },
      handle: async (request) => {
        const { portalId, webhookId } = idsOf(request);
        const { attempts, deadLetters } = await service.log(portalId, webhookId);
        return { status: 200, body: { attempts, deadLetters } };
      },
    },
    {
      ...EDIT,
      method: 'POST',
      path: `${WEBHOOK}/test`,
      id: 'webhook_test',
      summary: 'Posts a signed message of the type test at once, and says whether the receiver accepted it',
      parameters: [PORTAL_ID, WEBHOOK_ID],
      replies: { 200: { description: 'The result', schema: webhookTestSchema } },
      handle: async (request) => {
        const { portalId, webhookId } = idsOf(request);
        return { status: 200, body: await service.test(portalId, webhookId) };
      },
    },
    {
      ...EDIT,
      method: 'POST',
      path: `${WEBHOOK}/replay`,
      id: 'webhook_replay',
      summary: 'Posts operations to a webhook again, after all new ones',
      description:
        'Messages keep their ids, so that a receiver recognizes those that it already accepted. With `isPreview` they are only counted.',
      parameters: [PORTAL_ID, WEBHOOK_ID],
      body: writeBody(webhookReplaySchema),
      replies: { 200: { description: 'How many', schema: webhookReplayCountSchema } },
      handle: async (request) => {
        const { portalId, webhookId } = idsOf(request);
        const replay = bodyOf(webhookReplaySchema, request.body);
        return { status: 200, body: { count: await service.replay(portalId, webhookId, replay) } };
      },
    },
  ];
}

function idsOf({ params }: EndpointRequest): { readonly portalId: string; readonly webhookId: string } {
  return { portalId: params['portalId'] ?? '', webhookId: params['webhookId'] ?? '' };
}
