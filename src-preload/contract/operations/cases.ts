import { z } from 'zod';
import { exportJobObjectSchema } from '../api/export-job-object.ts';
import {
  caseBodySchema,
  caseExportBodySchema,
  caseItemBodySchema,
  caseItemSchema,
  caseItemsSchema,
  caseObjectSchema,
  caseOrderBodySchema,
} from '../api/archive/case-object.ts';
import type { OperationTable } from './operation.ts';

const id = z.string().min(1).max(64).describe('id of the case');
const one = z.object({ id });
const nothing = z.object({});
const itemId = z.string().min(1).max(64).describe('id of the item');
const item = z.object({ id, item: itemId });
/** Maximum number of items that one call adds to a case. */
const ADDED_MAX = 20;

const READ = { access: 'view', about: 'server', isWrite: false } as const;
const WRITE = { access: 'operate', about: 'server', isWrite: true } as const;
const CASES = '/dvr_cases';
const ITEMS = `${CASES}/{id}/items` as const;
const ERRORS = [404, 409, 503] as const;
const ITEMS_ANSWER = {
  answer: 'Its clips, stills and marks',
  answerSchema: 'dvr_case_items',
  errors: ERRORS,
} as const;

/** Operations about cases whose form over HTTP differs from the form of the desk, which adds several items at once. */
export const CASE_ACTIONS = {
  'cases.add_item': {
    ...WRITE,
    input: caseItemBodySchema.extend({ id }),
    output: caseItemSchema,
    http: {
      id: 'dvr_case_item_add',
      at: `POST ${ITEMS}`,
      summary: 'Adds a clip, a still or a mark to a case',
      description:
        'The item is appended. The archive range of a clip or a still is kept past all limits, as an episode, until ten minutes after the item is removed.',
      status: 201,
      answer: 'The new item',
      answerSchema: 'dvr_case_item',
      errors: ERRORS,
    },
  },
} as const satisfies OperationTable;

/** Operations about cases. */
export const CASE_OPERATIONS = {
  'cases.list': {
    ...READ,
    sameAs: ['dvr_case_list'],
    input: nothing,
    output: z.object({ cases: z.array(caseObjectSchema).describe('newest first') }),
  },
  'cases.items': {
    ...READ,
    input: one,
    output: caseItemsSchema,
    http: {
      id: 'dvr_case_items',
      at: `GET ${ITEMS}`,
      summary: 'Lists the items of a case, in order',
      ...ITEMS_ANSWER,
    },
  },
  'cases.create': {
    ...WRITE,
    input: caseBodySchema,
    output: caseObjectSchema,
    http: {
      id: 'dvr_case_create',
      at: `POST ${CASES}`,
      summary: 'Creates an empty case',
      status: 201,
      answer: 'The new case',
      answerSchema: 'dvr_case',
      location: `${CASES}/{id}`,
      errors: ERRORS,
      example: { title: 'Goal or not', note: 'asked by the referee' },
    },
  },
  'cases.rename': {
    ...WRITE,
    input: caseBodySchema.extend({ id }),
    output: caseObjectSchema,
    http: {
      id: 'dvr_case_rename',
      at: `PUT ${CASES}/{id}`,
      summary: 'Changes title and note of a case',
      answer: 'The case',
      answerSchema: 'dvr_case',
      errors: ERRORS,
    },
  },
  'cases.remove': { ...WRITE, sameAs: ['dvr_case_delete'], input: one, output: nothing },
  'cases.restore': { ...WRITE, input: one, output: caseObjectSchema },
  'cases.add': {
    ...WRITE,
    sameAs: ['dvr_case_item_add'],
    input: z.object({ id, items: z.array(caseItemBodySchema).min(1).max(ADDED_MAX) }),
    output: z.object({ items: z.array(caseItemSchema).describe('added items') }),
  },
  'cases.order': {
    ...WRITE,
    input: caseOrderBodySchema.extend({ id }),
    output: caseItemsSchema,
    http: {
      id: 'dvr_case_items_order',
      at: `PUT ${ITEMS}`,
      summary: 'Reorders the items of a case',
      description: 'Named items come first, in the given order, and all others after them.',
      ...ITEMS_ANSWER,
    },
  },
  'cases.take_out': {
    ...WRITE,
    input: item,
    output: nothing,
    http: {
      id: 'dvr_case_item_remove',
      at: `DELETE ${ITEMS}/{item}`,
      summary: 'Removes an item from a case',
      answer: 'The item is removed',
      errors: ERRORS,
    },
  },
  'cases.put_back': { ...WRITE, input: item, output: caseItemSchema },
  'cases.export': {
    ...WRITE,
    input: caseExportBodySchema.extend({ id }),
    output: exportJobObjectSchema,
    http: {
      id: 'dvr_case_export',
      at: `POST ${CASES}/{id}/export`,
      summary: 'Exports a case into a folder: clips, stills, a manifest and the SHA-256 of each file',
      description: 'The job is listed in `dvr_export_jobs` with its progress; DELETE cancels it there.',
      status: 201,
      answer: 'The new job',
      answerSchema: 'dvr_export_job',
      location: '/dvr_export_jobs/{id}',
      errors: [403, 404, 409, 503, 507],
    },
  },
} as const satisfies OperationTable;
