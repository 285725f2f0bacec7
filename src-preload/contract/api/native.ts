import { z } from 'zod';
import { PORTION, flag, integer, integerOrNull, number, numberOrNull, text, textOrNull } from './api-parts.ts';
import { streamStatsSchema } from './stream-object.ts';

/** Fields of a list answer that is not paged. */
const WHOLE = {
  estimated_count: integer('number of items'),
  next: z.null().describe('null: the list has one page'),
  prev: z.null().describe('null: the list has one page'),
};

/** An address that the server listens on. */
const nativeListenerSchema = z.object({
  protocol: z.enum(['http', 'https', 'rtmp', 'rtmps']).describe('protocol of the listener'),
  host: textOrNull('null: all addresses of the machine'),
  port: integer('TCP port'),
});

/** `GET /listeners`. */
export const nativeListenersSchema = z.object({
  listeners: z.array(nativeListenerSchema).describe('addresses that the server listens on'),
  ...WHOLE,
});
export type NativeListeners = z.infer<typeof nativeListenersSchema>;

/** A stream without its configuration. */
export const nativeStreamStatsSchema = z.object({
  name: text('unique name of the stream'),
  named_by: z
    .enum(['config', 'user', 'remote', 'external'])
    .describe('config: in the configuration; user: published under a live prefix; others do not occur in this version'),
  position: integer('sort position in lists'),
  stats: streamStatsSchema.describe('current state of the stream'),
});

/** `GET /streams/stats` and `GET /streams-stats`. */
export const nativeStreamStatsListSchema = z.object({
  streams: z
    .array(
      nativeStreamStatsSchema
        .partial()
        .extend({ stats: streamStatsSchema.partial().optional().describe('current state of the stream') }),
    )
    .describe('streams, or only their selected fields'),
  ...PORTION,
});

const countsSchema = z.record(z.string(), z.number().int());

/** `GET /sessions/stats`. */
export const nativeSessionStatsSchema = z.object({
  session_count: integer('open sessions'),
  stream_count: integer('streams and files with viewers'),
  ip_count: integer('addresses of the sessions'),
  bytes: integer('delivered to open sessions so far'),
  by_proto: countsSchema.describe('open sessions by protocol'),
  by_status: countsSchema.describe('open sessions by status'),
  total_clients: integer("number of viewers, by the server's count"),
  output_kbit: integer('kbit/s to all viewers'),
});
export type NativeSessionStats = z.infer<typeof nativeSessionStatsSchema>;

/** Metrics as JSON, for clients that ask for JSON instead of the Prometheus text format. */
export const nativeMetricsSchema = z.object({
  metrics: z
    .array(
      z.object({
        name: text('name of the metric'),
        help: text('description of the metric'),
        type: z.enum(['gauge', 'counter']).describe('type of the metric; counters only grow'),
        values: z
          .array(
            z.object({
              labels: z.record(z.string(), z.string()).describe('values of labels, by name'),
              value: number('value in the unit at the end of the name'),
            }),
          )
          .describe('one per set of labels'),
      }),
    )
    .describe('all metrics'),
});

/** `GET /dvr/catalog`: recorded ranges by stream. */
export const nativeDvrCatalogSchema = z.object({
  streams: z
    .array(
      z.object({
        name: text('the stream'),
        blocks: integer('finished blocks'),
        bytes: integer('size in bytes'),
        next_range: integerOrNull('start of the next range, epoch seconds; null if there are no more'),
        ranges: z
          .array(
            z.object({
              from: integer('epoch seconds'),
              duration: integer('seconds'),
            }),
          )
          .describe('recorded ranges without gaps'),
      }),
    )
    .describe('streams with an archive, by name'),
  estimated_count: integer('number of items on this page'),
  next: textOrNull('cursor of the next page; null on the last page'),
  prev: z.null().describe('null: pages can only be read forward'),
});
export type NativeDvrCatalog = z.infer<typeof nativeDvrCatalogSchema>;

