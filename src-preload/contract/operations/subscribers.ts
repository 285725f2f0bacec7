import { z } from 'zod';
import { logReportSchema } from '../api/subscribers/log-report.ts';
import {
  OPERATION_TYPES,
  operationSchema,
  ANY_ID_PATTERN,
  type Operation,
} from '../api/subscribers/operation-object.ts';
import {
  packageCreateSchema,
  packageSchema,
  packageWriteSchema,
  subscriberCreateSchema,
  subscriberDisableSchema,
  subscriberSchema,
  subscriberWriteSchema,
  subscriptionWriteSchema,
} from '../api/subscribers/subscriber-objects.ts';
import {
  operationExportCreateSchema,
  operationExportListSchema,
  operationExportSchema,
} from '../api/subscribers/operation-export-objects.ts';
import {
  issuedViewerTokenSchema,
  viewerTokenCreateSchema,
  viewerTokenListSchema,
} from '../api/subscribers/viewer-token-objects.ts';
import { webhookReplayCountSchema } from '../api/subscribers/webhook-objects.ts';
import type { OperationTable } from './operation.ts';
import { flag, integer } from '../api/api-parts.ts';

// The compiler cannot follow the link between the type and the payload of an operation.
const operation = operationSchema as unknown as z.ZodType<Operation>;
const id = z.string().regex(ANY_ID_PATTERN);
const inPortal = z.object({ portalId: id });
const ofWebhook = inPortal.extend({ webhookId: id });
const ofSubscriber = z.object({ subscriberId: id.describe('id of the subscriber') });
const ofPackage = z.object({ packageId: id });
const TOKENS = '/subscribers/{subscriberId}/tokens';
const READ = { access: 'edit', about: 'server', isWrite: false } as const;
const WRITE = { ...READ, isWrite: true } as const;
/** Epoch milliseconds, up to the end of the year 9999. */
const timeMs = z.number().int().min(0).max(253_402_300_799_999);
const isMore = flag('whether there are more');
const afterId = id.optional().describe('id of the last item of the previous page');
/** Position in the search results of subscribers. */
const foundPlace = z.object({
  by: z.enum(['name', 'phone']).describe('whether matches by name continue'),
  value: z.string().max(1000).describe('name or number of the last match'),
  rest: z.string().max(20).describe('its id, or its country code'),
});

/** Change of subscribers, packages or subscriptions. It has the effect of the corresponding HTTP request. */
const subscriberChangeSchema = z.discriminatedUnion('type', [
  subscriberCreateSchema.extend({ type: z.literal('createSubscriber') }),
  subscriberWriteSchema.extend({ type: z.literal('updateSubscriber'), ...ofSubscriber.shape }),
  subscriberDisableSchema.extend({ type: z.literal('disableSubscriber'), ...ofSubscriber.shape }),
  ofSubscriber.extend({ type: z.enum(['enableSubscriber', 'deleteSubscriber']) }),
  packageCreateSchema.extend({ type: z.literal('createPackage') }),
  packageWriteSchema.extend({ type: z.literal('updatePackage'), ...ofPackage.shape }),
  ofPackage.extend({ type: z.literal('deletePackage') }),
  subscriptionWriteSchema.extend({ type: z.literal('attach'), ...ofSubscriber.shape, ...ofPackage.shape }),
  z.object({ type: z.literal('detach'), ...ofSubscriber.shape, ...ofPackage.shape }),
]);
export type SubscriberChange = z.infer<typeof subscriberChangeSchema>;

