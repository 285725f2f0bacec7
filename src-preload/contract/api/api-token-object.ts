import { z } from 'zod';
import { READ_ONLY } from './api-parts.ts';

/** A token for programs. */
export const apiTokenObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  hash: z.string().optional().describe('the SHA-256 of the token in hexadecimal; shown as a mask'),
  scope: z.enum(['view', 'operate', 'admin']).describe('what it may do'),
  prefixes: z.array(z.string()).optional().describe('the streams that it is for, with all below them; all without it'),
  last_used_at: z.int().nullable().describe('epoch milliseconds; null where it was never used').meta(READ_ONLY),
});

/** A new token; the only answer that contains the token itself. */
export const issuedTokenSchema = z.object({
  name: z.string().describe('name of the token'),
  token: z.string().describe('the secret, for `Authorization: Bearer`; it is not kept'),
});
