import type { z } from 'zod';
import type { SubscriberChange, SUBSCRIBER_OPERATIONS } from '../../../src-preload/contract/operations/subscribers.ts';
import type { subscriberLoginSchema } from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Handlers, OperationContext } from '../../operators/handlers.ts';
import type { Command } from '../../subscribers/command.ts';
import type { WrittenObject } from '../../subscribers/subscriber-write.ts';
import type { LogProofService } from './log-proof-service.ts';
import type { OperationExportService } from './operation-export-service.ts';
import type { PortalCaller, PortalService } from './portal-service.ts';
import type { ViewerTokenService } from './viewer-token-service.ts';
import type { WebhookService } from './webhook-service.ts';

export interface SubscriberServices {
  readonly portals: PortalService;
  readonly webhooks: WebhookService;
  readonly exports: Pick<OperationExportService, 'list' | 'create' | 'remove'>;
  readonly logProof: Pick<LogProofService, 'watchVerification'>;
  readonly viewerTokens: Pick<ViewerTokenService, 'tokens' | 'create' | 'remove'>;
}

/** Key name of operations that were made on the desk. */
const KEY_NAME = 'desk';
/** Number of subscribers and operations on a page. */
const PAGE_SIZE = 100;
/** Login of a subscriber at a portal, which creates the subscriber if the portal allows it. */
type Login = z.infer<typeof subscriberLoginSchema> & { readonly type: 'login' };

/** Subscribers, packages, exports and tokens of a portal. */
export function subscriberOperations({
  portals: service,
  webhooks,
  exports,
  logProof,
  viewerTokens,
}: SubscriberServices): Handlers<typeof SUBSCRIBER_OPERATIONS> {
  /** Portal of a call. Raises `portal_not_found`. */
  const enter = async (portalId: string, { portal }: OperationContext): Promise<PortalCaller> => {
    if (portal) return portal;
    await service.portal(portalId);
    return { portalId, keyName: KEY_NAME };
  };
  return {
    'portals.exports': async ({ portalId }, context) => ({
      exports: [...exports.list(await enter(portalId, context))],
    }),
    'portals.create_export': async ({ portalId, ...request }, context) =>
      exports.create(await enter(portalId, context), request),
    'portals.remove_export': async ({ portalId, exportId }, context) =>
      exports.remove(await enter(portalId, context), exportId),
    'portals.discard_dead_letters': async ({ portalId, webhookId, operationId, fromMs, beforeMs }) => ({
      count: await webhooks.discard(portalId, webhookId, { operationId, fromMs, beforeMs, isPreview: false }),
    }),
    'portals.verify': async ({ portalId, isNew }, context) => {
      const { records, report } = logProof.watchVerification(await enter(portalId, context), isNew);
      return { records, report: report ? { ...report, faults: report.faults.map((fault) => ({ ...fault })) } : null };
    },
    'subscribers.list': async ({ portalId, text, packageId, afterId, after }, context) => {
      await enter(portalId, context);
      const lists = await service.store();
      if (text !== '') {
        const { items, next = null } = await lists.subscribersLike(portalId, text, after, PAGE_SIZE);
        return { subscribers: [...items], isMore: next !== null, next };
      }
      const others = { phoneCountryCode: undefined, phone: undefined, packageId, afterId, limit: PAGE_SIZE };
      const page = await lists.subscribers(portalId, others);
      return { subscribers: [...page.items], isMore: page.hasMore, next: null };
    },
    'subscribers.get': async ({ portalId, subscriberId }, context) =>
      service.subscriber(await enter(portalId, context), subscriberId),
    'subscribers.find': async ({ portalId, keys }, context) => {
      await enter(portalId, context);
      return { subscribers: [...(await (await service.store()).subscribersOfKeys(portalId, keys))] };
    },
    'subscribers.import': async ({ portalId, rows }, context) => {
      const caller = await enter(portalId, context);
      const author = { managerEmail: context.caller.who, idempotency: undefined };
      const failures = rows.map(async (row) => {
        try {
          await importRow(row, async (command) => (await service.command(caller, command, author)).object);
          return null;
        } catch (error) {
          if (!(error instanceof AirdeskError)) throw error;
          return { code: error.code, message: error.message };
        }
      });
      return { failures: await Promise.all(failures) };
    },
    'subscribers.tokens': async ({ portalId, subscriberId }, context) => ({
      tokens: [...(await viewerTokens.tokens(await enter(portalId, context), subscriberId))],
    }),
    'subscribers.create_token': async ({ portalId, subscriberId, name = '' }, context) =>
      viewerTokens.create(await enter(portalId, context), subscriberId, name),
    'subscribers.remove_token': async ({ portalId, subscriberId, tokenId }, context) =>
      viewerTokens.remove(await enter(portalId, context), subscriberId, tokenId),
    'subscribers.packages': async ({ portalId, text = '', ids, afterId }, context) => {
      await enter(portalId, context);
      const lists = await service.store();
      if (ids) return { packages: [...(await lists.packagesOf(portalId, ids))], isMore: false };
      const page =
        text === ''
          ? await lists.packages(portalId, { afterId, limit: PAGE_SIZE })
          : await lists.packagesLike(portalId, text, PAGE_SIZE);
      return { packages: [...page.items], isMore: page.hasMore };
    },
    'subscribers.operations': async ({ portalId, subscriberId, type, ...filter }, context) => {
      await enter(portalId, context);
      const page = await (
        await service.store()
      ).operations(portalId, {
        subscriberIds: subscriberId === undefined ? undefined : [subscriberId],
        types: type === undefined ? undefined : [type],
        packageId: filter.packageId,
        fromMs: filter.fromMs,
        beforeMs: filter.beforeMs,
        afterId: filter.afterId,
        isDescending: true,
        limit: PAGE_SIZE,
      });
      return { operations: [...page.items], isMore: page.hasMore };
    },
    'subscribers.change': async ({ portalId, change }, context) => {
      const caller = await enter(portalId, context);
      const author = { managerEmail: context.caller.who, idempotency: undefined };
      const { object } = await service.command(caller, commandOf(change), author);
      if (change.type === 'createSubscriber' && object && 'subscriberId' in object)
        return { madeId: object.subscriberId };
      return { madeId: change.type === 'createPackage' && object && 'packageId' in object ? object.packageId : null };
    },
  };
}

