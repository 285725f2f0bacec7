import { z } from 'zod';
import { PORTION } from './api-parts.ts';
import { dvrObjectSchema, dvrTotalsSchema } from './dvr-object.ts';
import { streamStatsSchema } from './stream-object.ts';

/** Fields of a list answer that is not paged. */
const WHOLE = {
  estimated_count: z.number().int().describe('items of the list'),
  next: z.null().describe('null: the list is whole'),
  prev: z.null().describe('null: the list is whole'),
};

/** An address that the server listens on. */
const nativeListenerSchema = z.object({
  protocol: z.enum(['http', 'https', 'rtmp', 'rtmps']).describe('what is spoken there'),
  host: z.string().nullable().describe('null: all addresses of the machine'),
  port: z.number().int().describe('TCP port'),
});

/** `GET /listeners`. */
export const nativeListenersSchema = z.object({
  listeners: z.array(nativeListenerSchema).describe('addresses that the server listens on'),
  ...WHOLE,
});
export type NativeListeners = z.infer<typeof nativeListenersSchema>;

/** A stream without its configuration. */
export const nativeStreamStatsSchema = z.object({
  name: z.string().describe('unique name of the stream'),
  named_by: z
    .enum(['config', 'user', 'remote', 'external'])
    .describe(
      'config: in the configuration; user: published under a live prefix; the others do not occur in this version',
    ),
  position: z.number().int().describe('place in lists'),
  stats: streamStatsSchema.describe('state of the stream at the moment'),
});

/** `GET /streams/stats` and `GET /streams-stats`. */
export const nativeStreamStatsListSchema = z.object({
  streams: z
    .array(
      nativeStreamStatsSchema
        .partial()
        .extend({ stats: streamStatsSchema.partial().optional().describe('state of the stream at the moment') }),
    )
    .describe('streams, or the fields of them that select names'),
  ...PORTION,
});

const countsSchema = z.record(z.string(), z.number().int());

/** `GET /sessions/stats`. */
export const nativeSessionStatsSchema = z.object({
  session_count: z.number().int().describe('open sessions'),
  stream_count: z.number().int().describe('streams and files that are being played'),
  ip_count: z.number().int().describe('addresses that sessions come from'),
  bytes: z.number().int().describe('delivered to open sessions so far'),
  by_proto: countsSchema.describe('open sessions by protocol'),
  by_status: countsSchema.describe('open sessions by status'),
  total_clients: z.number().int().describe('viewers as the server counts them'),
  output_kbit: z.number().int().describe('kbit/s to all viewers'),
});
export type NativeSessionStats = z.infer<typeof nativeSessionStatsSchema>;

/** Metrics as JSON, for clients that ask for JSON instead of the Prometheus text format. */
export const nativeMetricsSchema = z.object({
  metrics: z
    .array(
      z.object({
        name: z.string().describe('name of the metric'),
        help: z.string().describe('what it measures'),
        type: z.enum(['gauge', 'counter']).describe('counters only grow'),
        values: z
          .array(
            z.object({
              labels: z.record(z.string(), z.string()).describe('what is measured, by name of the label'),
              value: z.number().describe('the figure, in the unit that the name ends with'),
            }),
          )
          .describe('one for each set of labels'),
      }),
    )
    .describe('all metrics'),
});

/** `GET /dvr`. */
export const nativeDvrListSchema = z.object({
  dvrs: z.array(dvrObjectSchema.partial()).describe('storages, or the fields of them that select names'),
  ...PORTION,
  stats: dvrTotalsSchema.nullable().describe('how all archives do together'),
});

/** `GET /dvr/catalog`: recorded ranges by stream. */
export const nativeDvrCatalogSchema = z.object({
  streams: z
    .array(
      z.object({
        name: z.string().describe('the stream'),
        blocks: z.number().int().describe('files that are finished'),
        bytes: z.number().int().describe('how much they have'),
        next_range: z
          .number()
          .int()
          .nullable()
          .describe('begin of the next range, epoch seconds; null where there is none'),
        ranges: z
          .array(
            z.object({
              from: z.number().int().describe('epoch seconds'),
              duration: z.number().int().describe('seconds'),
            }),
          )
          .describe('what is recorded without a gap'),
      }),
    )
    .describe('streams with an archive, in the order of their names'),
  estimated_count: z.number().int().describe('items of this portion'),
  next: z.string().nullable().describe('cursor of the next portion; null where there is none'),
  prev: z.null().describe('null: portions are read forwards'),
});
export type NativeDvrCatalog = z.infer<typeof nativeDvrCatalogSchema>;

