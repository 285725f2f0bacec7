import { z } from 'zod';
import { READ_ONLY } from './api-parts.ts';

/** A storage for archives. */
export const dvrObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; streams refer to it as @name' }),
  root: z.string().optional().describe('folder that the disks lie below'),
  raid: z.number().int().optional().describe('how blocks are spread over the disks: 0 or 1'),
  active: z.number().int().optional().describe('disks that are written at once'),
  disks: z
    .array(
      z.object({
        path: z.string().describe('the disk, below root'),
        mode: z
          .enum(['normal', 'keep', 'migrate', 'readonly', 'rescue', 'abandon'])
          .optional()
          .describe('how the disk is used; default normal'),
        stats: z.null().meta({ ...READ_ONLY, description: 'state of the disk; null in this version' }),
      }),
    )
    .meta({ 'x-key': 'path', description: 'disks of the storage' }),
  check_mount: z.boolean().optional().describe('whether a disk must be mounted to be used'),
  expiration: z.number().optional().describe('how long is kept, in seconds'),
  episodes_expiration: z.number().optional().describe('how long episodes are kept, in seconds'),
  episodes_url: z.string().optional().describe('address of the list of episodes to keep'),
  storage_limit: z.number().int().optional().describe('how much the archive may take, in bytes'),
  disk_usage_limit: z.number().int().optional().describe('how full a disk may become, in percent'),
  schedule: z.array(z.array(z.number().int())).optional().describe('stretches of the day as [hhmm, hhmm], UTC'),
  copy: z.string().optional().describe('address that finished hours are copied to'),
  dvr_offline: z.boolean().describe('whether recording waits until it is switched on; default false'),
  dvr_replicate: z.boolean().describe('whether missing parts are taken from the source; default false'),
  replication_speed: z.number().int().optional().describe('how much replication may load, in bytes per second'),
  replication_port: z.number().int().optional().describe('port of the source for replication'),
  no_index: z.boolean().describe('whether the catalogue is not kept in the database; default false'),
  stats: z.null().meta({ ...READ_ONLY, description: 'what the storage measures; null in this version' }),
});
