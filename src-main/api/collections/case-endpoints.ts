import {
  caseItemBodySchema,
  caseItemSchema,
  caseItemsSchema,
  caseObjectSchema,
  type CaseObject,
} from '../../../src-preload/contract/api/archive/case-object.ts';
import { CASE_OPERATIONS } from '../../../src-preload/contract/operations/cases.ts';
import { caseOperations, requireCases } from '../../control/archive/case-operations.ts';
import { changedBy } from '../../operators/caller.ts';
import type { BodySchema, Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { wholeObjects } from '../objects/object-source.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';

const PATH = '/dvr_cases';

export const CASE_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  dvr_case_item: caseItemSchema,
  dvr_case_items: caseItemsSchema,
};

/** Cases. They are not part of the configuration, and need access to all streams. */
export function caseCollection({ cases }: CollectionContext): Collection {
  const context = { cases };
  return {
    path: PATH,
    name: 'dvr_cases',
    item: 'dvr_case',
    key: 'id',
    missing: 'not_found',
    schema: caseObjectSchema,
    implicitSort: ['created_at', 'id'],
    removeAccess: 'operate',
    source: wholeObjects<CaseObject>({
      rows: () => cases?.list() ?? [],
      find: (id) => cases?.find(id),
      texts: ({ id, title, note, created_by: by }) => [id, title, note, by],
      object: (one) => one,
    }),
    remove: async (id, by) => requireCases(context).remove(id, by),
  } satisfies Collection<CaseObject> as Collection<unknown>;
}

/** Endpoints that make and change cases and their items. */
export function caseEndpoints(context: CollectionContext): readonly Endpoint[] {
  return [
    ...endpointsOf(CASE_OPERATIONS, caseOperations(context), { tag: 'dvr_cases' }),
    {
      id: 'dvr_case_item_add',
      tag: 'dvr_cases',
      method: 'POST',
      path: `${PATH}/{id}/items`,
      access: 'operate',
      errors: [404, 409, 503],
      summary: 'Adds a clip, a still or a mark to a case',
      description:
        'The item is appended. The archive range of a clip or a still is kept past all limits, as an episode, until ten minutes after the item is removed.',
      body: { schema: caseItemBodySchema },
      replies: { 201: { description: 'The new item', schema: schemaRef('dvr_case_item') } },
      handle: ({ params: { id = '' }, body, caller }) => ({
        status: 201,
        body: requireCases(context).add(id, bodyOf(caseItemBodySchema, body), changedBy(caller, 'api')),
      }),
    },
  ];
}
