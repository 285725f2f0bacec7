import { z } from 'zod';
import { READ_ONLY } from './api-parts.ts';

/** A storage for archives. */
export const dvrObjectSchema = z.object({
  name: z.string().meta(READ_ONLY),
  root: z.string().optional(),
  raid: z.number().int().optional(),
  active: z.number().int().optional().describe('disks that are written at once'),
  disks: z
    .array(
      z.object({
        path: z.string(),
        mode: z.enum(['normal', 'keep', 'migrate', 'readonly', 'rescue', 'abandon']).optional(),
        stats: z.null().meta({ ...READ_ONLY, description: 'null in this version' }),
      }),
    )
    .meta({ 'x-key': 'path' }),
  check_mount: z.boolean().optional(),
  expiration: z.number().optional().describe('seconds'),
  episodes_expiration: z.number().optional().describe('seconds'),
  episodes_url: z.string().optional(),
  storage_limit: z.number().int().optional().describe('bytes'),
  disk_usage_limit: z.number().int().optional().describe('percent'),
  schedule: z.array(z.array(z.number().int())).optional().describe('stretches of the day as [hhmm, hhmm], UTC'),
  copy: z.string().optional(),
  dvr_offline: z.boolean(),
  dvr_replicate: z.boolean(),
  replication_speed: z.number().int().optional().describe('bytes per second'),
  replication_port: z.number().int().optional(),
  no_index: z.boolean(),
  stats: z.null().meta({ ...READ_ONLY, description: 'what the storage measures; null in this version' }),
});
