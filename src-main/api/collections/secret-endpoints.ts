import { issuedTokenSchema } from '../../../src-preload/contract/api/api-token-object.ts';
import { signedAddressRequestSchema, signedAddressSchema } from '../../../src-preload/contract/api/signed-address.ts';
import { changedBy } from '../../operators/caller.ts';
import { requireInScope } from '../../operators/require.ts';
import type { Endpoint, BodySchema } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { blockSchema } from '../objects/config-objects.ts';
import { issueToken } from '../objects/issue-token.ts';
import { makeSignedAddress } from '../objects/signed-addresses.ts';
import type { CollectionContext } from './collection-context.ts';
import { readObjectBody } from './generic/object-body.ts';

export const SECRET_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  issued_token: issuedTokenSchema,
  signed_address: signedAddressSchema,
  signed_address_request: signedAddressRequestSchema,
};

/** Endpoints that hand out secrets: signed addresses of streams, and API tokens. */
export function secretEndpoints(context: CollectionContext): readonly Endpoint[] {
  return [
    {
      id: 'stream_sign',
      tag: 'streams',
      method: 'POST',
      path: '/streams/{name}/signed_address',
      access: 'edit',
      isScoped: true,
      summary: 'Creates a signed address of a stream, for playing or publishing',
      description:
        'Signed with the newest `play_key` or `publish_key` of the stream. The stream need not be published yet if it is under a live prefix.',
      body: { schema: schemaRef('signed_address_request') },
      replies: { 200: { description: 'The address', schema: schemaRef('signed_address') } },
      handle: ({ params, body, caller }) => {
        requireInScope(caller, params['name'] ?? '');
        return { status: 200, body: makeSignedAddress(context, params['name'] ?? '', body) };
      },
    },
    {
      id: 'api_token_issue',
      tag: 'api_tokens',
      method: 'POST',
      path: '/api_tokens/{name}/issue',
      access: 'edit',
      summary: 'Creates an API token, or a new secret for an existing one',
      description:
        'Only the answer contains the secret; the previous one becomes invalid. The body may contain scope and prefixes; absent fields stay.',
      body: { schema: schemaRef('api_token_write'), isRequired: false },
      replies: { 200: { description: 'The token with its secret', schema: schemaRef('issued_token') } },
      handle: async ({ params, body, caller }) => ({
        status: 200,
        body: await issueToken(
          context,
          params['name'] ?? '',
          readObjectBody(body ?? {}, blockSchema('api_tokens')),
          changedBy(caller, 'api'),
        ),
      }),
    },
  ];
}
