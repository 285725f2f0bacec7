import { z } from 'zod';
import { streamStatsSchema } from './stream-object.ts';

/** What stands around the items of a list that is told whole. */
const WHOLE = { estimated_count: z.number().int(), next: z.null(), prev: z.null() };

/** An address that the server listens on. */
const nativeListenerSchema = z.object({
  protocol: z.enum(['http', 'https', 'rtmp', 'rtmps']),
  host: z.string().nullable().describe('null: all addresses of the machine'),
  port: z.number().int(),
});

/** `GET /listeners`. */
export const nativeListenersSchema = z.object({ listeners: z.array(nativeListenerSchema), ...WHOLE });
export type NativeListeners = z.infer<typeof nativeListenersSchema>;

/** A stream without its configuration. */
export const nativeStreamStatsSchema = z.object({
  name: z.string(),
  named_by: z.enum(['config', 'user', 'remote', 'external']),
  position: z.number().int(),
  stats: streamStatsSchema,
});

/** `GET /streams/stats` and `GET /streams-stats`. */
export const nativeStreamStatsListSchema = z.object({
  streams: z.array(nativeStreamStatsSchema.partial().extend({ stats: streamStatsSchema.partial().optional() })),
  next: z.string().nullable(),
  prev: z.string().nullable(),
  estimated_count: z.number().int(),
  timing: z.record(z.string(), z.number()),
});

const countsSchema = z.record(z.string(), z.number().int());

/** `GET /sessions/stats`. */
export const nativeSessionStatsSchema = z.object({
  session_count: z.number().int().describe('open sessions'),
  stream_count: z.number().int().describe('streams and files that somebody plays'),
  ip_count: z.number().int().describe('addresses that sessions come from'),
  bytes: z.number().int().describe('delivered to open sessions so far'),
  by_proto: countsSchema.describe('open sessions by protocol'),
  by_status: countsSchema.describe('open sessions by status'),
  total_clients: z.number().int().describe('viewers as the server counts them'),
  output_kbit: z.number().int(),
});
export type NativeSessionStats = z.infer<typeof nativeSessionStatsSchema>;

/** Metrics as JSON, for those who ask for it instead of the Prometheus text. */
export const nativeMetricsSchema = z.object({
  metrics: z.array(
    z.object({
      name: z.string(),
      help: z.string(),
      type: z.enum(['gauge', 'counter']),
      values: z.array(z.object({ labels: z.record(z.string(), z.string()), value: z.number() })),
    }),
  ),
});

/** `GET /dvr/catalog`: what is recorded, by stream. */
export const nativeDvrCatalogSchema = z.object({
  streams: z.array(
    z.object({ name: z.string(), ranges: z.array(z.object({ from: z.number().int(), duration: z.number().int() })) }),
  ),
  ...WHOLE,
});
export type NativeDvrCatalog = z.infer<typeof nativeDvrCatalogSchema>;

/** A job on an archive: rebuilding the index, cleaning up. */
export const nativeJobSchema = z.object({
  status: z.enum(['running', 'done', 'stopped', 'error']),
  progress: z.number().describe('0 to 100'),
  started_at: z.number().int().describe('epoch milliseconds'),
  finished_at: z.number().int().nullable().describe('epoch milliseconds; null while it runs'),
  error: z.string().nullable(),
});

/** `GET /auth`: who may use the APIs, and who is asking. Never names or passwords. */
export const nativeAuthSchema = z.object({
  edit_auth: z.boolean().describe('whether a login for changes is configured'),
  view_auth: z.boolean().describe('whether a login for reading is configured'),
  api_auth: z.boolean().describe('whether a login for the streamer APIs is configured'),
  local_only: z.boolean().describe('whether changes are taken from the machine of the server only'),
  backends: z.array(z.string()).describe('names of the backends that decide about sessions'),
  is_play_asked: z.boolean().describe('whether a backend is asked about all sessions'),
  caller: z.object({ who: z.string(), may_read: z.boolean(), may_write: z.boolean(), address: z.string() }),
});
export type NativeAuth = z.infer<typeof nativeAuthSchema>;

/** `GET /license/status`. */
export const nativeLicenseSchema = z.object({
  status: z.literal('not_required'),
  license: z.string().describe('SPDX name of the licence of the program'),
  version: z.string(),
});
export type NativeLicense = z.infer<typeof nativeLicenseSchema>;

/** `GET /rproxy/streampoint-agents`. */
export const nativeAgentsSchema = z.object({
  agents: z.array(z.object({ id: z.string(), key: z.string() })),
  ...WHOLE,
});
export type NativeAgents = z.infer<typeof nativeAgentsSchema>;
