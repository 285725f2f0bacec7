import { z } from 'zod';
import { OPERATION_TYPES, SUBSCRIBER_ID_PATTERN } from '../operation-object.ts';

/** URL prefix of the subscriber API. */
export const SUBSCRIBERS_PREFIX = '/tv-management/api/v1';

const id = (description: string) => z.string().regex(SUBSCRIBER_ID_PATTERN).describe(description);
const time = (description: string) => z.string().nullable().describe(description);

/** Body of `POST /exports`: selection and format of the export. Conditions are combined with AND. */
export const operationExportCreateSchema = z.strictObject({
  format: z
    .enum(['csv', 'jsonl'])
    .describe('CSV (RFC 4180) with the payload as JSON, or JSON Lines as `GET /operations` has them'),
  subscriberIds: z.array(id('the subscriber')).min(1).max(1000).optional().describe('only of these subscribers'),
  packageId: id('the package').optional().describe('only of this package'),
  types: z.array(z.enum(OPERATION_TYPES)).min(1).max(100).optional().describe('only of these types'),
  from: z.iso.datetime().optional().describe('not before this time, in UTC'),
  before: z.iso.datetime().optional().describe('before this time, in UTC; default: when the export was asked for'),
});
export type OperationExportCreate = z.infer<typeof operationExportCreateSchema>;

/** An export of the operations log. */
export const operationExportSchema = z.object({
  exportId: z.string().describe('unique; the last part of its address'),
  status: z.enum(['queued', 'running', 'done', 'failed']).describe('what it does'),
  request: operationExportCreateSchema
    .extend({
      from: z.string().optional().describe('not before this time, in UTC'),
      before: z.string().optional().describe('before this time, in UTC'),
    })
    .describe('what was asked for'),
  operations: z.number().int().describe('operations that are written so far'),
  progress: z.number().min(0).max(1).describe('how far it is through the period'),
  sizeBytes: z.number().int().nullable().describe('length of the file; null before it is done'),
  sha256: z.string().nullable().describe('SHA-256 of the file, in hexadecimal; null before it is done'),
  file: z
    .string()
    .nullable()
    .describe(
      'address of the file: a path of this server, with the key that opens it without a login; null before it is done',
    ),
  createdAt: z.string().describe('when it was asked for, ISO 8601 in UTC'),
  expiresAt: time('when it is removed, ISO 8601 in UTC; null before it is over'),
  error: z
    .object({
      code: z.string().describe('code of the catalogue of errors'),
      detail: z.string().describe('what is wrong'),
    })
    .nullable()
    .describe('why it failed; null where it did not'),
});
export type OperationExport = z.infer<typeof operationExportSchema>;
/** Answer of `GET /exports`. */
export const operationExportListSchema = z.object({
  exports: z.array(operationExportSchema).describe('exports of the portal, the newest first'),
});
