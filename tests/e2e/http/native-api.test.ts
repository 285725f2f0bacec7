import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  nativeAgentsSchema,
  nativeAuthSchema,
  nativeDvrCatalogSchema,
  nativeJobSchema,
  nativeLicenseSchema,
  nativeListenersSchema,
  nativeMetricsSchema,
  nativeSessionStatsSchema,
  nativeStreamStatsListSchema,
} from '../../../src-preload/contract/api/native.ts';
import { nativeDvrListSchema } from '../../../src-main/api/native/list-endpoints.ts';
import { blockSchema } from '../../../src-main/api/objects/config-objects.ts';
import { streamObjectSchema } from '../../../src-main/api/objects/stream-schemas.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { AnswerCheck } from '../../helpers/answer-check.ts';
import { readPrometheus } from '../../helpers/prometheus-text.ts';
import { until } from '../../helpers/until.ts';

const PREFIX = '/streamer/api-v4';
const CONFIG =
  'stream north/cam { input fake:// width=320 height=180; } stream quiet { input publish://; dvr @main 7d; } dvr main { root /mnt/archive; }';

let server: AirdeskProcess;
let check: AnswerCheck;

beforeAll(async () => {
  server = await AirdeskProcess.start(CONFIG);
  await server.streamWhere(
    'north/cam',
    'frames',
    ({ alive, media_info: media }) => alive && media !== null && media.streams.length === 2,
  );
  await server.text('/north/cam/index.m3u8');
  check = AnswerCheck.of(await (await fetch(`${server.url}/mediaserver/api/v3/schema`)).text());
});
afterAll(() => server?.dispose());

