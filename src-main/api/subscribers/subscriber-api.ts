import type { PortalDesk } from '../../control/subscribers/portal-desk.ts';
import type { WebhookDesk } from '../../control/subscribers/webhook-desk.ts';
import type { LogProofDesk } from '../../control/subscribers/log-proof-desk.ts';
import type { Api } from '../endpoints/endpoint.ts';
import { SUBSCRIBERS_PREFIX } from '../prefixes.ts';
import { logEndpoints } from './log-endpoints.ts';
import { operationEndpoints } from './operation-endpoints.ts';
import { packageEndpoints } from './package-endpoints.ts';
import { portalEndpoints } from './portal-endpoints.ts';
import { subscriberEndpoints } from './subscriber-endpoints.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

/** Management of subscribers, and the operations log. */
export function subscriberApi(desk: PortalDesk, proof: LogProofDesk, webhooks: WebhookDesk): Api {
  return {
    prefixes: [SUBSCRIBERS_PREFIX],
    endpoints: [
      ...operationEndpoints(desk),
      ...logEndpoints(desk, proof),
      ...subscriberEndpoints(desk),
      ...packageEndpoints(desk),
      ...portalEndpoints(desk),
      ...webhookEndpoints(webhooks),
    ],
  };
}
