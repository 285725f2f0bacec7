import { z } from 'zod';
import { integer, text } from './api-parts.ts';

/** Request for a signed playback URL. */
export const signedAddressRequestSchema = z.strictObject({
  use: z.enum(['play', 'publish']).describe('permission of the holder'),
  expires_in: z
    .int()
    .min(1)
    .max(315_360_000)
    .default(3600)
    .describe('validity in seconds; afterwards the address starts no playback or publishing'),
  ip: z.union([z.ipv4(), z.ipv6()]).optional().describe('the only address that may use it; default: any'),
});

/** Signed playback URL. */
export const signedAddressSchema = z.object({
  use: z.enum(['play', 'publish']).describe('permission of the holder'),
  name: text('the stream'),
  expires: integer('expiry, Unix seconds; afterwards the address starts no playback or publishing'),
  query: text('query of the address, after the `?`'),
  urls: z.array(z.string()).describe("complete addresses, as seen from the server's machine"),
});

export type SignedAddress = z.infer<typeof signedAddressSchema>;
