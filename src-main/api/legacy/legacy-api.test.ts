import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingStage } from '../../../tests/helpers/recording-stage.ts';
import { legacyDvrStatusSchema } from '../../../src-preload/contract/api/legacy.ts';
import { ArchiveCatalog } from '../../dvr/catalog/archive-catalog.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiStage, testSession } from '../../../tests/helpers/api-stage.ts';
import { legacyMediaSchema, legacyServerSchema } from '../../../src-preload/contract/api/legacy.ts';
import { legacyApi } from './legacy-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-legacy-'));
const CONFIG = `
  stream cam { input udp://239.0.0.1:1234 priority=1 source_timeout=15; input rtsp://user:hidden@192.0.2.9/main password=hidden; push rtmp://relay.example.org/live/cam?token=hidden; retry_limit 3; hls_off; }
  stream live/gate/1 { input fake://; }
  stream late { input publish://; dvr /mnt/archive 7d; }
  vod clips { storage ${folder}; }
  peer south.example.org { api_url http://192.0.2.7:8080; cluster_key hidden; }
  source north.example.org { }
`;
let stage: ApiStage;

beforeAll(async () => {
  mkdirSync(join(folder, 'ads'));
  writeFileSync(join(folder, 'ads', 'a.mp4'), 'x');
  stage = await ApiStage.start(CONFIG, legacyApi, folder);
  stage.feed();
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

function get(path: string): ReturnType<ApiStage['request']> {
  return stage.request('GET', `/mediaserver/api${path}`);
}

function post(
  path: string,
  body?: string,
  type = 'application/x-www-form-urlencoded',
): ReturnType<ApiStage['request']> {
  return stage.request('POST', `/mediaserver/api${path}`, body, body === undefined ? {} : { 'content-type': type });
}

describe('legacy media', () => {
  it('contains the details of a stream, without secrets', async () => {
    await stage.pass(500);
    const { body } = await get('/media?name=cam');
    const [entry] = legacyMediaSchema.array().parse(body);
    expect(entry?.value).toMatchObject({
      name: 'cam',
      urls: [
        {
          value: 'udp://239.0.0.1:1234',
          options: [
            ['priority', '1'],
            ['source_timeout', '15'],
          ],
        },
        {
          value: 'rtsp://***@192.0.2.9/main',
          options: [
            ['priority', '2'],
            ['source_timeout', '20'],
            ['password', '********'],
          ],
        },
      ],
      stats: {
        alive: true,
        running: true,
        hls: false,
        dash: true,
        hds: false,
        ts_delay: 500,
        url: 'udp://239.0.0.1:1234',
        remote: false,
        push_stats: {},
        last_access_at: null,
      },
      options: {
        static: true,
        retry_limit: 3,
        clients_timeout: 60,
        source_timeout: 20,
        pushes: [['rtmp://relay.example.org/live/********?token=********']],
        hls_off: true,
        dash_off: false,
        webrtc_off: false,
      },
    });
    expect(JSON.stringify(body)).not.toContain('hidden');
  });

  it('lists all streams, or each existing stream of the requested names once', async () => {
    expect(
      legacyMediaSchema
        .array()
        .parse((await get('/media')).body)
        .map(({ value }) => value.name),
    ).toEqual(['cam', 'live/gate/1', 'late']);
    expect(
      legacyMediaSchema
        .array()
        .parse((await get('/media?name=late,nobody,live%2Fgate%2F1,late')).body)
        .map(({ value }) => value.name),
    ).toEqual(['late', 'live/gate/1']);
  });
});

describe('stream names in legacy paths', () => {
  it.each(['live/gate/1', 'live%2Fgate%2F1', 'live%2fgate/1'])('are accepted in the form %s', async (name) => {
    for (const row of ['media_info', 'input_media_info', 'stream_health', 'dvr_status/2026/11/21'])
      expect([row, (await get(`/${row}/${name}`)).status]).toEqual([row, 200]);
    expect((await post(`/stream_restart/${name}`)).body).toBe(true);
    stage.feed();
  });

  it.each(['nobody', 'live%252Fgate%252F1', '', 'live', '..%2F..%2Fetc', '%00', 'x'.repeat(3000)])(
    'of missing streams result in 404: %j',
    async (name) => {
      for (const row of [
        'media_info',
        'input_media_info',
        'stream_health',
        'playlist',
        'dvr_status/2026/11/21',
        'dvr_enable',
        'dvr_disable',
        'stream_restart',
        'stream_switch_source',
      ]) {
        const { status, body } = await get(`/${row}/${name}`);
        expect([row, status]).toEqual([row, 404]);
        expect(body).toMatchObject({ error: 'stream_not_found' });
      }
    },
  );

  it('that cannot be decoded result in 400', async () => {
    expect((await get('/media_info/%zz')).status).toBe(400);
  });
});

describe('legacy stream_health', () => {
  it('answers 200 while frames arrive, and 424 if they are absent for too long', async () => {
    stage.feed();
    await stage.pass(900);
    expect(await get('/stream_health/cam')).toMatchObject({ status: 200, body: { ts_delay: 900 } });
    await stage.pass(11_100);
    expect((await get('/stream_health/cam')).status).toBe(200);
    await stage.pass(1);
    expect(await get('/stream_health/cam')).toMatchObject({ status: 424, body: { error: 'stream_no_frames' } });
    expect((await get('/stream_health/late')).status).toBe(424);
    stage.feed();
  });
});

describe('legacy sessions', () => {
  it('are listed, also for one stream, and closed by ids in separate lines', async () => {
    for (const [id, name] of [
      ['1', 'cam'],
      ['2', 'cam'],
      ['3', 'late'],
    ] as const)
      stage.sessions.set(id, testSession(id, name));
    const { body } = await get('/sessions');
    expect(body).toMatchObject({
      sessions: [
        { id: 'key-of-cam', session_id: '1', ip: '192.0.2.7', type: 'hls', bytes_sent: 12_345, country: null },
        { session_id: '2' },
        { session_id: '3' },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('a-token');
    expect(await get('/sessions?name=late')).toMatchObject({ body: { name: 'late', sessions: [{ session_id: '3' }] } });
    expect(await post('/close_sessions', '1\n\n nobody \r\n3')).toMatchObject({ status: 200, body: true });
    expect([...stage.sessions.keys()]).toEqual(['2']);
    expect((await post('/close_sessions')).status).toBe(400);
    expect((await get('/close_sessions')).status).toBe(405);
  });
});

describe('legacy stream_switch_source', () => {
  it.each([
    ['GET', '?url=rtsp://user:hidden@192.0.2.9/main', undefined, ''],
    ['GET', '?url=rtsp%3A%2F%2F***%40192.0.2.9%2Fmain', undefined, ''],
    ['POST', '?url=udp://239.0.0.1:1234', undefined, ''],
    ['POST', '', 'url=udp%3A%2F%2F239.0.0.1%3A1234', 'application/x-www-form-urlencoded'],
    ['POST', '', '{"url":"udp://239.0.0.1:1234"}', 'application/json'],
    ['POST', '', 'udp://239.0.0.1:1234', 'text/plain'],
  ])('accepts %s%s with the body %s', async (method, query, body, type) => {
    const before = stage.engine.selected.length;
    expect(
      await stage.request(
        method,
        `/flussonic/api/stream_switch_source/cam${query}`,
        body,
        body === undefined ? {} : { 'content-type': type },
      ),
    ).toMatchObject({ status: 200, body: true });
    expect(stage.engine.selected).toHaveLength(before + 1);
  });

  it('requires an existing input', async () => {
    expect(await get('/stream_switch_source/cam')).toMatchObject({
      status: 400,
      body: { error: 'bad_query', errors: [{ source: { parameter: 'url' } }] },
    });
    expect(await get('/stream_switch_source/cam?url=udp://239.0.0.9:1')).toMatchObject({
      status: 404,
      body: { error: 'input_not_found' },
    });
    expect(await get('/stream_switch_source/late?url=publish://')).toMatchObject({
      status: 404,
      body: { error: 'stream_not_running' },
    });
  });
});

describe('legacy archive requests', () => {
  it('list the recordings of a day, by block and segment', async () => {
    expect(await get('/dvr_status/2026/02/28/cam')).toMatchObject({ status: 200, body: [] });
    for (const day of ['2026/02/30', '2026/13/1', '26/1/1', '2026/a/1'])
      expect(await get(`/dvr_status/${day}/cam`)).toMatchObject({ status: 400, body: { error: 'bad_query' } });
    expect(await post('/dvr_enable/cam', '')).toMatchObject({ status: 409, body: { error: 'archive_not_kept' } });
    const recording = new RecordingStage({ segmentMs: 2000 });
    await recording.record();
    await recording.play({
      video: { fps: 25, gopFrames: 25, bFrames: 0 },
      audio: { sampleRate: 48_000, lateMs: 0 },
      seconds: 70,
    });
    await recording.close();
    const catalog = new ArchiveCatalog({
      store: stage.archive.store,
      clock: stage.clock,
      open: () => [],
      failed(error) {
        throw error;
      },
    });
    for (const block of recording.blocks) catalog.add({ ...block, head: { ...block.head, stream: 'cam' } });
    await catalog.settled();
    const day = new Date(recording.blocks[0]?.head.startMs ?? 0).toISOString().slice(0, 10).replaceAll('-', '/');
    const { body } = await get(`/dvr_status/${day}/cam`);
    const blocks = legacyDvrStatusSchema.parse(body);
    expect(blocks.map(({ path }) => path)).toEqual(recording.blocks.map(({ path }) => path));
    for (const [at, { timestamp, bitrate, segments }] of blocks.entries()) {
      expect(timestamp).toBe(Math.floor((recording.blocks[at]?.head.startMs ?? 0) / 1000));
      expect(bitrate).toBeGreaterThan(0);
      const pieces = recording.blocks[at]?.index.segments.flatMap((segment) => segment.pieces) ?? [];
      const size = segments.reduce((sum, segment) => sum + segment.size, 0);
      expect(size).toBe(pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
      for (const { second, utc, duration, jpeg } of segments) {
        const [, picture] = /^\/cam\/(\d+)-preview\.jpg$/.exec(jpeg ?? '') ?? [];
        expect([utc, utc + 1]).toContain(Number(picture));
        expect(Math.abs(timestamp + second - utc)).toBeLessThanOrEqual(1);
        expect(duration).toBeGreaterThan(0);
      }
    }
  });

  it('delete ranges, also locked ones, and report the deleted size', async () => {
    stage.archive.service.lock(
      'cam',
      { startMs: 1000, endMs: 9000, note: 'x' },
      { who: 'a', fromWhere: 'b' },
      { isAlone: false },
    );
    stage.archive.emitted.length = 0;
    const body = '{"stream":"cam","from":1,"duration":2,"note":"a wish"}';
    const reply = await post('/dvr/delete', body, 'application/json');
    expect(reply).toMatchObject({ status: 200, body: true });
    expect(stage.archive.deletions).toEqual([['cam', { startMs: 1000, endMs: 3000 }]]);
    const by = { by: 'test', origin: 'api 127.0.0.1', from: 1000, duration_ms: 2000, media: 'cam' };
    expect(stage.archive.emitted).toEqual([
      { kind: 'dvr_deleted_fragments', storage: null, count: 3, bytes: 4000, reason: 'request', note: 'a wish', ...by },
      { kind: 'dvr_unlocked', note: 'x', ...by },
    ]);
    expect(stage.archive.service.locks('cam', { startMs: 0, endMs: 1e9 })).toMatchObject([
      { startMs: 3000, endMs: 9000 },
    ]);
    stage.archive.failures = [{ path: 'cam/1.mp4', error: new Error('read only') }];
    expect(await post('/dvr/delete', body, 'application/json')).toMatchObject({
      status: 503,
      body: { error: 'disk_error' },
    });
    stage.archive.failures = [{ path: 'cam/1.mp4', error: Object.assign(new Error('full'), { code: 'ENOSPC' }) }];
    expect(await post('/dvr/delete', body, 'application/json')).toMatchObject({
      status: 507,
      body: { error: 'disk_full' },
    });
    stage.archive.failures = [];
  });

  it('lock and unlock ranges', async () => {
    const lock = async (path: string, body: object): Promise<unknown> =>
      post(path, JSON.stringify(body), 'application/json');
    const range = { stream: 'cam', from: 100, duration: 50 };
    const list = (): unknown => stage.archive.service.locks('cam', { startMs: 90_000, endMs: 200_000 });
    expect(await lock('/dvr/lock', { ...range, note: 'case' })).toMatchObject({ status: 200, body: true });
    expect(list()).toMatchObject([{ startMs: 100_000, endMs: 150_000, note: 'case', by: 'test' }]);
    expect(await lock('/dvr/unlock', { ...range, duration: 10 })).toMatchObject({ status: 200, body: true });
    expect(list()).toMatchObject([{ startMs: 110_000, endMs: 150_000 }]);
    expect(await lock('/dvr/lock', { stream: 'cam', from: 100 })).toMatchObject({ status: 400 });
    expect(await lock('/dvr/lock', { ...range, stream: 'nobody' })).toMatchObject({ status: 404 });
    expect(await lock('/dvr/lock', { ...range, note: 'a\u001b[2Jb' })).toMatchObject({ status: 400 });
    expect(await lock('/dvr/delete', { ...range, note: 'a\u202ab\u2028' })).toMatchObject({ status: 400 });
    await lock('/dvr/unlock', range);
    expect(list()).toEqual([]);
  });

  it('switch the recording on and off if the stream has an archive, by POST and GET', async () => {
    const { streams } = stage.context;
    const recorded = ['dvr', 'dvrOffline'].map((key) => ({ [key]: { place: '/x' } }));
    const entry = streams.get('cam');
    const { settings } = entry ?? {};
    for (const archive of recorded) {
      if (entry && settings)
        Object.defineProperty(entry, 'settings', { value: { ...settings, ...archive }, configurable: true });
      expect(await post('/dvr_enable/cam', '')).toMatchObject({ status: 200, body: true });
      expect(entry?.isRecordingSwitched).toBe(true);
      expect(await get('/dvr_disable/cam')).toMatchObject({ status: 200, body: true });
      expect(entry?.isRecordingSwitched).toBe(false);
    }
    if (entry) Reflect.deleteProperty(entry, 'settings');
    expect(await get('/dvr_disable/cam')).toMatchObject({ status: 200, body: true });
    await post('/stream_restart/cam', '');
    expect(entry?.isRecordingSwitched).toBeUndefined();
    expect(await get('/dvr_enable/none')).toMatchObject({ status: 404, body: { error: 'stream_not_found' } });
  });

  it.each([
    ['{"stream":"nobody","from":1,"duration":2}', 404, 'stream_not_found'],
    ['{"stream":"cam","from":1}', 400, 'bad_value'],
    ['{"stream":"cam","from":-1,"duration":2}', 400, 'bad_value'],
    ['{"stream":"cam","from":1,"duration":2,"x":1}', 400, 'unknown_key'],
    ['{', 400, 'bad_request'],
  ])('answer the deletion %s with %d %s', async (body, status, error) => {
    expect(await post('/dvr/delete', body, 'application/json')).toMatchObject({ status, body: { error } });
  });
});

describe('legacy list_files', () => {
  it('lists the files of a folder', async () => {
    const query = `prefix=clips&path=${encodeURIComponent(folder)}`;
    expect((await get(`/list_files?${query}&subpath=/`)).body).toEqual({
      files: [{ name: 'ads', type: 'directory', prefix: 'clips' }],
    });
    expect((await get(`/list_files?${query}&subpath=/ads&limit=1&from=a`)).body).toEqual({
      files: [{ name: 'a.mp4', type: 'file', prefix: 'clips' }],
    });
    expect(await get(`/list_files?${query}`)).toMatchObject({
      status: 400,
      body: { error: 'bad_query', errors: [{ source: { parameter: 'subpath' } }] },
    });
    for (const limit of ['0', '-1', 'x', '1.5', '10001'])
      expect(await get(`/list_files?${query}&subpath=/&limit=${limit}`)).toMatchObject({
        status: 400,
        body: { error: 'bad_query' },
      });
    expect((await get(`/list_files?${query}&subpath=/..`)).status).toBe(404);
  });
});

describe('the legacy server API', () => {
  it('answers under both prefixes', async () => {
    for (const prefix of ['/mediaserver/api', '/flussonic/api']) {
      const { body } = await stage.request('GET', `${prefix}/server`);
      expect(legacyServerSchema.parse(body)).toMatchObject({
        version: '1.2.3',
        hostname: 'host.example.org',
        total_streams: 3,
      });
    }
  });

  it('lists the configured other servers, without keys', async () => {
    const { body } = await get('/cluster_servers');
    expect(body).toMatchObject({
      'south.example.org': { is_peer: true, is_source: false, key: '********', ports: { http: 8080 }, uptime: null },
      'north.example.org': { is_peer: false, is_source: true, key: null, ports: { http: 80 } },
    });
    expect(JSON.stringify(body)).not.toContain('hidden');
  });

  it('refuses playlist requests for a stream without a playlist', async () => {
    expect(await get('/playlist/cam')).toMatchObject({ status: 404, body: { error: 'playlist_not_open' } });
    stage.feed({ playlist: { currentEntry: 'a.mp4', currentType: 'file', durationMs: null, positionMs: 40 } });
    expect((await get('/playlist/cam')).body).toEqual({
      current_entry: 'a.mp4',
      current_type: 'file',
      duration: null,
      position: 40,
    });
  });
});
