import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const CONFIG = 'http 80;\nstream a { input publish://; }\nstream live/c { input fake://; }\n';

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => {
  stage.archive.emitted.length = 0;
});
afterAll(() => stage.close());

const refusal: CollectionStage['refusal'] = (...request) => stage.refusal(...request);
async function make(title: string): Promise<string> {
  return ((await stage.request('POST', '/dvr_cases', { title })).body as { readonly id: string }).id;
}
async function put(id: string, item: object): Promise<string> {
  return ((await stage.request('POST', `/dvr_cases/${id}/items`, item)).body as { readonly id: string }).id;
}
async function itemsOf(id: string): Promise<readonly { readonly id: string }[]> {
  const { body } = await stage.request('GET', `/dvr_cases/${id}/items`);
  return (body as { readonly items: readonly { readonly id: string }[] }).items;
}
/** Archive ranges kept for cases: stream, start, end, and expiry. */
function caseRanges(): unknown[] {
  return [...stage.archive.episodes.list()]
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ stream, startMs, endMs, expiresMs }) => [stream, startMs, endMs, expiresMs]);
}

it('cases are created, renamed, listed with the query language of collections, and removed', async () => {
  const created = await stage.request('POST', '/dvr_cases', { title: ' Goal ', note: 'asked by the referee' });
  const { id } = created.body as { readonly id: string };
  const shown = { id, title: 'Goal', note: 'asked by the referee', item_count: 0, created_at: stage.clock.now() };
  expect([created.status, created.body]).toMatchObject([201, shown]);
  expect(created.headers.get('location')).toBe(`/mediaserver/api/v3/dvr_cases/${id}`);
  const other = await make('Offside');
  const renamed = await stage.request('PUT', `/dvr_cases/${id}`, { title: 'Goal or not' });
  expect([renamed.status, renamed.body]).toMatchObject([200, { id, title: 'Goal or not', note: '' }]);
  const list = await stage.request('GET', '/dvr_cases?title=Offside');
  expect(list.body).toMatchObject({ dvr_cases: [{ id: other }], estimated_count: 1 });
  expect((await stage.request('GET', `/dvr_cases/${id}`)).body).toMatchObject({ title: 'Goal or not' });
  for (const one of [id, other]) expect((await stage.request('DELETE', `/dvr_cases/${one}`)).status).toBe(204);
  expect(await refusal('DELETE', `/dvr_cases/${id}`)).toEqual([404, 'not_found', undefined]);
  expect((await stage.request('GET', '/dvr_cases')).body).toMatchObject({ dvr_cases: [] });
});

it('cases contain ordered clips, stills and marks, and protect the media of clips and stills', async () => {
  const id = await make('Goal');
  const clip = await put(id, { kind: 'clip', name: 'a', from: 1000, to: 2000, text: 'goal' });
  const still = await put(id, { kind: 'still', name: 'live/c', from: 1500 });
  const mark = await put(id, { kind: 'mark', name: 'a', from: 1700, text: 'offside' });
  expect(await itemsOf(id)).toMatchObject([
    { id: clip, kind: 'clip', name: 'a', from: 1000, to: 2000, text: 'goal' },
    { id: still, kind: 'still', to: null, text: '' },
    { id: mark, kind: 'mark', text: 'offside' },
  ]);
  expect((await stage.request('GET', `/dvr_cases/${id}`)).body).toMatchObject({ item_count: 3 });
  expect(caseRanges()).toEqual([
    ['a', 1000, 2000, null],
    ['live/c', 1500, 1501, null],
  ]);
  const ordered = await stage.request('PUT', `/dvr_cases/${id}/items`, { order: [mark, 'none'] });
  expect((ordered.body as { items: { id: string }[] }).items.map((one) => one.id)).toEqual([mark, clip, still]);
  expect((await stage.request('DELETE', `/dvr_cases/${id}/items/${clip}`)).status).toBe(204);
  expect(await refusal('DELETE', `/dvr_cases/${id}/items/${clip}`)).toEqual([404, 'not_found', undefined]);
  expect((await itemsOf(id)).map((one) => one.id)).toEqual([mark, still]);
  // A removed case may be restored, so its archive ranges stay for a while.
  const soonMs = stage.clock.now() + 600_000;
  expect(caseRanges()).toEqual([
    ['a', 1000, 2000, soonMs],
    ['live/c', 1500, 1501, null],
  ]);
  const service = stage.archiveServices.cases;
  expect(service.restoreItem(id, clip, { who: 'pat', fromWhere: 'desk' })).toMatchObject({ id: clip, from: 1000 });
  expect((await itemsOf(id)).map((one) => one.id)).toEqual([mark, clip, still]);
  expect(caseRanges()).toContainEqual(['a', 1000, 2000, null]);
  await stage.request('DELETE', `/dvr_cases/${id}`);
  expect(caseRanges().map((one) => (one as unknown[])[3])).toEqual([soonMs, soonMs]);
  await service.restore(id, { who: 'pat', fromWhere: 'desk' });
  expect(caseRanges().map((one) => (one as unknown[])[3])).toEqual([null, null]);
  await stage.request('DELETE', `/dvr_cases/${id}`);
});

it('invalid cases are refused with a pointer to the error', async () => {
  const id = await make('Goal');
  const path = `/dvr_cases/${id}/items`;
  expect(await refusal('POST', '/dvr_cases', { title: ' ' })).toEqual([400, 'bad_value', { pointer: '/title' }]);
  for (const title of ['a\nb', 'a\u0007b', 'a\u2028b'])
    expect(await refusal('POST', '/dvr_cases', { title })).toEqual([400, 'bad_value', { pointer: '/title' }]);
  expect(await refusal('POST', '/dvr_cases', { title: 'a', note: 'two\nlines\u0000' })).toEqual([
    400,
    'bad_value',
    { pointer: '/note' },
  ]);
  expect(await refusal('POST', path, { kind: 'clip', name: 'a', from: 5 })).toEqual([
    400,
    'bad_value',
    { pointer: '/to' },
  ]);
  expect(await refusal('POST', path, { kind: 'clip', name: 'a', from: 5, to: 5 })).toEqual([
    400,
    'bad_value',
    { pointer: '/to' },
  ]);
  expect(await refusal('POST', path, { kind: 'still', name: 'a', from: 5, to: 9 })).toEqual([
    400,
    'bad_value',
    { pointer: '/to' },
  ]);
  expect(await refusal('POST', '/dvr_cases/none/items', { kind: 'mark', name: 'a', from: 5 })).toEqual([
    404,
    'not_found',
    undefined,
  ]);
  expect(await refusal('GET', '/dvr_cases/none/items')).toEqual([404, 'not_found', undefined]);
  expect(await refusal('PUT', '/dvr_cases/none', { title: 'x' })).toEqual([404, 'not_found', undefined]);
  expect(await refusal('POST', `/dvr_cases/${id}/export`, {})).toEqual([503, 'unavailable', undefined]);
  expect(await itemsOf(id)).toEqual([]);
  await stage.request('DELETE', `/dvr_cases/${id}`);
});

it('cases are deleted with their notes ten minutes after their removal', async () => {
  const id = await make('Goal');
  await put(id, { kind: 'still', name: 'a', from: 1500 });
  await stage.request('DELETE', `/dvr_cases/${id}`);
  expect(caseRanges()).not.toEqual([]);
  stage.clock.advance(620_000);
  expect(caseRanges()).toEqual([]);
});
