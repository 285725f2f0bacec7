import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const CONFIG = 'http 80;\nstream a { input publish://; }\nstream live/c { input fake://; }\n';
const BEGIN_MS = 1_800_000_000_000;

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => {
  stage.archive.emitted.length = 0;
});
afterAll(() => stage.close());

const refusal: CollectionStage['refusal'] = (...request) => stage.refusal(...request);

function record(stream: string, fromMs: number, toMs: number): void {
  stage.archive.store.addRange(stream, BEGIN_MS + fromMs, BEGIN_MS + toMs);
}

describe('storages in the API', () => {
  const disk = { path: 'a', folder: '/a', isWritten: true };

  it('have their state in every API, and writing the state changes nothing', async () => {
    const set = await stage.request('PUT', '/dvrs/main', { root: 'archive', disks: [{ path: 'a' }, { path: 'b' }] });
    expect(set.body).toMatchObject({
      disks: [
        { path: 'a', stats: null },
        { path: 'b', stats: null },
      ],
      stats: null,
    });
    stage.archive.storages = [
      { name: 'main', maxUsedPercent: 90, disks: [disk, { ...disk, path: 'b', folder: '/b' }] },
    ];
    stage.archive.disks.before = (_, path) => {
      if (path.startsWith('/b')) throw Object.assign(new Error('broken'), { code: 'EIO' });
    };
    await stage.archive.watchDisks();
    const stats = { status: 'degraded', error: { code: 'EIO' }, size: 1e12, free: 5e11, usage: 50, streams: 0 };
    const shown = {
      disks: [
        { path: 'a', stats: { status: 'ok', error: null } },
        { path: 'b', stats: { status: 'error', error: { code: 'EIO', detail: 'broken' }, size: null } },
      ],
      stats,
    };
    const one = await stage.request('GET', '/dvrs/main');
    expect(one.body).toMatchObject({ name: 'main', ...shown });
    expect((await stage.request('GET', '/dvrs?stats.status=degraded')).body).toMatchObject({ dvrs: [shown] });
    expect((await stage.request('GET', '/dvrs?stats.usage_gt=50')).body).toMatchObject({ dvrs: [] });
    const read = await stage.request('GET', '/mediaserver/api/read_config?runtime=true');
    expect(read.body).toMatchObject({
      dvrs: { main: { root: 'archive', ...shown } },
      dvr: { stats: { status: 'degraded', storages: 1, jobs: { cleanup: null } } },
      streams: { a: { stats: { dvr_enabled: false, dvr_info: null } } },
    });
    expect((await stage.request('GET', '/mediaserver/api/read_config')).body).toMatchObject({
      dvrs: { main: { disks: [{ path: 'a' }, { path: 'b' }] } },
    });
    const etag = one.headers.get('etag') ?? '';
    stage.archive.disks.before = () => undefined;
    await stage.archive.watchDisks();
    const again = await stage.request(
      'PUT',
      '/dvrs/main',
      { ...(one.body as object), active: 1 },
      { 'if-match': etag },
    );
    expect([again.status, again.body]).toMatchObject([200, { active: 1, disks: [{ path: 'a' }, { path: 'b' }] }]);
    expect((await stage.request('DELETE', '/dvrs/main')).status).toBe(204);
    expect((await stage.request('GET', '/dvrs/main')).status).toBe(404);
  });
});

describe('recorded ranges in the API', () => {
  it('are listed in full seconds, in pages', async () => {
    for (const [from, to] of [
      [0, 60_000],
      [90_400, 150_001],
      [200_999, 210_000],
    ] as const)
      record('live/c', from, to);
    const first = {
      name: 'live/c',
      ranges: [
        { from: 1_800_000_000, duration: 60 },
        { from: 1_800_000_090, duration: 61 },
      ],
    };
    const path = '/streams/live%2Fc/dvr/ranges';
    expect((await stage.request('GET', `${path}?limit=2`)).body).toEqual({ ...first, next: 1_800_000_200 });
    expect((await stage.request('GET', `${path}?to=1800000180`)).body).toEqual({ ...first, next: null });
    expect((await stage.request('GET', `${path}?from=1800000205`)).body).toMatchObject({
      ranges: [{ from: 1_800_000_205, duration: 5 }],
    });
    expect((await stage.request('GET', '/streams/a/dvr/ranges')).body).toEqual({ name: 'a', ranges: [], next: null });
  });

  it('exist for former streams, and not for unknown streams', async () => {
    record('gone', 0, 1000);
    expect((await stage.request('GET', '/streams/gone/dvr/ranges')).status).toBe(200);
    expect(await refusal('GET', '/streams/nobody/dvr/ranges')).toEqual([404, 'stream_not_found', undefined]);
    for (const [parameter, value] of Object.entries({ from: '-1', to: '1.5', limit: '10001' }))
      expect(await refusal('GET', `/streams/a/dvr/ranges?${parameter}=${value}`)).toEqual([
        400,
        'bad_query',
        { parameter },
      ]);
    expect(await refusal('GET', '/streams/a/dvr/ranges?limit=0')).toEqual([400, 'bad_query', { parameter: 'limit' }]);
  });
});

