import { adExplanationSchema } from '../../../src-preload/contract/api/ad-objects.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { requireInScope } from '../../operators/require.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type Json, type JsonSchema } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import type { CollectionContext } from './collection-context.ts';

/** Schemas that these endpoints refer to. */
export const AD_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ad_explanation: jsonSchemaOf(adExplanationSchema),
};

/** Advertisements of viewers. */
export function adEndpoints({ explainAds }: CollectionContext): readonly Endpoint[] {
  return [
    {
      ...{
        id: 'stream_ads_explain',
        tag: 'streams',
        method: 'GET',
        path: '/streams/{name}/ads/explain',
        access: 'view',
        isScoped: true,
      },
      summary: 'Why a viewer is shown which advertisements',
      description:
        'What the authorization backend answered, whether each clip can be inserted into the stream, what is in the window of the viewer, and what was left out and why.',
      parameters: [
        {
          name: 'session',
          in: 'query',
          description: 'id of the session of the viewer',
          schema: { type: 'string' },
          isRequired: true,
        },
      ],
      errors: [404],
      replies: { 200: { description: 'The explanation', schema: schemaRef('ad_explanation') } },
      handle: ({ params, query, caller }) => {
        const { name = '' } = params;
        requireInScope(caller, name);
        const id = query.find((parameter) => parameter.name === 'session')?.value;
        if (!id)
          throw new AirdeskError('bad_query', 'The parameter session names the viewer', { parameter: 'session' });
        const found = explainAds?.(name, id);
        if (!found)
          throw new AirdeskError('session_not_found', `${name} has no session ${id.slice(0, 200)}`, {
            parameter: 'session',
          });
        // It came as JSON.
        return { status: 200, body: { ...found, answer: found.answer as Json } };
      },
    },
  ];
}
