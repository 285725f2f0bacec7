import { z } from 'zod';

/** What the probes of orchestrators are told. */
export const probeSchema = z.object({
  server_version: z.string(),
  build: z.number().int().nullable().describe('null: builds are not counted'),
  now: z.number().int().describe('epoch milliseconds'),
  started_at: z.number().int().describe('epoch seconds'),
  status: z.string().describe('running, or what the server lacks'),
});
export type Probe = z.infer<typeof probeSchema>;
