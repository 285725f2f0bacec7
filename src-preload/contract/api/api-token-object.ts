import { z } from 'zod';
import { READ_ONLY, integerOrNull, optionalText, text } from './api-parts.ts';

/** A token for programs. */
export const apiTokenObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; the last part of its address' }),
  hash: optionalText('SHA-256 of the token in hexadecimal; masked'),
  scope: z.enum(['view', 'operate', 'admin']).describe('scope of the token'),
  prefixes: z
    .array(z.string())
    .optional()
    .describe('name prefixes of the streams that the token may use; default: all streams'),
  last_used_at: integerOrNull('epoch milliseconds; null if never used').meta(READ_ONLY),
});

/** A new token; the only answer that contains the token itself. */
export const issuedTokenSchema = z.object({
  name: text('name of the token'),
  token: text('secret, for `Authorization: Bearer`; the server does not store it'),
});