/** Job on an archive, such as rebuilding the index or cleaning up. */
export const nativeJobSchema = z.object({
  status: z.enum(['running', 'done', 'stopped', 'error']).describe('how the job does'),
  progress: z.number().describe('percent, 0 to 100'),
  started_at: z.number().int().describe('when it began, epoch milliseconds'),
  finished_at: z.number().int().nullable().describe('epoch milliseconds; null while it runs'),
  error: z.string().nullable().describe('why it failed; null where it did not'),
  blocks: z.number().int().describe('blocks that were looked at, or deleted'),
  bytes: z.number().int().describe('how much'),
  fault_count: z.number().int().describe('blocks that are not as they should be'),
  faults: z
    .array(
      z.object({
        disk: z.string().describe('folder of the disk'),
        path: z.string().describe('the block, below it; empty for the disk itself'),
        kind: z
          .string()
          .describe(
            'damaged; missing: the disk has it and the catalog has not; gone: the other way round; different: another time or size; misplaced: of another stream; unread: the system did not read it; uncopied: it is to be on another disk and could not be copied',
          ),
        detail: z.string().describe('what is wrong, in words'),
      }),
    )
    .describe('the first thousand of them'),
});
export type NativeJob = z.infer<typeof nativeJobSchema>;

/** `GET /dvr/hold`: reasons why limits delete nothing from archives at present. */
export const nativeHoldSchema = z.object({
  reasons: z
    .array(
      z.object({
        reason: z
          .enum(['clock', 'locks', 'catalog', 'state'])
          .describe(
            'clock: the clock of the machine jumped; locks: the database with the locks was lost or is an older one; catalog: the catalog of recordings was lost and is made again; state: the file that remembers both was lost',
          ),
        since: z.number().int().describe('epoch milliseconds'),
        jump: z.number().nullable().describe('of `clock`: how far it jumped, in seconds, below 0 when it was set back'),
        restored: z
          .number()
          .int()
          .nullable()
          .describe('of `locks`: how many locks and episodes were restored from the copies on the disks'),
        unread: z
          .number()
          .int()
          .nullable()
          .describe(
            'of `catalog`: disks and blocks that could not be read when it was made again; null while it is being made',
          ),
      }),
    )
    .describe('empty where archives are cleaned as usual'),
});
export type NativeHold = z.infer<typeof nativeHoldSchema>;

/** `GET /keys/hold`: missing key files that stored data still need. */
export const nativeKeyHoldSchema = z.object({
  files: z.array(z.string()).describe('names of files in the data folder'),
});

/** `GET /auth`: kinds of access to the APIs, and the caller's own access. Never contains names or passwords. */
export const nativeAuthSchema = z.object({
  edit_auth: z.boolean().describe('whether a login for changes is configured'),
  view_auth: z.boolean().describe('whether a login for reading is configured'),
  api_auth: z.boolean().describe('whether a login for the streamer APIs is configured'),
  local_only: z.boolean().describe('whether changes are taken from the machine of the server only'),
  backends: z
    .array(z.string())
    .describe('names of the backends that decide about sessions; empty for a token with a prefix'),
  is_play_asked: z.boolean().describe('whether a backend is asked about all sessions'),
  caller: z
    .object({
      who: z.string().describe('kind or name of the caller'),
      may_read: z.boolean().describe('whether the caller may look'),
      may_operate: z
        .boolean()
        .describe('whether the caller may act on what runs: restart streams, choose inputs, end sessions'),
      may_write: z.boolean().describe('whether the caller may change things'),
      prefixes: z
        .array(z.string())
        .nullable()
        .describe('the streams that the caller sees and acts on, with all below them; null for all'),
      address: z.string().describe('address that the request came from'),
    })
    .describe('the caller'),
});
export type NativeAuth = z.infer<typeof nativeAuthSchema>;

/** `GET /license/status`. */
export const nativeLicenseSchema = z.object({
  status: z.literal('not_required').describe('no licence is needed to run it'),
  license: z.string().describe('SPDX name of the licence of the program'),
  version: z.string().describe('version of the program'),
});
export type NativeLicense = z.infer<typeof nativeLicenseSchema>;

/** `GET /rproxy/streampoint-agents`. */
export const nativeAgentsSchema = z.object({
  agents: z
    .array(z.object({ id: z.string().describe('unique'), key: z.string().describe('what it connects with') }))
    .describe('agents of the gateway; empty in this version'),
  ...WHOLE,
});
export type NativeAgents = z.infer<typeof nativeAgentsSchema>;