/** Request whose reply is compared with the OpenAPI document. */
async function request(
  method: string,
  path: string,
  accept = '*/*',
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${server.url}${PREFIX}${path}`, { method, headers: { accept } });
  const type = response.headers.get('content-type');
  const text = await response.text();
  const body: unknown = type?.startsWith('application/json') ? JSON.parse(text) : text;
  check.verify(method, `${PREFIX}${path}`, response.status, type, body);
  return { status: response.status, body };
}

interface Row {
  /** Row of the table in the specification. */
  readonly row: string;
  readonly path?: string;
  readonly accept?: string;
  readonly status?: number;
  /** Schema of the reply; undefined for Prometheus text. */
  readonly schema?: z.ZodType;
  readonly like?: object;
}

const listOf = <K extends string>(name: K, schema: z.ZodType): z.ZodType =>
  nativeStreamStatsListSchema
    .omit({ streams: true })
    .extend({ [name]: schema.array() })
    .strict();
const METRICS = { schema: nativeMetricsSchema.strict(), accept: 'application/json' } as const;

/** Every row of the native API. */
const ROWS: readonly Row[] = [
  {
    row: 'GET /listeners',
    schema: nativeListenersSchema.strict(),
    like: {
      listeners: [
        { protocol: 'http', host: '127.0.0.1' },
        { protocol: 'rtmp', host: '127.0.0.1' },
      ],
      estimated_count: 2,
    },
  },
  {
    row: 'GET /streams',
    schema: listOf('streams', streamObjectSchema.strict()),
    like: { streams: [{ name: 'north/cam', stats: { alive: true } }, { name: 'quiet' }] },
  },
  {
    row: 'GET /streams/{name}',
    path: '/streams/north%2Fcam',
    schema: streamObjectSchema.strict(),
    like: { name: 'north/cam', stats: { status: 'running', media_info: { width: 320 } } },
  },
  { row: 'GET /streams/{name}', path: '/streams/nobody', status: 404, like: { error: 'stream_not_found' } },
  {
    row: 'GET /streams/stats',
    schema: nativeStreamStatsListSchema.strict(),
    like: {
      streams: [
        { name: 'north/cam', stats: { alive: true } },
        { name: 'quiet', stats: { alive: false } },
      ],
    },
  },
  {
    row: 'GET /streams-stats',
    path: '/streams-stats?stats.alive=true',
    schema: nativeStreamStatsListSchema.strict(),
    like: { estimated_count: 1 },
  },
  { row: 'GET /sessions/stats', schema: nativeSessionStatsSchema.strict(), like: { by_proto: { hls: 1 } } },
  { row: 'GET /live-metrics' },
  { row: 'GET /live-metrics', ...METRICS },
  { row: 'GET /sessions-metrics' },
  { row: 'GET /sessions-metrics', ...METRICS },
  {
    row: 'GET /dvr',
    schema: nativeDvrListSchema.extend({ dvrs: blockSchema('dvrs').strict().array() }).strict(),
    like: {
      dvrs: [{ name: 'main', root: '/mnt/archive', stats: { streams: 0, recording: 0 } }],
      stats: { storages: 1, streams_configured: 1, is_listed: true },
    },
  },
  { row: 'GET /dvr/catalog', schema: nativeDvrCatalogSchema.strict(), like: { streams: [] } },
  { row: 'GET /dvr/metrics' },
  { row: 'GET /dvr/metrics', ...METRICS },
  { row: 'GET /dvr/rebuild-index', status: 404, like: { error: 'job_not_found' } },
  { row: 'DELETE /dvr/rebuild-index', status: 404, like: { error: 'job_not_found' } },
  { row: 'POST /dvr/rebuild-index', schema: nativeJobSchema.strict(), like: { status: 'running' } },
  { row: 'GET /dvr/rebuild-index', schema: nativeJobSchema.strict() },
  { row: 'GET /dvr/cleanup', status: 404, like: { error: 'job_not_found' } },
  { row: 'POST /dvr/cleanup', schema: nativeJobSchema.strict(), like: { status: 'running' } },
  { row: 'GET /runtime/metrics' },
  {
    row: 'GET /auth',
    schema: nativeAuthSchema.strict(),
    like: { edit_auth: false, local_only: true, caller: { may_write: true, address: '127.0.0.1' } },
  },
  { row: 'GET /license/status', schema: nativeLicenseSchema.strict(), like: { status: 'not_required' } },
  { row: 'GET /rproxy/streampoint-agents', schema: nativeAgentsSchema.strict(), like: { agents: [] } },
];

/** Table of the specification, with the requests that it mentions without an example. */
const SPECIFIED = [
  ...[
    '/listeners',
    '/streams',
    '/streams/{name}',
    '/streams/stats',
    '/streams-stats',
    '/sessions/stats',
    '/live-metrics',
    '/sessions-metrics',
    '/dvr',
    '/dvr/catalog',
    '/dvr/metrics',
    '/dvr/rebuild-index',
    '/dvr/cleanup',
    '/runtime/metrics',
    '/auth',
    '/license/status',
    '/rproxy/streampoint-agents',
  ].map((path) => `GET ${path}`),
  'POST /dvr/rebuild-index',
  'DELETE /dvr/rebuild-index',
  'POST /dvr/cleanup',
];

describe('the native API', () => {
  it.each(ROWS)(
    'answers $row $path',
    async ({ row, path = row.replace(/^\w+ /, ''), accept, status = 200, schema, like }) => {
      const answer = await request(row.split(' ')[0] ?? '', path, accept);
      expect(answer.status).toBe(status);
      if (schema) expect(schema.safeParse(answer.body).error?.issues).toBeUndefined();
      else if (status === 200) expect(readPrometheus(String(answer.body)).size).toBeGreaterThan(0);
      if (like) expect(answer.body).toMatchObject(like);
    },
  );

  it('is tested with every row of the table', () => {
    expect([...new Set(ROWS.map(({ row }) => row))].sort()).toEqual([...SPECIFIED].sort());
  });

  it('reports the activity of the last second', async () => {
    const figures = async (path: string, name: string): Promise<ReturnType<typeof readPrometheus>> =>
      until(
        'figures of the last second',
        async () => {
          const read = readPrometheus(String((await request('GET', path)).body));
          return (read.get(name)?.samples[0]?.value ?? 0) > 10_000 ? read : undefined;
        },
        20_000,
      );
    const metrics = await figures('/runtime/metrics', 'airdesk_input_bits_per_second');
    const value = (name: string): number => metrics.get(name)?.samples[0]?.value ?? NaN;
    expect(value('airdesk_streams')).toBe(2);
    expect(value('airdesk_streams_alive')).toBe(1);
    expect(value('airdesk_received_bytes_total')).toBeGreaterThan(1000);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(20_000_000);
    const threads = metrics.get('airdesk_thread_cpu_ratio')?.samples ?? [];
    expect(threads.map(({ labels }) => labels['thread'])).toEqual([
      'server',
      'media-0',
      ...threads.slice(2).map((_, index) => `media-${index + 1}`),
    ]);
    expect(threads.every(({ value: share }) => share >= 0 && share <= 1.5)).toBe(true);
    const live = await figures('/live-metrics', 'airdesk_stream_input_bits_per_second');
    expect(live.get('airdesk_stream_alive')?.samples).toEqual([
      { labels: { name: 'north/cam' }, value: 1 },
      { labels: { name: 'quiet' }, value: 0 },
    ]);
    expect(live.get('airdesk_stream_input_bits_per_second')?.samples[0]?.labels).toEqual({ name: 'north/cam' });
  });
});
