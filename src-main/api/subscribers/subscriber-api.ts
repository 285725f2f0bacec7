import type { PortalService } from '../../control/subscribers/portal-service.ts';
import type { WebhookService } from '../../control/subscribers/webhook-service.ts';
import type { OperationExportService } from '../../control/subscribers/operation-export-service.ts';
import type { LogProofService } from '../../control/subscribers/log-proof-service.ts';
import type { ViewerTokenService } from '../../control/subscribers/viewer-token-service.ts';
import { PORTAL_OPERATIONS } from '../../../src-preload/contract/operations/portals.ts';
import { portalOperations } from '../../control/subscribers/portal-operations.ts';
import type { Api } from '../endpoints/endpoint.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { BODY_BYTES } from './portal-request.ts';
import { SUBSCRIBERS_PREFIX } from '../../../src-preload/contract/api/subscribers/operation-export-objects.ts';
import { exportEndpoints } from './export-endpoints.ts';
import { deadLetterEndpoints } from './dead-letter-endpoints.ts';
import { logEndpoints } from './log-endpoints.ts';
import { operationEndpoints } from './operation-endpoints.ts';
import { packageEndpoints } from './package-endpoints.ts';
import { subscriberEndpoints } from './subscriber-endpoints.ts';
import { viewerTokenEndpoints } from './viewer-token-endpoints.ts';

export interface SubscriberApiContext {
  readonly portals: PortalService;
  readonly logProof: LogProofService;
  readonly exports: OperationExportService;
  readonly webhooks: WebhookService;
  readonly viewerTokens: ViewerTokenService;
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
      ...endpointsOf(PORTAL_OPERATIONS, portalOperations({ portals: desk, webhooks }), {
        tag: 'portals',
        limitBytes: BODY_BYTES,
      }),
      ...deadLetterEndpoints(webhooks),
    ],
  };
}
