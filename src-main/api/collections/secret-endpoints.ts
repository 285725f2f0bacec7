import { issuedTokenSchema } from '../../../src-preload/contract/api/api-token-object.ts';
import { hashOfToken, newApiToken } from '../../operators/api-tokens.ts';
import { changedBy } from '../../operators/caller.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { blockSchema } from '../objects/config-objects.ts';
import { putObject } from '../objects/object-edits.ts';
import type { CollectionContext } from './collection-context.ts';
import { readObjectBody } from './generic/object-body.ts';

export const SECRET_SCHEMAS = { issued_token: issuedTokenSchema };

/** Endpoint that makes the secrets of API tokens. Only the answer contains a secret: its hash is stored. */
export function secretEndpoint(context: CollectionContext): Endpoint {
  return {
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
    handle: async ({ params: { name = '' }, body, caller }) => {
      const token = newApiToken();
      const fields = { ...readObjectBody(body ?? {}, blockSchema('api_tokens')), hash: hashOfToken(token) };
      const write = { body: fields, currentJson: () => ({}), lists: [] };
      await putObject(context, 'api_tokens', name, write, changedBy(caller, 'api'));
      return { status: 200, body: { name, token } };
    },
  };
}
