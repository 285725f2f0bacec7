import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiStage, testSession } from '../../../tests/helpers/api-stage.ts';
import { spliceInsert } from '../../../tests/helpers/splice-sections.ts';
import { readPrometheus } from '../../../tests/helpers/prometheus-text.ts';
import { until } from '../../../tests/helpers/until.ts';
import {
  nativeAuthSchema,
  nativeDvrCatalogSchema,
  nativeJobSchema,
  nativeMetricsSchema,
  nativeSessionStatsSchema,
  nativeStreamStatsListSchema,
} from '../../../src-preload/contract/api/native.ts';
import { splicesSchema } from '../../../src-preload/contract/api/splice-object.ts';
import { nativeDvrListSchema } from './list-endpoints.ts';
import { streamObjectSchema } from '../objects/stream-schemas.ts';
import { prefersJson } from './metrics-answer.ts';
import { nativeApi } from './native-api.ts';

let stage: ApiStage;

beforeAll(async () => {
  stage = await ApiStage.start(
    'edit_auth boss hidden; stream cam { input fake://; } stream live/gate { input publish://; dvr /mnt/archive 7d; } dvr main { root /mnt/archive; disk a keep; } auth_backend north { backend http://127.0.0.1:9/a; }',
    nativeApi,
  );
  stage.feed({ bytesIn: 1000 });
  await stage.pass(1000);
  stage.feed({ bytesIn: 126_000 });
  await stage.pass(1000);
  for (const [id, name, proto] of [
    ['1', 'cam', 'hls'],
    ['2', 'cam', 'dash'],
    ['3', 'live/gate', 'hls'],
  ] as const)
    stage.sessions.set(id, testSession(id, name, { proto }));
});
afterAll(() => stage.close());

function get(path: string, accept?: string): ReturnType<ApiStage['request']> {
  return stage.request('GET', `/streamer/api-v4${path}`, undefined, accept === undefined ? {} : { accept });
}

describe('splice points in the native API', () => {
  it('are listed with their decoded sections', async () => {
    expect((await get('/splices/cam')).body).toEqual({ splices: [], estimated_count: 0, next: null, prev: null });
    const section = Buffer.from(spliceInsert({ ptsTicks: 90_000, eventId: 12 })).toString('base64');
    const splice = { kind: 'out', eventId: 12, durationMs: 30_000, atMs: stage.clock.now() + 5000, section } as const;
    stage.streams.get('cam')?.run?.apply([{ type: 'splice', ...splice }]);
    const { status, body } = await get('/splices/cam');
    expect(status).toBe(200);
    expect(splicesSchema.parse(body)).toMatchObject({
      splices: [{ at: splice.atMs, kind: 'out', command: 'splice_insert', event_id: 12, pts: 90_000, section }],
      estimated_count: 1,
    });
    expect((await get('/splices/live/gate')).status).toBe(200);
    expect((await get('/splices/none')).status).toBe(404);
  });
});

