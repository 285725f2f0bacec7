import { z } from 'zod';
import { READ_ONLY } from './api-parts.ts';

const count = z.number().int();
const seconds = z.number().describe('seconds');
const fault = z
  .object({
    code: z
      .string()
      .describe(
        'ENOSPC, EROFS, EIO …: error of the system; or disk_slow, disk_in_use, not_mounted, no_disk, disk_error',
      ),
    detail: z.string().describe('description'),
  })
  .nullable()
  .describe('reason why nothing can be written; null if writing works or is not intended');

/** Counters of disk writes; they start at 0 with the server. */
const WRITING = {
  blobs_count: count.describe('finished blocks on the disk'),
  bytes: count.describe('size of the finished blocks, in bytes'),
  queue_bytes: count.describe('bytes waiting for the disk, or being written'),
  write_rate: count.describe('mean of the last ten seconds, in bytes per second'),
  written_bytes: count.describe('bytes written since the server started'),
  writes: count.describe('writes since the server started, each synchronised'),
  collapsed_write_count: count.describe('writes that waited longer than two seconds because the disk was slow'),
  write_errors: count.describe('blocks that were broken off because the disk failed, was full or did not answer'),
};

/** State of a disk. */
const dvrDiskStatsSchema = z.object({
  status: z
    .enum(['ok', 'full', 'slow', 'not_mounted', 'error', 'unknown'])
    .describe('unknown: not checked yet; slow: the disk does not answer'),
  error: fault,
  mounted: z.boolean().nullable().describe('whether it is a mount point; null before the first check'),
  size: count.nullable().describe('bytes of its file system; null if unknown'),
  free: count.nullable().describe('free bytes of its file system'),
  usage: z.number().nullable().describe('usage of its file system, in percent'),
  io_usage: z.number().describe('time spent writing in the last ten seconds, in percent'),
  write_time: z
    .number()
    .nullable()
    .describe('mean duration of a write since the server started, in milliseconds; null before the first'),
  slowest_write: z.number().describe('longest write of the last minute or two, in milliseconds'),
  ...WRITING,
  migration_speed: count.nullable().describe('bytes per second moved to other disks; null without a migration'),
  migration_eta: count.nullable().describe('seconds until the end of the migration; null without one'),
  migration_updated: count
    .nullable()
    .describe('time of these two measurements, epoch milliseconds; null without a migration'),
});
export type DvrDiskStats = z.infer<typeof dvrDiskStatsSchema>;

/** Counters of recording; they start at 0 with the server. */
const RECORDED = {
  streams: count.describe('streams with recordings there, configured or not'),
  recording: count.describe('streams that are being recorded to it'),
  ...WRITING,
  finished_blocks: count.describe('blocks that were finished since the server started'),
  finished_bytes: count.describe('bytes of the finished blocks'),
  drop_write_count: count.describe('interruptions of recordings since the server started'),
  drop_write_duration: seconds.describe('total duration of the interruptions that have ended, in seconds'),
};

/** Measurements of a storage. */
const dvrStatsSchema = z.object({
  status: z
    .enum(['ok', 'degraded', 'error', 'unknown'])
    .describe('degraded: one disk is not writable; error: none is; unknown: none has been checked yet'),
  error: fault,
  size: count.nullable().describe('bytes of the file systems of its disks, each counted once; null if unknown'),
  free: count.nullable().describe('free bytes'),
  usage: z.number().nullable().describe('total usage in percent'),
  ...RECORDED,
});
export type DvrStats = z.infer<typeof dvrStatsSchema>;

/** Totals of all archives. */
export const dvrTotalsSchema = z.object({
  status: z.enum(['ok', 'degraded', 'error', 'unknown']).describe('combined status of all storages'),
  is_listed: z.boolean().describe('whether the catalog is ready: recordings can be listed and played'),
  storages: count.describe('number of configured storages'),
  streams_configured: count.describe('streams that have dvr or dvr_offline'),
  ...RECORDED,
  jobs: z
    .object({
      rebuild: z.string().nullable().describe('rebuild of the catalog'),
      check: z.string().nullable().describe('comparison of the catalog with the disks'),
      cleanup: z.string().nullable().describe('deletion of recordings beyond their limits'),
    })
    .describe('running, done, stopped or error; null if not started since the server started'),
});
export type DvrTotals = z.infer<typeof dvrTotalsSchema>;

/** A storage for archives. */
export const dvrObjectSchema = z.object({
  name: z.string().meta({ ...READ_ONLY, description: 'unique; streams refer to it as @name' }),
  root: z.string().optional().describe('parent folder of the disks'),
  raid: z.number().int().optional().describe('distribution of blocks over the disks: 0 or 1'),
  active: z.number().int().optional().describe('number of disks written at the same time'),
  disks: z
    .array(
      z.object({
        path: z.string().describe('path of the disk below root'),
        mode: z
          .enum(['normal', 'keep', 'migrate', 'readonly', 'rescue', 'abandon'])
          .optional()
          .describe('use of the disk; default normal'),
        stats: dvrDiskStatsSchema.nullable().meta({ ...READ_ONLY, description: 'state of the disk' }),
      }),
    )
    .meta({ 'x-key': 'path', description: 'disks of the storage' }),
  check_mount: z.boolean().optional().describe('whether a disk must be mounted to be used'),
  expiration: z.number().optional().describe('retention in seconds'),
  episodes_expiration: z
    .number()
    .optional()
    .describe('retention of episodes without one of their own, in seconds after their end'),
  episodes_url: z.string().optional().describe('URL of the list of episodes to keep'),
  storage_limit: z.number().int().optional().describe('maximum size of the archive in bytes'),
  disk_usage_limit: z.number().int().optional().describe('maximum usage of a disk in percent'),
  schedule: z.array(z.array(z.number().int())).optional().describe('ranges of the day as [hhmm, hhmm], UTC'),
  copy: z.string().optional().describe('URL to which finished hours are copied'),
  dvr_offline: z.boolean().describe('whether recording waits until it is started by hand; default false'),
  dvr_replicate: z.boolean().describe('whether missing parts are copied from the source; default false'),
  replication_speed: z.number().int().optional().describe('maximum replication rate, in bytes per second'),
  replication_port: z.number().int().optional().describe('port on the source for replication'),
  no_index: z.boolean().describe('whether the catalog is kept out of the database; default false'),
  stats: dvrStatsSchema
    .nullable()
    .meta({ ...READ_ONLY, description: 'measurements of the storage, a few seconds old at most' }),
});
