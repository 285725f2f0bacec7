import { issuedTokenSchema } from '../../../src-preload/contract/api/api-token-object.ts';
import { changedBy } from '../../operators/caller.ts';
import type { Endpoint, BodySchema } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { blockSchema } from '../objects/config-objects.ts';
import { issueToken } from '../objects/issue-token.ts';
import type { CollectionContext } from './collection-context.ts';
import { readObjectBody } from './generic/object-body.ts';

export const SECRET_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  issued_token: issuedTokenSchema,
};

/** Endpoint that hands out the secrets of API tokens. */
export function secretEndpoints(context: CollectionContext): readonly Endpoint[] {
  return [
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
