import { z } from 'zod';
import { ANY_ID_PATTERN } from '../api/subscribers/operation-object.ts';
import {
  issuedPortalKeySchema,
  portalCreateSchema,
  portalKeyCreateSchema,
  portalKeyListSchema,
  portalKeyRotateSchema,
  portalListSchema,
  portalSchema,
  portalWriteSchema,
} from '../api/subscribers/subscriber-objects.ts';
import {
  deadLetterListSchema,
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
} from '../api/subscribers/webhook-objects.ts';
import type { OperationTable } from './operation.ts';

const id = z.string().regex(ANY_ID_PATTERN);
const inPortal = { portalId: id.describe('id of the portal') };
const ofKey = { ...inPortal, keyId: id.describe('id of the key') };
const ofWebhook = { ...inPortal, webhookId: id.describe('id of the webhook') };
const nothing = z.object({});

const READ = { access: 'edit', about: 'server', isWrite: false } as const;
const WRITE = { ...READ, isWrite: true } as const;
const KEYS = '/portals/{portalId}/keys';
const WEBHOOKS = '/portals/{portalId}/webhooks';
const WEBHOOK = `${WEBHOOKS}/{webhookId}` as const;

/** Operations about portals, their keys and their webhooks. */
export const PORTAL_OPERATIONS = {
  'portals.list': {
    ...READ,
    input: nothing,
    output: portalListSchema,
    http: { id: 'portals_list', at: 'GET /portals', summary: 'All portals', answer: 'The portals' },
  },
  'portals.create': {
    ...WRITE,
    input: portalCreateSchema,
    output: portalSchema,
    http: {
      id: 'portal_create',
      at: 'POST /portals',
      summary: 'Creates a portal',
      status: 201,
      answer: 'The new portal',
    },
  },
  'portals.get': {
    ...READ,
    input: z.object(inPortal),
    output: portalSchema,
    http: { id: 'portal_get', at: 'GET /portals/{portalId}', summary: 'One portal', answer: 'The portal' },
  },
  'portals.update': {
    ...WRITE,
    input: portalWriteSchema.extend(inPortal),
    output: portalSchema,
    http: {
      id: 'portal_save',
      at: 'PUT /portals/{portalId}',
      summary: 'Changes the given fields of a portal',
      description: 'A portal cannot be removed, because its log is a record; `isDisabled` refuses all of its keys.',
      answer: 'The portal',
    },
  },
  'portals.keys': {
    ...READ,
    input: z.object(inPortal),
    output: portalKeyListSchema,
    http: {
      id: 'portal_keys_list',
      at: `GET ${KEYS}`,
      summary: 'The keys of a portal, without their secrets',
      answer: 'The keys',
    },
  },
  'portals.create_key': {
    ...WRITE,
    input: portalKeyCreateSchema.extend(inPortal),
    output: issuedPortalKeySchema,
    http: {
      id: 'portal_key_create',
      at: `POST ${KEYS}`,
      summary: 'Creates a key of a portal',
      description: 'Only this answer contains the secret; the server stores its hash.',
      status: 201,
      answer: 'The key with its secret',
    },
  },
  'portals.rotate_key': {
    ...WRITE,
    input: portalKeyRotateSchema.extend(ofKey),
    output: issuedPortalKeySchema,
    http: {
      id: 'portal_key_rotate',
      at: `POST ${KEYS}/{keyId}/rotate`,
      summary: 'Gives a key another secret',
      description: 'The previous secret stays valid for `graceSeconds`, so that no request is refused meanwhile.',
      answer: 'The key with its secret',
      isBodyOptional: true,
    },
  },
  'portals.remove_key': {
    ...WRITE,
    input: z.object(ofKey),
    output: nothing,
    http: {
      id: 'portal_key_remove',
      at: `DELETE ${KEYS}/{keyId}`,
      summary: 'Revokes a key at once',
      answer: 'The key is revoked',
    },
  },
  'portals.webhooks': {
    ...READ,
    input: z.object(inPortal),
    output: webhookListSchema,
    http: {
      id: 'webhooks_list',
      at: `GET ${WEBHOOKS}`,
      summary: 'The webhooks of a portal with their state, without their secrets',
      answer: 'The webhooks',
    },
  },
  'portals.create_webhook': {
    ...WRITE,
    input: webhookCreateSchema.extend(inPortal),
    output: issuedWebhookSchema,
    http: {
      id: 'webhook_create',
      at: `POST ${WEBHOOKS}`,
      summary: 'Creates a webhook, which receives operations from then on',
      description: 'Messages are signed by Standard Webhooks 1.0.0. Only this answer contains the secret.',
      status: 201,
      answer: 'The webhook with its secret',
    },
  },
  'portals.update_webhook': {
    ...WRITE,
    input: webhookWriteSchema.extend(ofWebhook),
    output: webhookSchema,
    http: {
      id: 'webhook_save',
      at: `PUT ${WEBHOOK}`,
      summary: 'Changes the given fields of a webhook, and retries at once',
      answer: 'The webhook',
    },
  },
  'portals.rotate_webhook': {
    ...WRITE,
    input: webhookRotateSchema.extend(ofWebhook),
    output: issuedWebhookSchema,
    http: {
      id: 'webhook_rotate',
      at: `POST ${WEBHOOK}/rotate`,
      summary: 'Gives a webhook another secret',
      description: 'Messages are also signed with the previous secret for `graceSeconds`.',
      answer: 'The webhook with its secret',
      isBodyOptional: true,
    },
  },
  'portals.remove_webhook': {
    ...WRITE,
    input: z.object(ofWebhook),
    output: nothing,
    http: {
      id: 'webhook_remove',
      at: `DELETE ${WEBHOOK}`,
      summary: 'Removes a webhook at once',
      answer: 'The webhook is removed',
    },
  },
  'portals.webhook_log': {
    ...READ,
    input: z.object(ofWebhook),
    output: webhookLogSchema,
    http: {
      id: 'webhook_log',
      at: `GET ${WEBHOOK}/log`,
      summary: 'The last attempts of a webhook, and its undelivered operations',
      answer: 'Attempts and dead letters',
    },
  },
  'portals.test_webhook': {
    ...WRITE,
    input: z.object(ofWebhook),
    output: webhookTestSchema,
    http: {
      id: 'webhook_test',
      at: `POST ${WEBHOOK}/test`,
      summary: 'Posts a signed message of the type test at once, and says whether the receiver accepted it',
      answer: 'The result',
    },
  },
  'portals.replay_webhook': {
    ...WRITE,
    input: webhookReplaySchema.extend(ofWebhook),
    output: webhookReplayCountSchema,
    http: {
      id: 'webhook_replay',
      at: `POST ${WEBHOOK}/replay`,
      summary: 'Posts operations to a webhook again, after all new ones',
      description:
        'Messages keep their ids, so that a receiver recognizes those that it already accepted. With `isPreview` they are only counted.',
      answer: 'Number of messages',
    },
  },
  'portals.dead_letters': {
    ...READ,
    input: z.object({ ...ofWebhook, afterId: id.optional(), limit: z.number().int().min(1).max(100) }),
    output: deadLetterListSchema,
    http: {
      id: 'dead_letters_list',
      at: `GET ${WEBHOOK}/dead-letters`,
      summary: 'Operations that could not be delivered to a webhook, newest first',
      answer: 'A portion of them',
      isPaged: true,
    },
  },
} as const satisfies OperationTable;