describe('deletion of recorded ranges', () => {
  it('is refused in a locked range, and reports the freed bytes', async () => {
    const path = '/streams/a/dvr/ranges';
    await stage.request('POST', '/streams/a/dvr/locks', { from: 100, duration: 50 });
    expect(await refusal('DELETE', path, { from: 0, duration: 101 })).toEqual([409, 'archive_locked', undefined]);
    expect(stage.archive.deletions).toEqual([]);
    const { status, headers } = await stage.request('DELETE', path, { from: 0, duration: 100, note: 'a wish' });
    expect([status, headers.get('airdesk-deleted-blocks'), headers.get('airdesk-freed-bytes')]).toEqual([
      204,
      '3',
      '4000',
    ]);
    expect(stage.archive.deletions).toEqual([['a', { startMs: 0, endMs: 100_000 }]]);
    expect(stage.archive.emitted.at(-1)).toMatchObject({
      kind: 'dvr_deleted_fragments',
      reason: 'request',
      note: 'a wish',
    });
    expect(await refusal('DELETE', path, { from: 0 })).toEqual([400, 'bad_value', { pointer: '/duration' }]);
    expect(await refusal('DELETE', '/streams/none/dvr/ranges', { from: 0, duration: 1 })).toEqual([
      404,
      'stream_not_found',
      undefined,
    ]);
    await stage.request('DELETE', '/streams/a/dvr/locks', { from: 0, duration: 1000 });
  });
});

describe('archive locks in the API', () => {
  const path = '/streams/a/dvr/locks';
  const author = { locked_by: 'local', locked_at: 0 };

  it('are joined, have notes, and can be removed', async () => {
    author.locked_at = stage.clock.now();
    const post = async (body: unknown): Promise<unknown> => (await stage.request('POST', path, body)).body;
    expect(await post({ from: 100, duration: 50, note: 'case 12' })).toEqual({
      from: 100,
      duration: 50,
      note: 'case 12',
      ...author,
    });
    expect(await post({ from: 140, duration: 60 })).toMatchObject({ from: 100, duration: 100, note: 'case 12' });
    const put = await stage.request('PUT', path, { from: 120, duration: 10, note: 'goal' });
    expect(put.body).toMatchObject({ from: 120, duration: 10, note: 'goal' });
    const list = (await stage.request('GET', path)).body;
    expect(list).toMatchObject({
      name: 'a',
      locks: [
        { from: 100, duration: 20, note: 'case 12' },
        { from: 120, duration: 10, note: 'goal' },
        { from: 130, duration: 70, note: 'case 12' },
      ],
      next: null,
    });
    expect((await stage.request('GET', `${path}?from=120&to=131&limit=1`)).body).toMatchObject({
      locks: [{ from: 120 }],
      next: 130,
    });
    const before = stage.archive.unlocked;
    expect((await stage.request('DELETE', path, { from: 0, duration: 1000 })).status).toBe(204);
    expect((await stage.request('DELETE', path, { from: 0, duration: 1000 })).status).toBe(204);
    expect(stage.archive.unlocked).toBe(before + 1);
    expect((await stage.request('GET', path)).body).toEqual({ name: 'a', locks: [], next: null });
    const by = { by: 'local', origin: 'api 127.0.0.1', media: 'a' };
    expect(stage.archive.emitted).toEqual([
      { kind: 'dvr_locked', from: 100_000, duration_ms: 50_000, note: 'case 12', ...by },
      { kind: 'dvr_locked', from: 140_000, duration_ms: 60_000, note: '', ...by },
      { kind: 'dvr_locked', from: 120_000, duration_ms: 10_000, note: 'goal', ...by },
      { kind: 'dvr_unlocked', from: 0, duration_ms: 1_000_000, note: 'case 12\ngoal\ncase 12', ...by },
    ]);
  });

  it('are refused if they are impossible', async () => {
    expect(await refusal('GET', '/streams/nobody/dvr/locks')).toEqual([404, 'stream_not_found', undefined]);
    expect(await refusal('POST', '/streams/nobody/dvr/locks', { from: 1, duration: 1 })).toEqual([
      404,
      'stream_not_found',
      undefined,
    ]);
    for (const [body, pointer] of [
      [{ from: -1, duration: 5 }, '/from'],
      [{ from: 1, duration: 0 }, '/duration'],
      [{ from: 1.5, duration: 1 }, '/from'],
      [{ from: 1, duration: 1, note: 'x'.repeat(1001) }, '/note'],
    ] as const)
      expect(await refusal('POST', path, body)).toEqual([400, 'bad_value', { pointer }]);
    expect(await refusal('PUT', path, { from: 1, duration: 1, who: 'x' })).toEqual([
      400,
      'unknown_key',
      { pointer: '/who' },
    ]);
    expect(await refusal('DELETE', path, { from: 1 })).toEqual([400, 'bad_value', { pointer: '/duration' }]);
    for (let more = 0; more < 3; more++)
      await stage.request('POST', path, { from: 1, duration: 1, note: `${more}`.repeat(1000) });
    expect(await refusal('POST', path, { from: 1, duration: 1, note: 'x'.repeat(1000) })).toEqual([
      409,
      'archive_locks_full',
      undefined,
    ]);
    await stage.request('DELETE', path, { from: 1, duration: 1 });
  });
});
