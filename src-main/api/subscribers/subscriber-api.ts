import { SUBSCRIBERS_PREFIX } from '../../../src-preload/contract/api/subscribers/operation-export-objects.ts';
import { PORTAL_OPERATIONS } from '../../../src-preload/contract/operations/portals.ts';
import { SUBSCRIBER_READS } from '../../../src-preload/contract/operations/subscriber-reads.ts';
import { SUBSCRIBER_OPERATIONS } from '../../../src-preload/contract/operations/subscribers.ts';
import type { LogProofService } from '../../control/subscribers/log-proof-service.ts';
import type { OperationExportService } from '../../control/subscribers/operation-export-service.ts';
import { portalOperations } from '../../control/subscribers/portal-operations.ts';
import { subscriberOperations, type SubscriberServices } from '../../control/subscribers/subscriber-operations.ts';
import { subscriberReads } from '../../control/subscribers/subscriber-reads.ts';
import type { Api } from '../endpoints/endpoint.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { commandEndpoints } from './command-endpoints.ts';
import { deadLetterEndpoints } from './dead-letter-endpoints.ts';
import { exportEndpoints } from './export-endpoints.ts';
import { operationEndpoints } from './operation-endpoints.ts';
import { BODY_BYTES, portalEndpoint } from './portal-request.ts';

export interface SubscriberApiContext extends SubscriberServices {
  readonly logProof: LogProofService;
  readonly exports: OperationExportService;
}

/** API for the management of subscribers, and for the operations log. */
export function subscriberApi(services: SubscriberApiContext): Api {
  const { portals, logProof, exports, webhooks } = services;
  const ofKey: Parameters<typeof endpointsOf>[2] = {
    tag: 'subscribers',
    limitBytes: BODY_BYTES,
    keyed: (doc, scope, answer) =>
      portalEndpoint(portals, {
        ...doc,
        scope,
        isCommand: false,
        handle: (portal, request) => answer(request, portal),
      }),
  };
  return {
    prefixes: [SUBSCRIBERS_PREFIX],
    endpoints: [
      ...operationEndpoints(portals),
      ...exportEndpoints(portals, exports, logProof),
      ...commandEndpoints(portals),
      ...endpointsOf(SUBSCRIBER_OPERATIONS, subscriberOperations(services), ofKey),
      ...endpointsOf(SUBSCRIBER_READS, subscriberReads(services), ofKey),
      ...endpointsOf(PORTAL_OPERATIONS, portalOperations(services), { tag: 'portals', limitBytes: BODY_BYTES }),
      ...deadLetterEndpoints(webhooks),
    ],
  };
}
