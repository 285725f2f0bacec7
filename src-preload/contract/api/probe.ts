import { z } from 'zod';
import { integer, integerOrNull, text } from './api-parts.ts';

/** Answer to liveness and readiness probes. */
export const probeSchema = z.object({
  server_version: text('version of the program'),
  build: integerOrNull('null: builds are not counted'),
  now: integer('server time, epoch milliseconds'),
  started_at: integer('start of the server, epoch seconds'),
  status: text('running, or the missing part'),
});
export type Probe = z.infer<typeof probeSchema>;
