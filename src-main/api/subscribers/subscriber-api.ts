import type { PortalDesk } from '../../control/subscribers/portal-desk.ts';
import type { WebhookDesk } from '../../control/subscribers/webhook-desk.ts';
import type { OperationExportDesk } from '../../control/subscribers/operation-export-desk.ts';
import type { LogProofDesk } from '../../control/subscribers/log-proof-desk.ts';
import type { ViewerTokenDesk } from '../../control/subscribers/viewer-token-desk.ts';
import type { Api } from '../endpoints/endpoint.ts';
import { SUBSCRIBERS_PREFIX } from '../../../src-preload/contract/api/subscribers/operation-export-objects.ts';
import { exportEndpoints } from './export-endpoints.ts';
import { deadLetterEndpoints } from './dead-letter-endpoints.ts';
import { logEndpoints } from './log-endpoints.ts';
import { operationEndpoints } from './operation-endpoints.ts';
import { packageEndpoints } from './package-endpoints.ts';
import { portalEndpoints } from './portal-endpoints.ts';
import { subscriberEndpoints } from './subscriber-endpoints.ts';
import { viewerTokenEndpoints } from './viewer-token-endpoints.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/** What it works with. */
export interface SubscriberApiContext {
  readonly portals: PortalDesk;
  readonly logProof: LogProofDesk;
  readonly exports: OperationExportDesk;
  readonly webhooks: WebhookDesk;
  readonly viewerTokens: ViewerTokenDesk;
}

/** Management of subscribers, and the operations log. */
export function subscriberApi({
  portals: desk,
  logProof: proof,
  exports,
  webhooks,
  viewerTokens,
}: SubscriberApiContext): Api {
  return {
    prefixes: [SUBSCRIBERS_PREFIX],
    endpoints: [
      ...operationEndpoints(desk),
      ...logEndpoints(desk, proof),
      ...exportEndpoints(desk, exports),
      ...subscriberEndpoints(desk),
      ...viewerTokenEndpoints(desk, viewerTokens),
      ...packageEndpoints(desk),
      ...portalEndpoints(desk),
      ...webhookEndpoints(webhooks),
      ...deadLetterEndpoints(webhooks),
    ],
  };
}
