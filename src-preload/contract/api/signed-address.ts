import { z } from 'zod';

/** Request for a signed playback URL. */
export const signedAddressRequestSchema = z.strictObject({
  use: z.enum(['play', 'publish']).describe('what its holder may do'),
  expires_in: z
    .int()
    .min(1)
    .max(315_360_000)
    .default(3600)
    .describe('seconds from now until nothing new is begun with it'),
  ip: z.union([z.ipv4(), z.ipv6()]).optional().describe('the only address that may use it; without it any may'),
});

/** Signed playback URL. */
export const signedAddressSchema = z.object({
  use: z.enum(['play', 'publish']).describe('what its holder may do'),
  name: z.string().describe('the stream'),
  expires: z.int().describe('until when something may be begun with it, Unix seconds'),
  query: z.string().describe('what stands behind the `?` of the address'),
  urls: z.array(z.string()).describe('complete addresses, as seen from the machine of the server'),
});

export type SignedAddress = z.infer<typeof signedAddressSchema>;
