import {
  caseBodySchema,
  caseExportBodySchema,
  caseItemBodySchema,
  caseItemSchema,
  caseItemsSchema,
  caseObjectSchema,
  caseOrderBodySchema,
} from '../../../src-preload/contract/api/archive/case-object.ts';
import { exportJobObject } from '../../control/archive/export-job-object.ts';
import { changedBy } from '../../operators/caller.ts';
import type { BodySchema, Endpoint } from '../endpoints/endpoint.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import { bodyOf } from '../endpoints/checked.ts';
import { CaseObjects, requireCases } from '../objects/case-objects.ts';
import type { Collection } from './generic/collection.ts';
import type { CollectionContext } from './collection-context.ts';

const PATH = '/dvr_cases';
const ROW = { tag: 'dvr_cases', access: 'operate', errors: [404, 409, 503] } as const;

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
    source: new CaseObjects(cases),
    remove: async (id, by) => requireCases(context).remove(id, by),
  } satisfies Collection<NonNullable<ReturnType<CaseObjects['find']>>> as Collection<unknown>;
}

/** Endpoints that make and change cases and their items. */
export function caseEndpoints(context: CollectionContext): readonly Endpoint[] {
  return [
    {
      ...ROW,
      id: 'dvr_case_create',
      method: 'POST',
      path: PATH,
      summary: 'Creates an empty case',
      body: { schema: caseBodySchema, example: { title: 'Goal or not', note: 'asked by the referee' } },
      replies: { 201: { description: 'The new case', schema: schemaRef('dvr_case') } },
      handle: ({ url, body, caller }) => {
        const made = requireCases(context).create(bodyOf(caseBodySchema, body), caller.who);
        return { status: 201, body: made, headers: { location: `${url.split('?', 1)[0] ?? ''}/${made.id}` } };
      },
    },
    {
      ...ROW,
      id: 'dvr_case_rename',
      method: 'PUT',
      path: `${PATH}/{id}`,
      summary: 'Changes title and note of a case',
      body: { schema: caseBodySchema },
      replies: { 200: { description: 'The case', schema: schemaRef('dvr_case') } },
      handle: ({ params: { id = '' }, body }) => ({
        status: 200,
        body: requireCases(context).rename(id, bodyOf(caseBodySchema, body)),
      }),
    },
    ...itemEndpoints(context),
    {
      ...ROW,
      id: 'dvr_case_export',
      method: 'POST',
      path: `${PATH}/{id}/export`,
      errors: [403, 404, 409, 503, 507],
      summary: 'Exports a case into a folder: clips, stills, a manifest and the SHA-256 of each file',
      description: 'The job is listed in `dvr_export_jobs` with its progress; DELETE cancels it there.',
      body: { schema: caseExportBodySchema },
      replies: { 201: { description: 'The new job', schema: schemaRef('dvr_export_job') } },
      handle: async ({ url, params: { id = '' }, body, caller }) => {
        const job = await requireCases(context).export(id, bodyOf(caseExportBodySchema, body), caller.who);
        const location = `${url.slice(0, url.indexOf(PATH))}/dvr_export_jobs/${job.id}`;
        return { status: 201, body: exportJobObject(job, undefined, context.clock.now()), headers: { location } };
      },
    },
  ];
}

function itemEndpoints(context: CollectionContext): readonly Endpoint[] {
  const path = `${PATH}/{id}/items`;
  return [
    {
      ...ROW,
      id: 'dvr_case_items',
      method: 'GET',
      path,
      access: 'view',
      summary: 'Lists the items of a case, in order',
      replies: { 200: { description: 'Its clips, stills and marks', schema: schemaRef('dvr_case_items') } },
      handle: ({ params: { id = '' } }) => ({ status: 200, body: { items: requireCases(context).items(id) } }),
    },
    {
      ...ROW,
      id: 'dvr_case_items_order',
      method: 'PUT',
      path,
      summary: 'Reorders the items of a case',
      description: 'Named items come first, in the given order, and all others after them.',
      body: { schema: caseOrderBodySchema },
      replies: { 200: { description: 'Its clips, stills and marks', schema: schemaRef('dvr_case_items') } },
      handle: ({ params: { id = '' }, body }) => ({
        status: 200,
        body: { items: requireCases(context).order(id, bodyOf(caseOrderBodySchema, body).order) },
      }),
    },
    {
      ...ROW,
      id: 'dvr_case_item_add',
      method: 'POST',
      path,
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
    {
      ...ROW,
      id: 'dvr_case_item_remove',
      method: 'DELETE',
      path: `${path}/{item}`,
      summary: 'Removes an item from a case',
      parameters: [{ name: 'item', in: 'path', description: 'id of the item', schema: { type: 'string' } }],
      replies: { 204: { description: 'The item is removed' } },
      handle: ({ params: { id = '', item = '' }, caller }) => {
        requireCases(context).removeItem(id, item, changedBy(caller, 'api'));
        return { status: 204 };
      },
    },
  ];
}
