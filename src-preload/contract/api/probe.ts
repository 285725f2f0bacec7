import { z } from 'zod';

/** Answer to liveness and readiness probes. */
export const probeSchema = z.object({
  server_version: z.string().describe('version of the program'),
  build: z.number().int().nullable().describe('null: builds are not counted'),
  now: z.number().int().describe('server time, epoch milliseconds'),
  started_at: z.number().int().describe('start of the server, epoch seconds'),
  status: z.string().describe('running, or the missing part'),
});
export type Probe = z.infer<typeof probeSchema>;
