import { z } from 'zod';
import { READ_ONLY } from './api-parts.ts';

const count = z.number().int();
const seconds = z.number().describe('seconds');
const fault = z
  .object({
    code: z
      .string()
      .describe('ENOSPC, EROFS, EIO …: what the system says; disk_slow, disk_in_use, not_mounted, no_disk, disk_error'),
    detail: z.string().describe('in words'),
  })
  .nullable()
  .describe('why nothing can be written to it; null where it can, or is not to be');

/** Counters of disk writes; they start at 0 with the server. */
const WRITING = {
  blobs_count: count.describe('finished blocks that lie there'),
  bytes: count.describe('bytes of them'),
  queue_bytes: count.describe('bytes that wait for the disk, or are under way'),
  write_rate: count.describe('bytes per second that were written in the last ten seconds'),
  written_bytes: count.describe('bytes that were written since the server started'),
  writes: count.describe('writes since the server started, each synchronised'),
  collapsed_write_count: count.describe('writes that waited longer than two seconds, because the disk was slow'),
  write_errors: count.describe('blocks that could not go on, because the disk failed, was full or did not answer'),
};

/** State of a disk. */
const dvrDiskStatsSchema = z.object({
  status: z
    .enum(['ok', 'full', 'slow', 'not_mounted', 'error', 'unknown'])
    .describe('unknown: it was not looked at yet; slow: it does not answer'),
  error: fault,
  mounted: z.boolean().nullable().describe('whether it is a mount point; null where it was not looked at yet'),
  size: count.nullable().describe('bytes of its file system; null where it cannot be measured'),
  free: count.nullable().describe('free bytes of its file system'),
  usage: z.number().nullable().describe('how full its file system is, in percent'),
  io_usage: z.number().describe('how much of the last ten seconds something was being written, in percent'),
  write_time: z
    .number()
    .nullable()
    .describe('mean time of a write since the server started, in milliseconds; null before the first'),
  slowest_write: z.number().describe('longest write of the last minute or two, in milliseconds'),
  ...WRITING,
  migration_speed: count
    .nullable()
    .describe('bytes per second that are moved to other disks; null where nothing is moved'),
  migration_eta: count.nullable().describe('seconds until everything is moved; null where nothing is moved'),
  migration_updated: count
    .nullable()
    .describe('when these two were measured, epoch milliseconds; null where nothing is moved'),
});
export type DvrDiskStats = z.infer<typeof dvrDiskStatsSchema>;

/** Counters of recording; they start at 0 with the server. */
const RECORDED = {
  streams: count.describe('streams that have something there, configured or not'),
  recording: count.describe('streams that are being recorded to it'),
  ...WRITING,
  finished_blocks: count.describe('blocks that were finished since the server started'),
  finished_bytes: count.describe('bytes of them'),
  drop_write_count: count.describe('how often the recording of a stream broke off since the server started'),
  drop_write_duration: seconds.describe('how many seconds are missing of those that went on'),
};

/** Measurements of a storage. */
const dvrStatsSchema = z.object({
  status: z
    .enum(['ok', 'degraded', 'error', 'unknown'])
    .describe('degraded: a disk cannot be written; error: none can; unknown: none was looked at yet'),
  error: fault,
  size: count
    .nullable()
    .describe('bytes of the file systems of its disks, each counted once; null where none can be measured'),
  free: count.nullable().describe('free bytes of them'),
  usage: z.number().nullable().describe('how full they are together, in percent'),
  ...RECORDED,
});
export type DvrStats = z.infer<typeof dvrStatsSchema>;

/** Totals of all archives. */
export const dvrTotalsSchema = z.object({
  status: z.enum(['ok', 'degraded', 'error', 'unknown']).describe('as that of a storage, of all of them'),
  is_listed: z.boolean().describe('whether the catalog can be used: what is recorded can be listed and played'),
  storages: count.describe('storages of the configuration'),
  streams_configured: count.describe('streams that have dvr or dvr_offline'),
  ...RECORDED,
  jobs: z
    .object({
      rebuild: z.string().nullable().describe('making the catalog again'),
      check: z.string().nullable().describe('comparing it with the disks'),
      cleanup: z.string().nullable().describe('deleting what is past its limits'),
    })
    .describe('running, done, stopped or error; null for what was not started since the server started'),
});
export type DvrTotals = z.infer<typeof dvrTotalsSchema>;

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
        stats: dvrDiskStatsSchema.nullable().meta({ ...READ_ONLY, description: 'state of the disk' }),
      }),
    )
    .meta({ 'x-key': 'path', description: 'disks of the storage' }),
  check_mount: z.boolean().optional().describe('whether a disk must be mounted to be used'),
  expiration: z.number().optional().describe('how long is kept, in seconds'),
  episodes_expiration: z
    .number()
    .optional()
    .describe('how long episodes are kept after their end that do not say it themselves, in seconds'),
  episodes_url: z.string().optional().describe('address of the list of episodes to keep'),
  storage_limit: z.number().int().optional().describe('how much the archive may take, in bytes'),
  disk_usage_limit: z.number().int().optional().describe('how full a disk may become, in percent'),
  schedule: z.array(z.array(z.number().int())).optional().describe('ranges of the day as [hhmm, hhmm], UTC'),
  copy: z.string().optional().describe('address that finished hours are copied to'),
  dvr_offline: z.boolean().describe('whether recording waits until it is switched on; default false'),
  dvr_replicate: z.boolean().describe('whether missing parts are taken from the source; default false'),
  replication_speed: z.number().int().optional().describe('how much replication may load, in bytes per second'),
  replication_port: z.number().int().optional().describe('port of the source for replication'),
  no_index: z.boolean().describe('whether the catalogue is not kept in the database; default false'),
  stats: dvrStatsSchema
    .nullable()
    .meta({ ...READ_ONLY, description: 'what the storage measures, as it was some seconds ago at most' }),
});
