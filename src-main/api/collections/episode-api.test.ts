import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const CONFIG = 'http 80;\nstream a { input publish://; }\nstream live/c { input fake://; }\n';
const DAY_S = 86_400;

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => {
  stage.archive.emitted.length = 0;
});
afterAll(() => stage.close());

const refusal: CollectionStage['refusal'] = (...request) => stage.refusal(...request);

describe('episodes', () => {
  it('are created, changed field by field, listed with the query language of collections, and removed', async () => {
    const news = { name: 'a', title: 'News', from: 1000, to: 2000 };
    const created = await stage.request('PUT', '/episodes/news-1', news);
    const shown = { id: 'news-1', ...news, note: '', expires_at: null, changed_at: stage.clock.now() };
    expect([created.status, created.body]).toMatchObject([200, shown]);
    await stage.request('PUT', '/episodes/late', { name: 'live/c', from: 5000, to: 5600, expires_at: null });
    const changed = await stage.request('PUT', '/episodes/news-1', {
      title: null,
      to: 2500,
      expires_at: 9_000_000_000,
    });
    expect(changed.body).toMatchObject({ ...shown, title: '', to: 2500, expires_at: 9_000_000_000 });
    const names = async (query: string): Promise<unknown> =>
      (await stage.request('GET', `/episodes?select=id&${query}`)).body;
    expect(await names('')).toMatchObject({ episodes: [{ id: 'news-1' }, { id: 'late' }], estimated_count: 2 });
    expect(await names('sort=-from')).toMatchObject({ episodes: [{ id: 'late' }, { id: 'news-1' }] });
    expect(await names('name=live/c')).toMatchObject({ episodes: [{ id: 'late' }] });
    expect(await names('to_lt=3000&expires_at_is_not=null')).toMatchObject({ episodes: [{ id: 'news-1' }] });
    expect((await stage.request('GET', '/episodes/late')).body).toMatchObject({ name: 'live/c', title: '' });
    expect((await stage.request('DELETE', '/episodes/late')).status).toBe(204);
    expect(await refusal('GET', '/episodes/late')).toEqual([404, 'not_found', { parameter: 'id' }]);
    expect(await refusal('DELETE', '/episodes/late')).toEqual([404, 'not_found', { parameter: 'id' }]);
    expect(stage.archive.emitted.map((event) => (event as { readonly kind: string }).kind)).toEqual([
      'dvr_locked',
      'dvr_locked',
      'dvr_locked',
      'dvr_unlocked',
    ]);
    expect(stage.archive.emitted[0]).toMatchObject({
      media: 'a',
      from: 1_000_000,
      duration_ms: 1_000_000,
      note: 'News',
      episode: 'news-1',
    });
    await stage.request('DELETE', '/episodes/news-1');
  });

  it('are created once per Idempotency-Key, with an id from the server', async () => {
    const body = { name: 'live/c', from: 100, to: 200 };
    const headers = { 'idempotency-key': 'once' };
    const first = await stage.request('POST', '/episodes', body, headers);
    const { id } = first.body as { readonly id: string };
    // The storage of this stream keeps episodes for a day.
    expect([first.status, first.body]).toMatchObject([201, { ...body, expires_at: 200 + DAY_S }]);
    expect(first.headers.get('location')).toBe(`/mediaserver/api/v3/episodes/${id}`);
    expect((await stage.request('POST', '/episodes', body, headers)).body).toEqual(first.body);
    expect((await stage.request('POST', '/episodes', { ...body, id, title: 'x' })).status).toBe(200);
    expect((await stage.request('GET', '/episodes')).body).toMatchObject({ estimated_count: 1 });
    await stage.request('DELETE', `/episodes/${id}`);
  });

  it('are refused with the path of the error', async () => {
    const put = async (body: unknown, id = 'e'): Promise<unknown> => refusal('PUT', `/episodes/${id}`, body);
    expect(await put({ from: 1, to: 2 })).toEqual([400, 'bad_value', { pointer: '/name' }]);
    expect(await put({ name: 'a', from: 1 })).toEqual([400, 'bad_value', { pointer: '/to' }]);
    expect(await put({ name: 'a', from: 2, to: 2 })).toEqual([400, 'bad_value', { pointer: '/to' }]);
    expect(await put({ name: 'a', from: 1, to: 2, title: 'a\nb' })).toEqual([400, 'bad_value', { pointer: '/title' }]);
    expect(await put({ name: 'a', from: 1.5, to: 2 })).toEqual([400, 'bad_value', { pointer: '/from' }]);
    expect(await put({ name: 'a', from: 1, to: 2, until: 3 })).toEqual([400, 'unknown_key', { pointer: '/until' }]);
    expect(await put({ name: 'nobody', from: 1, to: 2 })).toEqual([404, 'stream_not_found', undefined]);
    expect(await put({ name: 'a', from: 1, to: 2 }, 'no%20spaces')).toEqual([400, 'bad_value', { pointer: '/id' }]);
    expect((await stage.request('GET', '/episodes')).body).toMatchObject({ episodes: [] });
  });

  it('protect their range from deletion until they expire, as locks do', async () => {
    const soon = Math.ceil(stage.clock.now() / 1000) + 60;
    await stage.request('PUT', '/episodes/e', { name: 'a', from: 1000, to: 2000, expires_at: soon });
    stage.archive.emitted.length = 0;
    const ranges = '/streams/a/dvr/ranges';
    expect(await refusal('DELETE', ranges, { from: 1990, duration: 60 })).toEqual([409, 'archive_locked', undefined]);
    expect((await stage.request('DELETE', ranges, { from: 2000, duration: 60 })).status).toBe(204);
    const released = stage.archive.unlocked;
    stage.clock.advance(50_000);
    expect(stage.archive.unlocked).toBe(released);
    stage.clock.advance(30_000);
    expect(stage.archive.unlocked).toBe(released + 1);
    expect(stage.archive.emitted.at(-1)).toMatchObject({ kind: 'dvr_unlocked', by: 'retention', origin: 'timer' });
    expect((await stage.request('DELETE', ranges, { from: 1990, duration: 60 })).status).toBe(204);
    expect((await stage.request('GET', '/episodes')).body).toMatchObject({ episodes: [] });
  });
});
