import {
  issuedViewerTokenSchema,
  viewerTokenCreateSchema,
  viewerTokenListSchema,
} from '../../../src-preload/contract/api/subscribers/viewer-token-objects.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import type { ViewerTokenService } from '../../control/subscribers/viewer-token-service.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { portalEndpoint } from './portal-request.ts';
import { SUBSCRIBER_PARAMETER, writeBody } from './write-request.ts';

const TOKENS = '/subscribers/{subscriberId}/tokens';
const TOKEN_PARAMETER = { ...SUBSCRIBER_PARAMETER, name: 'tokenId', description: 'id of the token' };

/**
 * Tokens of viewers. Their changes are no operations and cannot be repeated by `Idempotency-Key`, because the token is not
 * stored.
 */
export function viewerTokenEndpoints(portals: PortalService, service: ViewerTokenService): Endpoint[] {
  return [
    portalEndpoint(portals, {
      method: 'GET',
      path: TOKENS,
      id: 'viewer_tokens_list',
      scope: 'read',
      summary: 'The tokens of the viewers of a subscriber, without their secrets',
      parameters: [SUBSCRIBER_PARAMETER],
      replies: { 200: { description: 'The tokens', schema: viewerTokenListSchema } },
      handle: async (caller, { params }) => ({
        status: 200,
        body: { tokens: [...(await service.tokens(caller, params['subscriberId'] ?? ''))] },
      }),
    }),
    portalEndpoint(portals, {
      method: 'POST',
      path: TOKENS,
      id: 'viewer_token_create',
      scope: 'write',
      isCommand: false,
      summary: 'Creates a token for a viewer, who may play the streams of the subscriber’s packages',
      description: 'Only this answer contains the token; the server stores its hash. Add it to addresses as `?token=`.',
      parameters: [SUBSCRIBER_PARAMETER],
      body: { ...writeBody(viewerTokenCreateSchema), isRequired: false },
      errors: [409],
      replies: { 201: { description: 'The token', schema: issuedViewerTokenSchema } },
      handle: async (caller, { params, body }) => {
        const { name = '' } = bodyOf(viewerTokenCreateSchema, body ?? {});
        return { status: 201, body: await service.create(caller, params['subscriberId'] ?? '', name) };
      },
    }),
    portalEndpoint(portals, {
      method: 'DELETE',
      path: `${TOKENS}/{tokenId}`,
      id: 'viewer_token_remove',
      scope: 'write',
      isCommand: false,
      summary: 'Revokes a token and ends its sessions',
      parameters: [SUBSCRIBER_PARAMETER, TOKEN_PARAMETER],
      replies: { 204: { description: 'The token is revoked' } },
      handle: async (caller, { params }) => {
        await service.remove(caller, params['subscriberId'] ?? '', params['tokenId'] ?? '');
        return { status: 204 };
      },
    }),
  ];
}