describe('streams in the native API', () => {
  it('are listed as in the collection API, with the same query parameters', async () => {
    const { body } = await get('/streams?sort=-name&limit=1&select=name,stats.alive');
    expect(body).toMatchObject({
      streams: [{ name: 'live/gate', stats: { alive: false } }],
      estimated_count: 2,
      prev: null,
    });
    const { next } = body as { readonly next: string };
    expect(
      (await get(`/streams?sort=-name&limit=1&select=name&cursor=${encodeURIComponent(next)}`)).body,
    ).toMatchObject({ streams: [{ name: 'cam' }], next: null });
    expect((await get('/streams?nothing=1')).status).toBe(400);
  });

  it.each(['live/gate', 'live%2Fgate'])('are found by their name as %s', async (name) => {
    expect(streamObjectSchema.parse((await get(`/streams/${name}`)).body)).toMatchObject({
      name: 'live/gate',
      named_by: 'config',
      stats: { running: false },
    });
  });

  it('that do not exist result in 404', async () => {
    expect(await get('/streams/nobody')).toMatchObject({ status: 404, body: { error: 'stream_not_found' } });
  });

  it.each(['/streams/stats', '/streams-stats'])(
    'are listed with their state, but without their configuration, at %s',
    async (path) => {
      const { streams } = nativeStreamStatsListSchema.parse((await get(path)).body);
      expect(streams.map(({ name, stats }) => [name, stats?.alive])).toEqual([
        ['cam', true],
        ['live/gate', false],
      ]);
      expect(Object.keys(streams[0] ?? {})).toEqual(['name', 'named_by', 'position', 'stats']);
      expect((await get(`${path}?stats.alive=true&select=stats.bytes_in`)).body).toMatchObject({
        streams: [{ stats: { bytes_in: 126_000 } }],
        estimated_count: 1,
      });
    },
  );

  it('are counted for each archive storage', async () => {
    expect((await get('/dvr')).body).toMatchObject({
      dvrs: [{ name: 'main', root: '/mnt/archive', disks: [{ path: 'a', mode: 'keep', stats: null }], stats: null }],
      estimated_count: 1,
      stats: { status: 'unknown', is_listed: true, storages: 0, streams_configured: 1, jobs: { rebuild: null } },
    });
    stage.archive.storages = [
      { name: 'main', maxUsedPercent: 100, disks: [{ path: 'a', folder: '/a', isWritten: false }] },
    ];
    await stage.archive.watchDisks();
    const space = { size: 1e12, free: 5e11, usage: 50 };
    const disk = { status: 'ok', error: null, mounted: false, ...space, queue_bytes: 0, migration_speed: null };
    const { body } = await get('/dvr');
    expect(nativeDvrListSchema.parse(body)).toMatchObject({
      dvrs: [
        { disks: [{ path: 'a', stats: disk }], stats: { status: 'ok', ...space, streams: 0, drop_write_count: 0 } },
      ],
      stats: { status: 'ok', storages: 1 },
    });
    expect((await get('/dvr?stats.status=error')).body).toMatchObject({ dvrs: [] });
  });

  it('have metrics of their archive storages and disks', async () => {
    const metrics = readPrometheus(String((await get('/dvr/metrics')).body));
    const labels = { storage: 'main', disk: 'a' };
    expect(metrics.get('airdesk_dvr_disk_up')?.samples).toEqual([{ labels, value: 1 }]);
    expect(metrics.get('airdesk_dvr_disk_free_bytes')?.samples).toEqual([{ labels, value: 5e11 }]);
    expect(metrics.get('airdesk_dvr_disk_write_seconds_total')?.samples).toEqual([{ labels, value: 0 }]);
    expect(metrics.get('airdesk_dvr_holes_total')?.samples).toEqual([
      { labels: { storage: 'main' }, value: 0 },
      { labels: { storage: '' }, value: 0 },
    ]);
    expect(metrics.get('airdesk_dvr_streams_configured')?.samples[0]?.value).toBe(1);
    // The number of disks with their own series is limited.
    const all = Array.from({ length: 1200 }, (_, index) => ({ path: `d${index}`, folder: null, isWritten: true }));
    stage.archive.storages = [{ name: 'main', maxUsedPercent: 100, disks: all }];
    const many = readPrometheus(String((await get('/dvr/metrics')).body));
    expect(many.get('airdesk_dvr_disk_up')?.samples.length).toBe(1001);
    expect(many.get('airdesk_dvr_disks')?.samples[0]?.value).toBe(1200);
    stage.archive.storages = [];
  });
});

