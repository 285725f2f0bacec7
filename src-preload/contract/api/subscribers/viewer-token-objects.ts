import { z } from 'zod';
import { READ_ONLY, text } from '../api-parts.ts';
import { id } from './operation-object.ts';

/** Viewer token, without the secret: its holder plays the packages of one subscriber. */
const viewerTokenSchema = z.object({
  tokenId: id('unique; the last part of its address'),
  name: text('purpose, such as a device; may be empty'),
  createdAt: z.string().meta({ ...READ_ONLY, description: 'time of its creation, ISO 8601 in UTC' }),
});
export type ViewerToken = z.infer<typeof viewerTokenSchema>;
/** Answer of `GET /subscribers/{subscriberId}/tokens`. */
export const viewerTokenListSchema = z.object({
  tokens: z.array(viewerTokenSchema).describe('in the order of creation'),
});
/** New viewer token; the only answer that contains the secret. */
export const issuedViewerTokenSchema = viewerTokenSchema.extend({
  token: text('value of ?token= for players; not stored, not shown again'),
});
/** Body of `POST /subscribers/{subscriberId}/tokens`. */
export const viewerTokenCreateSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .max(200)
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'Expected a text without control characters')
    .optional()
    .describe('purpose, such as a device; default empty'),
});
