import { z } from 'zod';

/** Marks a field that answers contain and writes ignore. */
export const READ_ONLY = { readOnly: true } as const;

/** Marks a field that may change without notice. */
export const PRIVATE = { 'x-private': true } as const;

/** Marks a field that a later version removes. */
export function deprecated(description: string): {
  readonly description: string;
  readonly deprecated: true;
  readonly 'x-delete-at': string;
} {
  return { description, deprecated: true, 'x-delete-at': '2.0.0' };
}

/** Epoch milliseconds, null for never or not known. */
export const timestampSchema = z.number().int().nullable();

/** Options that are passed on unchanged. */
export const optionsSchema = z.record(z.string(), z.string());

/** Authorization backends of sessions, and limits. */
export const sessionBackendSchema = z.object({
  url: z
    .union([z.string(), z.literal(false)])
    .describe('the address that is asked, the name of a backend (auth://name), or false for none'),
  max_sessions: z.number().int().optional().describe('most sessions of one user at a time; no limit without it'),
  soft_limitation: z
    .boolean()
    .optional()
    .describe('whether sessions over the limit are closed after 75 seconds and not at once; default false'),
  domains: z.array(z.string()).optional().describe('hosts whose pages may embed the player; any without it'),
  allowed_countries: z
    .array(z.string())
    .optional()
    .describe('country codes of two letters, the only ones that may play; any without it'),
  disallowed_countries: z.array(z.string()).optional().describe('country codes of two letters that may not play'),
  session_keys: z
    .array(z.string())
    .optional()
    .describe('what makes a session the same: any of name, ip, proto and token; all of them without it'),
  extra: optionsSchema.optional().describe('parameters that go to the backend'),
});

/** Storage and depth of a recording. */
export const recordingSchema = z.object({
  root: z.string().describe('a path, or @ and the name of a storage'),
  expiration: z.number().optional().describe('how long it is kept, in seconds'),
  storage_limit: z.number().int().optional().describe('how much it may take, in bytes'),
  disk_usage_limit: z.number().int().optional().describe('how full the disk may become, in percent'),
  copy: z.string().optional().describe('address that finished hours are copied to'),
});

/** Encryption of segments. */
export const drmSchema = z.object({ vendor: z.string().describe('the scheme, such as aes128') }).catchall(z.string());

/** Fields of a list answer that comes in pages. */
export const PORTION = {
  next: z.string().nullable().describe('cursor of the following portion; null after the last'),
  prev: z.string().nullable().describe('cursor of the preceding portion; null before the first'),
  estimated_count: z.number().int().describe('objects that the filters let through, whatever the cursor'),
  timing: z.record(z.string(), z.number()).meta({ ...PRIVATE, description: 'milliseconds of each step' }),
};