describe('metrics of the native API', () => {
  it('of the process have the Prometheus text format', async () => {
    const { status, body, type } = await get('/runtime/metrics');
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const metrics = readPrometheus(String(body));
    const value = (name: string): number | undefined => metrics.get(name)?.samples[0]?.value;
    expect(value('airdesk_streams')).toBe(2);
    expect(value('airdesk_streams_alive')).toBe(1);
    expect(value('airdesk_received_bytes_total')).toBe(126_000);
    expect(value('airdesk_input_bits_per_second')).toBeGreaterThan(100_000);
    expect(metrics.get('airdesk_sessions')?.samples).toEqual([
      { labels: { proto: 'hls' }, value: 2 },
      { labels: { proto: 'dash' }, value: 1 },
    ]);
    expect([value('airdesk_http_connections'), value('airdesk_http_connections_limit')]).toEqual([3, 20_000]);
    expect([value('airdesk_rtmp_connections'), value('airdesk_rtmp_connections_limit')]).toEqual([2, 2000]);
    expect([value('process_open_fds'), value('process_max_fds')]).toEqual([40, 1024]);
    expect(metrics.get('airdesk_http_connections_refused_total')?.samples).toEqual([
      { labels: { reason: 'address' }, value: 2 },
    ]);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(metrics.get('airdesk_thread_cpu_ratio')?.samples.map(({ labels }) => labels)).toEqual([
      { thread: 'server' },
    ]);
    stage.stats.thread({ index: 0, load: 0.25, publishers: 2, evictedInputs: 3, refusedConnections: 5 });
    const again = readPrometheus(String((await get('/runtime/metrics')).body));
    expect(again.get('airdesk_thread_cpu_ratio')?.samples).toContainEqual({
      labels: { thread: 'media-0' },
      value: 0.25,
    });
    expect(again.get('airdesk_thread_publishers')?.samples).toEqual([{ labels: { thread: 'media-0' }, value: 2 }]);
    expect(again.get('airdesk_inputs_evicted_total')?.samples).toEqual([{ labels: { thread: 'media-0' }, value: 3 }]);
    expect(again.get('airdesk_rtmp_connections_refused_total')?.samples).toEqual([
      { labels: { thread: 'media-0' }, value: 5 },
    ]);
    // Counters continue; repeated requests do not add values twice.
    expect(again.get('airdesk_received_bytes_total')?.samples[0]?.value).toBe(126_000);
  });

  it('of the process have delays of the event loop since the last scrape, if that was recent', async () => {
    const scraped = await ApiStage.start('', nativeApi);
    const lag = async (): Promise<number | undefined> => {
      const { body } = await scraped.request('GET', '/streamer/api-v4/runtime/metrics');
      return readPrometheus(String(body)).get('nodejs_eventloop_lag_p99_seconds')?.samples[0]?.value;
    };
    expect(await lag()).toBeUndefined();
    expect(await until('measured delay', lag, 5000)).toBeGreaterThanOrEqual(0);
    scraped.clock.advance(5 * 60_000);
    expect(await lag()).toBeUndefined();
    await scraped.close();
  });

  it('of streams have the names of the streams as labels', async () => {
    const metrics = readPrometheus(String((await get('/live-metrics')).body));
    expect(metrics.get('airdesk_stream_alive')?.samples).toEqual([
      { labels: { name: 'cam' }, value: 1 },
      { labels: { name: 'live/gate' }, value: 0 },
    ]);
    expect(metrics.get('airdesk_stream_frame_age_seconds')?.samples).toEqual([{ labels: { name: 'cam' }, value: 1 }]);
    expect(metrics.get('airdesk_stream_received_bytes_total')?.type).toBe('counter');
  });

  it('of sessions count sessions by protocol and stream', async () => {
    const metrics = readPrometheus(String((await get('/sessions-metrics')).body));
    expect(metrics.get('airdesk_sessions')?.samples).toEqual([
      { labels: { proto: 'hls' }, value: 2 },
      { labels: { proto: 'dash' }, value: 1 },
    ]);
    expect(metrics.get('airdesk_stream_sessions')?.samples).toContainEqual({
      labels: { name: 'live/gate', proto: 'hls' },
      value: 1,
    });
    expect(metrics.get('airdesk_session_addresses')?.samples).toEqual([{ labels: {}, value: 1 }]);
  });

  it.each(['/live-metrics', '/sessions-metrics', '/dvr/metrics'])(
    'are text, or JSON for clients that request it: %s',
    async (path) => {
      const text = readPrometheus(String((await get(path)).body));
      const { body, type } = await get(path, 'application/json');
      expect(type).toContain('application/json');
      expect(nativeMetricsSchema.parse(body).metrics.map(({ name, values }) => [name, values.length])).toEqual(
        [...text].map(([name, { samples }]) => [name, samples.length]),
      );
    },
  );

  it.each([
    [undefined, false],
    ['*/*', false],
    ['application/json', true],
    ['text/plain, application/json', false],
    ['application/json, text/plain;q=0.5', true],
    ['application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1', false],
    ['application/*;q=0.9, text/*;q=0.2', true],
    ['application/json;q=x', false],
  ])('with Accept %s are JSON: %s', (accept, isJson) => {
    expect(prefersJson(accept)).toBe(isJson);
  });
});

