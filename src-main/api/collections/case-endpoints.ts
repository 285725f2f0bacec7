import {
  caseItemSchema,
  caseItemsSchema,
  caseObjectSchema,
  type CaseObject,
} from '../../../src-preload/contract/api/archive/case-object.ts';
import { CASE_ACTIONS, CASE_OPERATIONS } from '../../../src-preload/contract/operations/cases.ts';
import { caseActions, caseOperations, requireCases } from '../../control/archive/case-operations.ts';
import type { BodySchema, Endpoint } from '../endpoints/endpoint.ts';
import { endpointsOf } from '../endpoints/operation-endpoints.ts';
import { wholeObjects } from '../objects/object-source.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';

export const CASE_SCHEMAS: Readonly<Record<string, BodySchema>> = {
  dvr_case_item: caseItemSchema,
  dvr_case_items: caseItemsSchema,
};

/** Cases. They are not part of the configuration, and need access to all streams. */
export function caseCollection({ cases }: CollectionContext): Collection {
  const context = { cases };
  return {
    path: '/dvr_cases',
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
    ...endpointsOf(CASE_ACTIONS, caseActions(context), { tag: 'dvr_cases' }),
  ];
}
