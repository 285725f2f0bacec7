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
import { deadLetterListSchema, webhookReplayCountSchema } from '../api/subscribers/webhook-objects.ts';
import type { OperationTable } from './operation.ts';

// The compiler cannot follow the link between type and payload.
const operation = operationSchema as unknown as z.ZodType<Operation>;
const id = z.string().regex(ANY_ID_PATTERN);
const inPortal = z.object({ portalId: id });
const ofWebhook = inPortal.extend({ webhookId: id });
const ofSubscriber = z.object({ subscriberId: id });
const ofPackage = z.object({ packageId: id });
const timeMs = z.number().int().min(0).max(253_402_300_799_999);
const isMore = z.boolean().describe('whether there are more');
const afterId = id.optional().describe('id of the last item of the previous page');
/** Epoch milliseconds, up to the end of the year 9999. */
const foundPlace = z.object({
  by: z.enum(['name', 'phone']).describe('whether matches by name continue'),
  value: z.string().max(1000).describe('name or number of the last match'),
  rest: z.string().max(20).describe('its id, or its country code'),
});

/** Change of subscribers, packages or subscriptions, with the effect of the matching HTTP request. */
const subscriberChangeSchema = z.discriminatedUnion('type', [
  subscriberCreateSchema.extend({ type: z.literal('createSubscriber') }),
  subscriberWriteSchema.extend({ type: z.literal('updateSubscriber'), ...ofSubscriber.shape }),
  subscriberDisableSchema.extend({ type: z.literal('disableSubscriber'), ...ofSubscriber.shape }),
  ofSubscriber.extend({ type: z.enum(['enableSubscriber', 'deleteSubscriber']) }),
  packageCreateSchema.extend({ type: z.literal('createPackage') }),
  packageWriteSchema.extend({ type: z.literal('updatePackage'), ...ofPackage.shape }),
  ofPackage.extend({ type: z.literal('deletePackage') }),
  z.object({ type: z.enum(['attach', 'detach']), ...ofSubscriber.shape, ...ofPackage.shape }),
]);
export type SubscriberChange = z.infer<typeof subscriberChangeSchema>;

/**
 * Bridge calls for portals and their subscribers; they require a login that may change the configuration. Fields have the names
 * of the HTTP API.
 */
export const SUBSCRIBER_CALLS = {
  'portals.exports': {
    access: 'edit',
    about: 'server',
    sameAs: ['operation_exports_list'],
    input: inPortal,
    output: operationExportListSchema,
    isWrite: false,
  },
  'portals.create_export': {
    access: 'edit',
    about: 'server',
    sameAs: ['operation_export_create'],
    input: operationExportCreateSchema.extend(inPortal.shape),
    output: operationExportSchema,
    isWrite: true,
  },
  'portals.remove_export': {
    access: 'edit',
    about: 'server',
    sameAs: ['operation_export_remove'],
    input: inPortal.extend({ exportId: z.string().min(1).max(100) }),
    output: z.object({}),
    isWrite: true,
  },
  'portals.dead_letters': {
    access: 'edit',
    about: 'server',
    sameAs: ['dead_letters_list'],
    input: ofWebhook.extend({ afterId }),
    output: deadLetterListSchema.pick({ deadLetters: true }).extend({ isMore }),
    isWrite: false,
  },
  'portals.discard_dead_letters': {
    access: 'edit',
    about: 'server',
    sameAs: ['dead_letters_discard'],
    input: ofWebhook.extend({
      operationId: id.optional().describe('only this operation'),
      fromMs: timeMs.optional().describe('start of the period, in epoch milliseconds, inclusive'),
      beforeMs: timeMs.optional().describe('end of the period, in epoch milliseconds, exclusive'),
    }),
    output: webhookReplayCountSchema,
    isWrite: true,
  },
  'portals.verify': {
    access: 'edit',
    about: 'server',
    sameAs: ['log_verify'],
    input: inPortal.extend({
      isNew: z.boolean().describe('starts a verification unless one is running; otherwise returns the last'),
    }),
    output: z.object({
      records: z.number().int().describe('records checked so far'),
      report: logReportSchema.nullable().describe('result; null while it is running'),
    }),
    isWrite: false,
  },
  'subscribers.list': {
    access: 'edit',
    about: 'server',
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
    isWrite: false,
  },
  'subscribers.get': {
    access: 'edit',
    about: 'server',
    sameAs: ['subscriber_get'],
    input: inPortal.extend(ofSubscriber.shape),
    output: subscriberSchema,
    isWrite: false,
  },
  'subscribers.tokens': {
    access: 'edit',
    about: 'server',
    sameAs: ['viewer_tokens_list'],
    input: inPortal.extend(ofSubscriber.shape),
    output: viewerTokenListSchema,
    isWrite: false,
  },
  'subscribers.create_token': {
    access: 'edit',
    about: 'server',
    sameAs: ['viewer_token_create'],
    input: viewerTokenCreateSchema.extend({ ...inPortal.shape, ...ofSubscriber.shape }),
    output: issuedViewerTokenSchema,
    isWrite: true,
  },
  'subscribers.remove_token': {
    access: 'edit',
    about: 'server',
    sameAs: ['viewer_token_remove'],
    input: inPortal.extend({ ...ofSubscriber.shape, tokenId: id }),
    output: z.object({}),
    isWrite: true,
  },
  'subscribers.packages': {
    access: 'edit',
    about: 'server',
    sameAs: ['packages_list'],
    input: inPortal.extend({
      text: z.string().max(200).optional().describe('only names that start with this text'),
      ids: z.array(id).max(1000).optional().describe('only these packages'),
      afterId,
    }),
    output: z.object({ packages: z.array(packageSchema).describe('at most 100, or those of ids'), isMore }),
    isWrite: false,
  },
  'subscribers.operations': {
    access: 'edit',
    about: 'server',
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
    isWrite: false,
  },
  'subscribers.change': {
    access: 'edit',
    about: 'server',
    sameAs: ['subscriber_save', 'subscriber_delete', 'package_save', 'subscription_attach', 'subscription_detach'],
    input: inPortal.extend({ change: subscriberChangeSchema }),
    output: z.object({
      madeId: id.nullable().describe('id of the new subscriber or package; null for other changes'),
    }),
    isWrite: true,
  },
} as const satisfies OperationTable;