/** Operations about the contents of a portal. HTTP callers need a key of the portal instead of a login. */
export const SUBSCRIBER_OPERATIONS = {
  'portals.exports': {
    ...READ,
    input: inPortal,
    output: operationExportListSchema,
    http: {
      id: 'operation_exports_list',
      at: 'GET /exports',
      key: 'operations',
      summary: 'The exports of the operations log of the portal',
      answer: 'The exports',
    },
  },
  'portals.create_export': {
    ...WRITE,
    input: operationExportCreateSchema.extend(inPortal.shape),
    output: operationExportSchema,
    http: {
      id: 'operation_export_create',
      at: 'POST /exports',
      key: 'operations',
      summary: 'Starts an export of operations into a file',
      description:
        'The file contains the current log with its archived operations, in order. It is removed a day after it is finished. A portal has at most 20 exports.',
      status: 202,
      answer: 'The export, waiting or running',
      errors: [503],
    },
  },
  'portals.remove_export': {
    ...WRITE,
    input: inPortal.extend({ exportId: z.string().min(1).max(100).describe('id of the export') }),
    output: z.object({}),
    http: {
      id: 'operation_export_remove',
      at: 'DELETE /exports/{exportId}',
      key: 'operations',
      summary: 'Cancels an export, or removes its file',
      answer: 'The export is removed',
    },
  },
  'portals.discard_dead_letters': {
    ...WRITE,
    sameAs: ['dead_letters_discard'],
    input: ofWebhook.extend({
      operationId: id.optional().describe('only this operation'),
      fromMs: timeMs.optional().describe('start of the period, in epoch milliseconds, inclusive'),
      beforeMs: timeMs.optional().describe('end of the period, in epoch milliseconds, exclusive'),
    }),
    output: webhookReplayCountSchema,
  },
  'portals.verify': {
    ...READ,
    sameAs: ['log_verify'],
    input: inPortal.extend({
      isNew: flag('starts a verification unless one is running; otherwise returns the last'),
    }),
    output: z.object({
      records: integer('records checked so far'),
      report: logReportSchema.nullable().describe('result; null while it is running'),
    }),
  },
  'subscribers.list': {
    ...READ,
    sameAs: ['subscribers_list'],
    input: inPortal.extend({
      text: z.string().max(200).default('').describe('only names or numbers that start with this text; empty for all'),
      packageId: id.optional().describe('only subscribers with this package; not together with a text'),
      afterId,
      after: foundPlace.optional().describe('`next` of the previous page, with the same text'),
    }),
    output: z.object({
      subscribers: z.array(subscriberSchema).describe('at most 100'),
      isMore,
      next: foundPlace.nullable().describe('start of the next page of matches; null on the last page'),
    }),
  },
  'subscribers.get': {
    ...READ,
    input: inPortal.extend(ofSubscriber.shape),
    output: subscriberSchema,
    http: {
      id: 'subscriber_get',
      at: 'GET /subscribers/{subscriberId}',
      key: 'read',
      summary: 'One subscriber',
      answer: 'The subscriber',
    },
  },
  'subscribers.find': {
    ...READ,
    sameAs: ['subscribers_list'],
    input: inPortal.extend({
      keys: z
        .array(subscriberCreateSchema.omit({ name: true, note: true }))
        .max(500)
        .describe('customer number or phone number of each requested subscriber; the customer number comes first'),
    }),
    output: z.object({
      subscribers: z
        .array(z.object({ ofNumber: subscriberSchema.nullable(), ofPhone: subscriberSchema.nullable() }))
        .describe('for each key, the subscribers with its customer number and with its phone number'),
    }),
  },
  'subscribers.import': {
    ...WRITE,
    sameAs: ['subscriber_create', 'subscriber_save', 'subscription_attach'],
    input: inPortal.extend({
      rows: z
        .array(
          z.object({
            subscriberId: id.optional().describe('changed subscriber; a new one without it'),
            fields: subscriberWriteSchema.describe('fields to set'),
            packageIds: z.array(id).max(1000).describe('packages to attach; others stay'),
            period: subscriptionWriteSchema.optional().describe('planned period of these packages'),
          }),
        )
        .max(100)
        .describe('each is written separately, so a refused one does not stop the others'),
    }),
    output: z.object({
      failures: z
        .array(z.object({ code: z.string(), message: z.string() }).nullable())
        .describe('for each row, why it was refused; null for a written one'),
    }),
  },
  'subscribers.tokens': {
    ...READ,
    input: inPortal.extend(ofSubscriber.shape),
    output: viewerTokenListSchema,
    http: {
      id: 'viewer_tokens_list',
      at: `GET ${TOKENS}`,
      key: 'read',
      summary: 'The tokens of the viewers of a subscriber, without their secrets',
      answer: 'The tokens',
    },
  },
  'subscribers.create_token': {
    ...WRITE,
    input: viewerTokenCreateSchema.extend({ ...inPortal.shape, ...ofSubscriber.shape }),
    output: issuedViewerTokenSchema,
    http: {
      id: 'viewer_token_create',
      at: `POST ${TOKENS}`,
      key: 'write',
      summary: 'Creates a token for a viewer, who may play the streams of the subscriber’s packages',
      description: 'Only this answer contains the token; the server stores its hash. Add it to addresses as `?token=`.',
      status: 201,
      answer: 'The token',
      errors: [409],
      isBodyOptional: true,
    },
  },
  'subscribers.remove_token': {
    ...WRITE,
    input: inPortal.extend({ ...ofSubscriber.shape, tokenId: id.describe('id of the token') }),
    output: z.object({}),
    http: {
      id: 'viewer_token_remove',
      at: `DELETE ${TOKENS}/{tokenId}`,
      key: 'write',
      summary: 'Revokes a token and ends its sessions',
      answer: 'The token is revoked',
    },
  },
  'subscribers.packages': {
    ...READ,
    sameAs: ['packages_list'],
    input: inPortal.extend({
      text: z.string().max(200).optional().describe('only names that start with this text'),
      ids: z.array(id).max(1000).optional().describe('only these packages'),
      afterId,
    }),
    output: z.object({ packages: z.array(packageSchema).describe('at most 100, or those of ids'), isMore }),
  },
  'subscribers.operations': {
    ...READ,
    sameAs: ['operations_list'],
    input: inPortal.extend({
      subscriberId: id.optional().describe('only of this subscriber'),
      packageId: id.optional().describe('only of this package'),
      type: z.enum(OPERATION_TYPES).optional().describe('only of this type'),
      fromMs: timeMs.optional().describe('start of the period, in epoch milliseconds, inclusive'),
      beforeMs: timeMs.optional().describe('end of the period, in epoch milliseconds, exclusive'),
      afterId,
    }),
    output: z.object({ operations: z.array(operation).describe('newest first, at most 100'), isMore }),
  },
  'subscribers.change': {
    ...WRITE,
    sameAs: ['subscriber_save', 'subscriber_delete', 'package_save', 'subscription_attach', 'subscription_detach'],
    input: inPortal.extend({ change: subscriberChangeSchema }),
    output: z.object({
      madeId: id.nullable().describe('id of the new subscriber or package; null for other changes'),
    }),
  },
} as const satisfies OperationTable;
