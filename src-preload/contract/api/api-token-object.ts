import { z } from 'zod';
import { text } from './api-parts.ts';

/** A new token; the only answer that contains the token itself. */
export const issuedTokenSchema = z.object({
  name: text('name of the token'),
  token: text('secret, for `Authorization: Bearer`; the server does not store it'),
});
