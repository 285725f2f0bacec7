import { z } from 'zod';

/** A field that is told and that a write ignores. */
export const READ_ONLY = { readOnly: true } as const;

/** A field that may change without notice. */
export const PRIVATE = { 'x-private': true } as const;

/** A field that will go, and the version that it goes with. */
export function deprecated(description: string): {
  readonly description: string;
  readonly deprecated: true;
  readonly 'x-delete-at': string;
} {
  return { description, deprecated: true, 'x-delete-at': '2.0.0' };
}

/** Epoch milliseconds, null for never or not known. */
export const timestampSchema = z.number().int().nullable();

/** Options that are passed on as they are written. */
export const optionsSchema = z.record(z.string(), z.string());

/** Who decides about sessions, and what limits them. */
export const sessionBackendSchema = z.object({
  url: z
    .union([z.string(), z.literal(false)])
    .describe('the address that is asked, the name of a backend (auth://name), or false for nobody'),
  max_sessions: z.number().int().optional(),
  soft_limitation: z.boolean().optional(),
  domains: z.array(z.string()).optional(),
  allowed_countries: z.array(z.string()).optional(),
  disallowed_countries: z.array(z.string()).optional(),
  session_keys: z.array(z.string()).optional(),
  extra: optionsSchema.optional().describe('parameters that go to the backend'),
});

/** Where and how long is recorded. */
export const recordingSchema = z.object({
  root: z.string().describe('a path, or @ and the name of a storage'),
  expiration: z.number().optional().describe('seconds'),
  storage_limit: z.number().int().optional().describe('bytes'),
  disk_usage_limit: z.number().int().optional().describe('percent'),
  copy: z.string().optional(),
});

/** How segments are encrypted. */
export const drmSchema = z.object({ vendor: z.string() }).catchall(z.string());
