import { z } from 'zod';
import { LINE, LINES } from '../plain-text.ts';
import { READ_ONLY, integer, integerOrNull, text } from '../api-parts.ts';
import { ARCHIVE_MAX_SECONDS } from './archive-locks.ts';

/** Maximum number of cases, of items in one case, and of items in all cases. */
export const ARCHIVE_CASES_MAX = 1000;
export const CASE_ITEMS_MAX = 500;
export const ALL_CASE_ITEMS_MAX = 20_000;

const moment = z
  .number()
  .int()
  .min(0)
  .max(ARCHIVE_MAX_SECONDS * 1000);

/** Fields of a case that clients write. */
export const caseBodySchema = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine(...LINE)
    .describe('title'),
  note: z
    .string()
    .trim()
    .max(4000)
    .refine(...LINES)
    .default('')
    .describe('description; may be empty'),
});

/** A case: clips, stills and marks of several streams, collected under a name. */
export const caseObjectSchema = z.object({
  id: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  title: text('title'),
  note: text('description; may be empty'),
  item_count: z
    .number()
    .int()
    .meta({ ...READ_ONLY, description: 'clips, stills and marks' }),
  created_by: z.string().meta({ ...READ_ONLY, description: 'login of the author, or another name of the caller' }),
  created_at: z
    .number()
    .int()
    .meta({ ...READ_ONLY, description: 'time, epoch milliseconds' }),
});
export type CaseObject = z.infer<typeof caseObjectSchema>;

const kind = z
  .enum(['clip', 'still', 'mark'])
  .describe('clip: a time range; still: one picture; mark: a moment with a text');
const lines = z
  .string()
  .trim()
  .max(500)
  .refine(...LINES);

/** Fields of a case item that clients write. */
export const caseItemBodySchema = z.strictObject({
  kind,
  name: z.string().min(1).max(1000).describe('the stream'),
  from: moment.describe('start of a clip, or the moment, epoch milliseconds'),
  to: moment.optional().describe('end of a clip, exclusive, epoch milliseconds; only for clips'),
  text: lines.default('').describe('description; may be empty'),
});
export type CaseItemBody = z.infer<typeof caseItemBodySchema>;

/** A clip, still or mark in a case. */
export const caseItemSchema = z.object({
  id: text('unique'),
  kind,
  name: text('the stream'),
  from: integer('start of a clip, or the moment, epoch milliseconds'),
  to: integerOrNull('end of a clip, epoch milliseconds; null for a moment'),
  text: text('description; may be empty'),
  added_by: text('login of the author, or the origin of the request'),
  added_at: integer('epoch milliseconds'),
});
export type CaseItem = z.infer<typeof caseItemSchema>;

/** `GET /dvr_cases/{id}/items`: all items of a case. */
export const caseItemsSchema = z.object({
  items: z.array(caseItemSchema).describe(`in order, at most ${CASE_ITEMS_MAX}`),
});

/** Body of `PUT /dvr_cases/{id}/items`. */
export const caseOrderBodySchema = z.strictObject({
  order: z.array(z.string().max(64)).max(CASE_ITEMS_MAX).describe('ids of the items in their new order'),
});

/** Body of `POST /dvr_cases/{id}/export`. */
export const caseExportBodySchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'prefix of a VOD location and the path of the folder in it; default: a folder in `.exports` on a disk of the archive',
    ),
  packing: z.enum(['mp4', 'ts']).default('mp4').describe('container of clips'),
  exact: z
    .boolean()
    .default(true)
    .describe(
      'whether clips are cut to the exact frame, which encodes the pictures around both ends again; H.264 only',
    ),
});
export type CaseExportBody = z.infer<typeof caseExportBodySchema>;