type ImportedRow = z.infer<(typeof SUBSCRIBER_OPERATIONS)['subscribers.import']['input']>['rows'][number];

/** Writes one row of an imported list: the subscriber, then the packages. */
async function importRow(
  { subscriberId, fields, packageIds, period }: ImportedRow,
  write: (command: Command) => Promise<WrittenObject>,
): Promise<void> {
  const { name = '', ...others } = fields;
  if (subscriberId === undefined && name === '') throw new AirdeskError('bad_request', 'A new subscriber needs a name');
  const object = await write(
    subscriberId === undefined
      ? commandOf({ type: 'createSubscriber', name, ...others })
      : { type: 'updateSubscriber', subscriberId, ...fields },
  );
  const writtenId = object && 'subscriberId' in object ? object.subscriberId : (subscriberId ?? '');
  for (const packageId of packageIds) await write({ type: 'attach', subscriberId: writtenId, packageId, ...period });
}

/** Command of a change, with default values for missing fields. */
export function commandOf(change: SubscriberChange | Login): Command {
  switch (change.type) {
    case 'createSubscriber':
      return { ...change, phoneCountryCode: change.phoneCountryCode ?? '', phone: change.phone ?? '' };
    case 'login':
      return { ...change, name: change.name ?? change.phone };
    case 'createPackage': {
      const { isFree = false, streams = [], maxSessions = null } = change;
      return { ...change, isFree, streams, maxSessions };
    }
    default:
      return change;
  }
}
