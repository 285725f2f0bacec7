import { z } from 'zod';
import { OPERATION_TYPES, id } from './operation-object.ts';
import { integer, integerOrNull, optionalText, text, textOrNull } from '../api-parts.ts';

/** URL prefix of the subscriber API. */
export const SUBSCRIBERS_PREFIX = '/tv-management/api/v1';

/** Body of `POST /exports`: selection and format of the export. Conditions are combined with AND. */
export const operationExportCreateSchema = z.strictObject({
  format: z
    .enum(['csv', 'jsonl'])
    .describe('CSV (RFC 4180) with the payload as JSON, or JSON Lines like `GET /operations`'),
  subscriberIds: z.array(id('the subscriber')).min(1).max(1000).optional().describe('only of these subscribers'),
  packageId: id('the package').optional().describe('only of this package'),
  types: z.array(z.enum(OPERATION_TYPES)).min(1).max(100).optional().describe('only of these types'),
  from: z.iso.datetime().optional().describe('start of the period, in UTC, inclusive'),
  before: z.iso.datetime().optional().describe('end of the period, in UTC, exclusive; default: time of the request'),
});
export type OperationExportCreate = z.infer<typeof operationExportCreateSchema>;

/** An export of the operations log. */
export const operationExportSchema = z.object({
  exportId: text('unique; the last part of its address'),
  status: z.enum(['queued', 'running', 'done', 'failed']).describe('status of the export'),
  request: operationExportCreateSchema
    .extend({
      from: optionalText('start of the period, in UTC, inclusive'),
      before: optionalText('end of the period, in UTC, exclusive'),
    })
    .describe('as requested'),
  operations: integer('operations written so far'),
  progress: z.number().min(0).max(1).describe('progress through the period'),
  sizeBytes: integerOrNull('size of the file; null before the end'),
  sha256: textOrNull('SHA-256 of the file, in hexadecimal; null before the end'),
  file: textOrNull('path of the file on this server, with a key that replaces a login; null before the end'),
  createdAt: text('time of the request, ISO 8601 in UTC'),
  expiresAt: textOrNull('time of its removal, ISO 8601 in UTC; null before the end'),
  error: z
    .object({
      code: text('error code'),
      detail: text('description of the error'),
    })
    .nullable()
    .describe('reason of the failure; null without one'),
});
export type OperationExport = z.infer<typeof operationExportSchema>;
/** Answer of `GET /exports`. */
export const operationExportListSchema = z.object({
  exports: z.array(operationExportSchema).describe('exports of the portal, newest first'),
});
