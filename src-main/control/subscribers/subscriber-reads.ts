import type { SUBSCRIBER_READS } from '../../../src-preload/contract/operations/subscriber-reads.ts';
import { badParameter } from '../../../src-preload/contract/errors.ts';
import type { Handlers } from '../../operators/handlers.ts';
import type { Page } from '../../subscribers/subscriber-query.ts';
import type { LogProofService } from './log-proof-service.ts';
import type { OperationExportService } from './operation-export-service.ts';
import type { PortalService } from './portal-service.ts';
import type { WebhookService } from './webhook-service.ts';

interface Services {
  readonly portals: PortalService;
  readonly webhooks: Pick<WebhookService, 'deadLetters'>;
  readonly exports: Pick<OperationExportService, 'get'>;
  readonly logProof: Pick<LogProofService, 'verify' | 'publicKey'>;
}

/** Reads of a portal and its contents whose form over HTTP differs from that of the desk. */
export function subscriberReads({
  portals,
  exports,
  logProof,
}: Omit<Services, 'webhooks'>): Handlers<typeof SUBSCRIBER_READS> {
  return {
    'subscribers.page': async ({ portalId, phoneCountryCode, phone, packageId, afterId, limit }) => {
      if (phoneCountryCode !== undefined && phone === undefined)
        throw badParameter('phoneCountryCode', 'phoneCountryCode requires phone');
      const query = { phoneCountryCode, phone, packageId, afterId, limit };
      const page = await (await portals.store()).subscribers(portalId, query);
      return { subscribers: [...page.items], next: nextOf(page, ({ subscriberId }) => subscriberId) };
    },
    'packages.page': async ({ portalId, afterId, limit }) => {
      const page = await (await portals.store()).packages(portalId, { afterId, limit });
      return { packages: [...page.items], next: nextOf(page, ({ packageId }) => packageId) };
    },
    'packages.get': ({ portalId, packageId }) => portals.package({ portalId }, packageId),
    'subscriptions.page': async ({ portalId, subscriberId, packageId, afterId, limit }) => {
      const query = { subscriberId, packageId, afterId, limit };
      const page = await (await portals.store()).subscriptions(portalId, query);
      const subscriptions = page.items.map(({ id: _place, ...subscription }) => subscription);
      return { subscriptions, next: nextOf(page, ({ id }) => id) };
    },
    'operations.get': ({ portalId, operationId }) => portals.operation({ portalId }, operationId),
    'portals.get_export': ({ portalId, exportId }) => exports.get({ portalId }, exportId),
    'portals.verify_log': async ({ portalId }) => {
      const { faults, ...report } = await logProof.verify({ portalId });
      return { ...report, faults: faults.map((fault) => ({ ...fault })) };
    },
    'portals.log_key': () => logProof.publicKey(),
  };
}

/** Id after which the next page starts; null on the last page. */
export function nextOf<T>({ items, hasMore }: Page<T>, idOf: (item: T) => string): string | null {
  const last = items.at(-1);
  return hasMore && last !== undefined ? idOf(last) : null;
}