/** Job on an archive, such as rebuilding the index or cleaning up. */
export const nativeJobSchema = z.object({
  status: z.enum(['running', 'done', 'stopped', 'error']).describe('status of the job'),
  progress: number('percent, 0 to 100'),
  started_at: integer('start, epoch milliseconds'),
  finished_at: integerOrNull('epoch milliseconds; null while it runs'),
  error: textOrNull('reason of the failure; null without one'),
  blocks: integer('blocks checked, or deleted'),
  bytes: integer('size in bytes'),
  fault_count: integer('number of faulty blocks'),
  faults: z
    .array(
      z.object({
        disk: text('folder of the disk'),
        path: text('path of the block below the disk; empty for the disk itself'),
        kind: text(
          'damaged; missing: on the disk but not in the catalog; gone: in the catalog but not on the disk; different: another time or size; misplaced: of another stream; unread: the system could not read it; uncopied: a copy to another disk failed',
        ),
        detail: text('description'),
      }),
    )
    .describe('at most a thousand'),
});
export type NativeJob = z.infer<typeof nativeJobSchema>;

/** `GET /dvr/hold`: reasons why no limit deletes recordings at present. */
export const nativeHoldSchema = z.object({
  reasons: z
    .array(
      z.object({
        reason: z
          .enum(['clock', 'locks', 'catalog', 'state'])
          .describe(
            'clock: the clock of the machine jumped; locks: the database with the locks was lost or is outdated; catalog: the catalog of recordings was lost and is being rebuilt; state: the file that records both was lost',
          ),
        since: integer('epoch milliseconds'),
        jump: numberOrNull('for `clock`: distance of the jump in seconds, negative if set back'),
        restored: integerOrNull('for `locks`: number of locks and episodes restored from copies on the disks'),
        unread: integerOrNull(
          'for `catalog`: number of disks and blocks that could not be read during the rebuild; null while it is running',
        ),
      }),
    )
    .describe('empty if limits delete as usual'),
});
export type NativeHold = z.infer<typeof nativeHoldSchema>;

/** `GET /keys/hold`: missing key files that stored data still need. */
export const nativeKeyHoldSchema = z.object({
  files: z.array(z.string()).describe('names of files in the data folder'),
});

/** `GET /auth`: kinds of access to the APIs, and the caller's own access. Never contains names or passwords. */
export const nativeAuthSchema = z.object({
  edit_auth: flag('whether a login for changes is configured'),
  view_auth: flag('whether a login for reading is configured'),
  api_auth: flag('whether a login for the streamer APIs is configured'),
  local_only: flag("whether changes are accepted from the server's own machine only"),
  backends: z.array(z.string()).describe('names of the authorization backends; empty for a token with a prefix'),
  has_auth_backend: flag('whether a backend authorizes all sessions'),
  caller: z
    .object({
      who: text('kind or name of the caller'),
      may_read: flag('whether the caller may read'),
      may_operate: flag('whether the caller may control running streams: restart them, select inputs, end sessions'),
      may_write: flag('whether the caller may change the configuration'),
      prefixes: z
        .array(z.string())
        .nullable()
        .describe('name prefixes of the streams that the caller may see and control; null for all'),
      address: text('address of the caller'),
    })
    .describe('the caller'),
});
export type NativeAuth = z.infer<typeof nativeAuthSchema>;

/** `GET /license/status`. */
export const nativeLicenseSchema = z.object({
  status: z.literal('not_required').describe('no licence is needed to run the server'),
  license: text('SPDX name of the licence of the program'),
  version: text('version of the program'),
});
export type NativeLicense = z.infer<typeof nativeLicenseSchema>;

/** `GET /rproxy/streampoint-agents`. */
export const nativeAgentsSchema = z.object({
  agents: z
    .array(z.object({ id: text('unique'), key: text('key of the agent') }))
    .describe('agents of the gateway; empty in this version'),
  ...WHOLE,
});
export type NativeAgents = z.infer<typeof nativeAgentsSchema>;
