import { z } from 'zod';
import { READ_ONLY, flag, flagOrNull, number, numberOrNull, text, textOrNull } from './api-parts.ts';

const count = z.number().int();
const seconds = number('seconds');
const fault = z
  .object({
    code: text(
      'ENOSPC, EROFS, EIO …: error of the system; or disk_slow, disk_in_use, not_mounted, no_disk, disk_error',
    ),
    detail: text('description'),
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
  mounted: flagOrNull('whether it is a mount point; null before the first check'),
  size: count.nullable().describe('bytes of its file system; null if unknown'),
  free: count.nullable().describe('free bytes of its file system'),
  usage: numberOrNull('usage of its file system, in percent'),
  io_usage: number('time spent writing in the last ten seconds, in percent'),
  write_time: numberOrNull('mean duration of a write since the server started, in milliseconds; null before the first'),
  slowest_write: number('longest write of the last minute or two, in milliseconds'),
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
  usage: numberOrNull('total usage in percent'),
  ...RECORDED,
});
export type DvrStats = z.infer<typeof dvrStatsSchema>;

/** Totals of all archives. */
export const dvrTotalsSchema = z.object({
  status: z.enum(['ok', 'degraded', 'error', 'unknown']).describe('combined status of all storages'),
  is_listed: flag('whether the catalog is ready: recordings can be listed and played'),
  storages: count.describe('number of configured storages'),
  streams_configured: count.describe('streams that have dvr or dvr_offline'),
  ...RECORDED,
  jobs: z
    .object({
      rebuild: textOrNull('rebuild of the catalog'),
      check: textOrNull('comparison of the catalog with the disks'),
      cleanup: textOrNull('deletion of recordings beyond their limits'),
    })
    .describe('running, done, stopped or error; null if not started since the server started'),
});
export type DvrTotals = z.infer<typeof dvrTotalsSchema>;

/** Disks of a storage, with their state. */
export const disksSchema = z
  .array(
    z.object({
      path: text('path of the disk below root'),
      mode: z
        .enum(['normal', 'keep', 'migrate', 'readonly', 'rescue', 'abandon'])
        .optional()
        .describe('use of the disk; default normal'),
      stats: dvrDiskStatsSchema.nullable().meta({ ...READ_ONLY, description: 'state of the disk' }),
    }),
  )
  .meta({ 'x-key': 'path', description: 'disks of the storage' });

/** Fields of a storage besides its settings. */
export const dvrFactsShape = {
  stats: dvrStatsSchema
    .nullable()
    .meta({ ...READ_ONLY, description: 'measurements of the storage, a few seconds old at most' }),
};