describe('the server in the native API', () => {
  it('lists its ports', async () => {
    expect((await get('/listeners')).body).toEqual({
      listeners: [{ protocol: 'http', host: null, port: 80 }],
      estimated_count: 1,
      next: null,
      prev: null,
    });
  });

  it('shows configured logins without secrets', async () => {
    const { body } = await get('/auth');
    expect(nativeAuthSchema.strict().parse(body)).toEqual({
      edit_auth: true,
      view_auth: false,
      api_auth: false,
      local_only: false,
      backends: ['north'],
      has_auth_backend: false,
      caller: {
        who: 'test',
        may_read: true,
        may_operate: true,
        may_write: true,
        prefixes: null,
        address: '127.0.0.1',
      },
    });
    expect(JSON.stringify(body)).not.toMatch(/hidden|boss/);
  });

  it('summarizes its sessions', async () => {
    expect(nativeSessionStatsSchema.strict().parse((await get('/sessions/stats')).body)).toMatchObject({
      session_count: 3,
      stream_count: 2,
      ip_count: 1,
      bytes: 37_035,
      by_proto: { hls: 2, dash: 1 },
      by_status: { running: 3 },
    });
  });
});

describe('archives in the native API', () => {
  it('are listed by stream, in pages', async () => {
    const empty = { streams: [], estimated_count: 0, next: null, prev: null };
    expect((await get('/dvr/catalog')).body).toEqual(empty);
    const { store } = stage.archive;
    for (const [name, from] of [
      ['cam', 0],
      ['cam', 90_000],
      ['gone', 0],
      ['zoo', 0],
    ] as const)
      store.addRange(name, 1_800_000_000_000 + from, 1_800_000_060_000 + from);
    const first = nativeDvrCatalogSchema.parse((await get('/dvr/catalog?limit=2')).body);
    const range = { from: 1_800_000_000, duration: 60 };
    expect(first).toMatchObject({
      estimated_count: 3,
      streams: [
        { name: 'cam', blocks: 2, bytes: 2, next_range: null, ranges: [range, { from: 1_800_000_090, duration: 60 }] },
        { name: 'gone', blocks: 1, bytes: 1, ranges: [range] },
      ],
    });
    const second = nativeDvrCatalogSchema.parse((await get(`/dvr/catalog?cursor=${first.next ?? ''}`)).body);
    expect(second.streams.map(({ name }) => name)).toEqual(['zoo']);
    stage.clock.advance(10_000);
    expect((await get('/dvr/catalog?limit=1')).body).toMatchObject({ estimated_count: 3 });
    expect(second.next).toBeNull();
    for (const [query, error] of [
      ['limit=0', 'bad_query'],
      ['limit=x', 'bad_query'],
      ['cursor=%21', 'bad_cursor'],
    ] as const)
      expect(await get(`/dvr/catalog?${query}`)).toMatchObject({ status: 400, body: { error } });
  });

  it.each(['/dvr/rebuild-index', '/dvr/consistency-check', '/dvr/cleanup'])('have a job at %s', async (path) => {
    const address = `/streamer/api-v4${path}`;
    expect(await get(path)).toMatchObject({ status: 404, body: { error: 'job_not_found' } });
    expect(await stage.request('DELETE', address)).toMatchObject({ status: 404, body: { error: 'job_not_found' } });
    const started = await stage.request('POST', address);
    expect(started.status).toBe(200);
    expect(nativeJobSchema.parse(started.body)).toMatchObject({ status: 'running', finished_at: null });
    for (;;) {
      const state = nativeJobSchema.parse((await get(path)).body);
      if (state.status === 'running') {
        await stage.pass(100);
        continue;
      }
      expect(state).toMatchObject({ status: 'done', progress: 100, error: null });
      break;
    }
    expect(await stage.request('DELETE', address)).toMatchObject({ status: 404 });
  });
});
