import {
  adExplanationSchema,
  spliceInsertedSchema,
  spliceInsertSchema,
} from '../../../src-preload/contract/api/ad-objects.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { requireInScope } from '../../operators/require.ts';
import type { Endpoint, BodySchema } from '../endpoints/endpoint.ts';
import type { Json } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import type { CollectionContext } from './collection-context.ts';
import { inQuery, required } from '../endpoints/parameters.ts';

export const AD_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  ad_explanation: adExplanationSchema,
  splice_insert: spliceInsertSchema,
  splice_inserted: spliceInsertedSchema,
};

/** Advertisements of viewers. */
export function adEndpoints({ explainAds }: CollectionContext): readonly Endpoint[] {
  return [
    {
      id: 'stream_ads_explain',
      tag: 'streams',
      method: 'GET',
      path: '/streams/{name}/ads/explain',
      access: 'view',
      isScoped: true,
      summary: 'Explains the advertisements of a viewer',
      description:
        'The answer of the authorization backend, whether each clip can be inserted into the stream, the content of the viewer’s window, and the skipped clips and breaks with the reasons.',
      parameters: [required(inQuery('session', 'id of the viewer’s session'))],
      errors: [404],
      replies: { 200: { description: 'The explanation', schema: schemaRef('ad_explanation') } },
      handle: ({ params, query, caller }) => {
        const { name = '' } = params;
        requireInScope(caller, name);
        const id = query.find((parameter) => parameter.name === 'session')?.value;
        if (!id)
          throw new AirdeskError('bad_query', 'The parameter session must name a session', { parameter: 'session' });
        const found = explainAds?.(name, id);
        if (!found)
          throw new AirdeskError('session_not_found', `${name} has no session ${id.slice(0, 200)}`, {
            parameter: 'session',
          });
        // Parsed from JSON.
        return { status: 200, body: { ...found, answer: found.answer as Json } };
      },
    },
  ];
}
