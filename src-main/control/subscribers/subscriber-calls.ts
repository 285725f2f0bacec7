import type { SubscriberChange, SUBSCRIBER_CALLS } from '../../../src-preload/contract/operations/subscriber-calls.ts';
import type { CallInput, CallOutput } from '../../../src-preload/contract/index.ts';
import type { Caller } from '../../operators/caller.ts';
import type { Command } from '../../subscribers/command.ts';
import type { LogProofService } from './log-proof-service.ts';
import type { OperationExportService } from './operation-export-service.ts';
import type { PortalCaller, PortalService } from './portal-service.ts';
import type { ViewerTokenService } from './viewer-token-service.ts';
import type { WebhookService } from './webhook-service.ts';

export interface SubscriberCallsDeps {
  readonly portals: PortalService;
  readonly webhooks: WebhookService;
  readonly exports: Pick<OperationExportService, 'list' | 'create' | 'remove'>;
  readonly logProof: Pick<LogProofService, 'watchVerification'>;
  readonly viewerTokens: Pick<ViewerTokenService, 'tokens' | 'create' | 'remove'>;
}

/** Key name of operations that were made on the desk. */
const KEY_NAME = 'desk';
/** Number of subscribers and operations on a page. */
const PORTION = 100;
/** Handlers of desk calls about portals and subscribers, for a caller whose rights were checked. */
export function subscriberCalls(
  { portals: desk, webhooks, exports, logProof, viewerTokens }: SubscriberCallsDeps,
  { who }: Pick<Caller, 'who'>,
): { readonly [N in keyof typeof SUBSCRIBER_CALLS]: (input: CallInput<N>) => Promise<CallOutput<N>> } {
  /** Portal of a call. Raises `portal_not_found`. */
  const entered = async (portalId: string): Promise<PortalCaller> => {
    await desk.portal(portalId);
    return { portalId, keyName: KEY_NAME };
  };
  return {
    'portals.exports': async ({ portalId }) => ({ exports: [...exports.list(await entered(portalId))] }),
    'portals.create_export': async ({ portalId, ...request }) => exports.create(await entered(portalId), request),
    'portals.remove_export': async ({ portalId, exportId }) => {
      await exports.remove(await entered(portalId), exportId);
      return {};
    },
    'portals.dead_letters': async ({ portalId, webhookId, afterId }) => {
      const page = await webhooks.deadLetters(portalId, webhookId, { afterId, limit: PORTION });
      return { deadLetters: [...page.items], isMore: page.hasMore };
    },
    'portals.discard_dead_letters': async ({ portalId, webhookId, operationId, fromMs, beforeMs }) => ({
      count: await webhooks.discard(portalId, webhookId, { operationId, fromMs, beforeMs, isPreview: false }),
    }),
    'portals.verify': async ({ portalId, isNew }) => {
      const { records, report } = logProof.watchVerification(await entered(portalId), isNew);
      return { records, report: report ? { ...report, faults: report.faults.map((fault) => ({ ...fault })) } : null };
    },
    'subscribers.list': async ({ portalId, text, packageId, afterId, after }) => {
      const caller = await entered(portalId);
      if (text !== '') {
        const { items, next = null } = await desk.subscribersLike(caller, text, after, PORTION);
        return { subscribers: [...items], isMore: next !== null, next };
      }
      const others = { phoneCountryCode: undefined, phone: undefined, packageId, afterId, limit: PORTION };
      const page = await desk.subscribers(caller, others);
      return { subscribers: [...page.items], isMore: page.hasMore, next: null };
    },
    'subscribers.get': async ({ portalId, subscriberId }) => desk.subscriber(await entered(portalId), subscriberId),
    'subscribers.tokens': async ({ portalId, subscriberId }) => ({
      tokens: [...(await viewerTokens.tokens(await entered(portalId), subscriberId))],
    }),
    'subscribers.create_token': async ({ portalId, subscriberId, name = '' }) =>
      viewerTokens.create(await entered(portalId), subscriberId, name),
    'subscribers.remove_token': async ({ portalId, subscriberId, tokenId }) => {
      await viewerTokens.remove(await entered(portalId), subscriberId, tokenId);
      return {};
    },
    'subscribers.packages': async ({ portalId, text = '', ids, afterId }) => {
      const caller = await entered(portalId);
      if (ids) return { packages: [...(await desk.packagesOf(caller, ids))], isMore: false };
      const page =
        text === ''
          ? await desk.packages(caller, { afterId, limit: PORTION })
          : await desk.packagesLike(caller, text, PORTION);
      return { packages: [...page.items], isMore: page.hasMore };
    },
    'subscribers.operations': async ({ portalId, subscriberId, type, ...filter }) => {
      const page = await desk.operations(await entered(portalId), {
        subscriberIds: subscriberId === undefined ? undefined : [subscriberId],
        types: type === undefined ? undefined : [type],
        packageId: filter.packageId,
        fromMs: filter.fromMs,
        beforeMs: filter.beforeMs,
        afterId: filter.afterId,
        isDescending: true,
        limit: PORTION,
      });
      return { operations: [...page.items], isMore: page.hasMore };
    },
    'subscribers.change': async ({ portalId, change }) => {
      const caller = await entered(portalId);
      const context = { managerEmail: who, idempotency: undefined };
      const { object } = await desk.command(caller, commandOf(change), context);
      if (change.type === 'createSubscriber' && object && 'subscriberId' in object)
        return { madeId: object.subscriberId };
      return { madeId: change.type === 'createPackage' && object && 'packageId' in object ? object.packageId : null };
    },
  };
}

function commandOf(change: SubscriberChange): Command {
  switch (change.type) {
    case 'createSubscriber':
      return { ...change, phoneCountryCode: change.phoneCountryCode ?? '', phone: change.phone ?? '' };
    case 'updateSubscriber': {
      const { name, phoneCountryCode, phone } = change;
      return { type: change.type, subscriberId: change.subscriberId, name, phoneCountryCode, phone };
    }
    case 'disableSubscriber':
      return { ...change, reason: change.reason };
    case 'createPackage': {
      const { isFree = false, streams = [], maxSessions = null } = change;
      return { type: change.type, name: change.name, isFree, streams, maxSessions };
    }
    case 'updatePackage': {
      const { packageId, name, isFree, streams, maxSessions } = change;
      return { type: change.type, packageId, name, isFree, streams, maxSessions };
    }
    default:
      return change;
  }
}
