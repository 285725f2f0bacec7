import { z } from 'zod';
import { exportJobObjectSchema } from '../api/export-job-object.ts';
import {
  CASE_ITEMS_MAX,
  caseBodySchema,
  caseExportBodySchema,
  caseItemBodySchema,
  caseItemSchema,
  caseItemsSchema,
  caseObjectSchema,
} from '../api/archive/case-object.ts';
import type { OperationTable } from './operation.ts';

const id = z.string().min(1).max(64).describe('id of the case');
const one = z.object({ id });
const nothing = z.object({});
const itemId = z.string().min(1).max(64).describe('id of the item');
const item = z.object({ id, item: itemId });
/** Maximum number of items that one call adds to a case. */
const ADDED_MAX = 20;

/** Bridge calls for cases. */
export const CASE_CALLS = {
  'cases.list': {
    access: 'view',
    about: 'server',
    sameAs: ['dvr_case_list'],
    input: nothing,
    output: z.object({ cases: z.array(caseObjectSchema).describe('newest first') }),
    isWrite: false,
  },
  'cases.items': {
    access: 'view',
    about: 'server',
    sameAs: ['dvr_case_items'],
    input: one,
    output: caseItemsSchema,
    isWrite: false,
  },
  'cases.create': {
    access: 'operate',
    about: 'server',
    sameAs: ['dvr_case_create'],
    input: caseBodySchema,
    output: caseObjectSchema,
    isWrite: true,
  },
  'cases.rename': {
    access: 'operate',
    about: 'server',
    sameAs: ['dvr_case_rename'],
    input: caseBodySchema.extend({ id }),
    output: caseObjectSchema,
    isWrite: true,
  },
  'cases.remove': {
    access: 'operate',
    about: 'server',
    sameAs: ['dvr_case_delete'],
    input: one,
    output: nothing,
    isWrite: true,
  },
  'cases.restore': { access: 'operate', about: 'server', input: one, output: caseObjectSchema, isWrite: true },
  'cases.add': {
    access: 'operate',
    about: 'server',
    sameAs: ['dvr_case_item_add'],
    input: z.object({ id, items: z.array(caseItemBodySchema).min(1).max(ADDED_MAX) }),
    output: z.object({ items: z.array(caseItemSchema).describe('added items') }),
    isWrite: true,
  },
  'cases.order': {
    access: 'operate',
    about: 'server',
    sameAs: ['dvr_case_items_order'],
    input: z.object({ id, items: z.array(itemId).max(CASE_ITEMS_MAX).describe('in their new order') }),
    output: caseItemsSchema,
    isWrite: true,
  },
  'cases.take_out': {
    access: 'operate',
    about: 'server',
    sameAs: ['dvr_case_item_remove'],
    input: item,
    output: nothing,
    isWrite: true,
  },
  'cases.put_back': { access: 'operate', about: 'server', input: item, output: caseItemSchema, isWrite: true },
  'cases.export': {
    access: 'operate',
    about: 'server',
    sameAs: ['dvr_case_export'],
    input: caseExportBodySchema.extend({ id }),
    output: exportJobObjectSchema,
    isWrite: true,
  },
} as const satisfies OperationTable;
