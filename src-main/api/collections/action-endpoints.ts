import { spliceInsertSchema } from '../../../src-preload/contract/api/ad-objects.ts';
import { signedAddressRequestSchema } from '../../../src-preload/contract/api/signed-address.ts';
import { SESSION_OPERATIONS } from '../../../src-preload/contract/operations/session-calls.ts';
import { STREAM_ACTIONS, STREAM_OPERATIONS } from '../../../src-preload/contract/operations/streams.ts';
import { sessionOperations } from '../../control/sessions/session-calls.ts';
import { streamActions, streamOperations } from '../../control/stream-operations.ts';
import type { Endpoint, BodySchema } from '../endpoints/endpoint.ts';
import { endpointsOf, operationSchemas } from '../endpoints/operation-endpoints.ts';
import type { CollectionContext } from './collection-context.ts';

export const ACTION_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  ...operationSchemas(STREAM_OPERATIONS),
  splice_insert: spliceInsertSchema,
  ...operationSchemas(STREAM_ACTIONS),
  signed_address_request: signedAddressRequestSchema,
  ...operationSchemas(SESSION_OPERATIONS),
};

/** Actions on streams and sessions. */
export function actionEndpoints(context: CollectionContext): readonly Endpoint[] {
  return [
    ...endpointsOf(STREAM_ACTIONS, streamActions(context), { tag: 'streams' }),
    ...endpointsOf(STREAM_OPERATIONS, streamOperations(context), { tag: 'streams' }),
    ...endpointsOf(SESSION_OPERATIONS, sessionOperations(context), { tag: 'sessions' }),
  ];
}
