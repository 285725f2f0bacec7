import { z } from 'zod';
import { READ_ONLY } from './api-parts.ts';

/** A token for programs. */
export const apiTokenObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  hash: z.string().optional().describe('SHA-256 of the token in hexadecimal; masked'),
  scope: z.enum(['view', 'operate', 'admin']).describe('scope of the token'),
  prefixes: z
    .array(z.string())
    .optional()
    .describe('name prefixes of the streams that the token may use; default: all streams'),
  last_used_at: z.int().nullable().describe('epoch milliseconds; null if never used').meta(READ_ONLY),
});

/** A new token; the only answer that contains the token itself. */
export const issuedTokenSchema = z.object({
  name: z.string().describe('name of the token'),
  token: z.string().describe('secret, for `Authorization: Bearer`; the server does not store it'),
});
