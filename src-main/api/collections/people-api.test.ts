import { afterAll, beforeAll, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const CONFIG = 'http 80;\nedit_auth admin "open sesame";\nstream a { input publish://; }\n';
const basic = (login: string, password: string): { readonly authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});
const ADMIN = basic('admin', 'open sesame');
const ANNA = { login: 'anna', full_name: 'Anna Example', role: 'operator', password: 'correct horse' };
const AS_ANNA = basic('anna', ANNA.password);

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
afterAll(() => stage.close());

const send = (method: string, path: string, body?: object, login = ADMIN): ReturnType<CollectionStage['request']> =>
  stage.request(method, path, body, login);

it('people are added, changed, disabled and removed, and have the rights of their role', async () => {
  const created = await send('POST', '/people', ANNA);
  expect([created.status, created.body]).toMatchObject([
    201,
    { login: 'anna', full_name: 'Anna Example', role: 'operator', is_disabled: false, created_by: 'admin' },
  ]);
  expect(JSON.stringify(created.body)).not.toMatch(/horse|scrypt/);
  expect((await send('POST', '/people', { ...ANNA, login: 'Anna' })).body).toMatchObject({ error: 'person_exists' });
  expect((await send('GET', '/people')).body).toMatchObject({ people: [{ login: 'anna', session_count: 0 }] });

  expect((await send('GET', '/streams/a', undefined, AS_ANNA)).status).toBe(200);
  expect((await send('POST', '/streams/a/stop', undefined, AS_ANNA)).status).toBe(204);
  const refused = await send('DELETE', '/streams/a', undefined, AS_ANNA);
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { error: 'role_forbidden', errors: [{ meta: { role: 'operator', domain: 'streams', access: 'edit' } }] },
  ]);
  for (const path of ['/people', '/desk_sessions', '/templates'])
    expect((await send('GET', path, undefined, AS_ANNA)).body).toMatchObject({ error: 'role_forbidden' });
  expect((await send('PUT', '/people/anna', { role: 'administrator' }, AS_ANNA)).status).toBe(403);

  expect((await send('PUT', '/people/anna', { role: 'viewer', full_name: '' })).body).toMatchObject({ role: 'viewer' });
  expect((await send('POST', '/streams/a/stop', undefined, AS_ANNA)).status).toBe(403);
  expect((await send('POST', '/people/anna/password', { password: 'another horse' })).status).toBe(200);
  expect((await send('GET', '/streams/a', undefined, AS_ANNA)).status).toBe(401);
  expect((await send('PUT', '/people/anna', { is_disabled: true })).body).toMatchObject({ is_disabled: true });
  expect((await send('GET', '/streams/a', undefined, basic('anna', 'another horse'))).status).toBe(401);
  expect((await send('DELETE', '/people/anna')).status).toBe(204);
  expect((await send('DELETE', '/people/anna')).body).toMatchObject({ error: 'person_not_found' });
});

it('people see and control only their streams, also after a change of the list', async () => {
  const prefixes = async (...given: string[]): Promise<unknown> =>
    ((await send('PUT', '/people/fred', { prefixes: given })).body as { prefixes: unknown }).prefixes;
  const asFred = (method: string, path: string): ReturnType<typeof send> =>
    send(method, path, undefined, basic('fred', ANNA.password));
  expect((await send('POST', '/people', { ...ANNA, login: 'fred', prefixes: ['b'] })).body).toMatchObject({
    prefixes: ['b'],
  });
  expect((await asFred('GET', '/streams')).body).toMatchObject({ streams: [], estimated_count: 0 });
  expect((await asFred('GET', '/streams/a')).status).toBe(404);
  expect([(await asFred('POST', '/streams/a/stop')).status, (await asFred('GET', '/people')).status]).toEqual([
    403, 403,
  ]);
  expect(await prefixes('a/', ' a ', 'b/c//')).toEqual(['a', 'b/c']);
  expect((await asFred('GET', '/streams')).body).toMatchObject({ streams: [{ name: 'a' }] });
  expect((await asFred('POST', '/streams/a/stop')).status).toBe(204);
  expect(await prefixes()).toEqual([]);
  expect((await send('PUT', '/people/fred', { role: 'viewer' })).body).toMatchObject({ prefixes: [] });
});

it('people change their own password by giving the current one', async () => {
  await send('POST', '/people', { ...ANNA, login: 'vera', role: 'viewer' });
  const change = { current_password: ANNA.password, password: 'another horse' };
  expect((await send('POST', '/own_password', change, basic('vera', ANNA.password))).status).toBe(204);
  expect((await send('GET', '/streams/a', undefined, basic('vera', ANNA.password))).status).toBe(401);
  expect((await send('GET', '/streams/a', undefined, basic('vera', 'another horse'))).status).toBe(200);
  const admin = await send('POST', '/own_password', change);
  expect([admin.status, admin.body]).toMatchObject([403, { error: 'forbidden' }]);
});

it.each([
  [{ ...ANNA, login: 'otto', password: 'short' }, 'password_weak'],
  [{ ...ANNA, role: 'king' }, 'bad_value'],
  [{ ...ANNA, login: 'a:b' }, 'bad_value'],
  [{ ...ANNA, login: 'otto', prefixes: ['a b'] }, 'bad_value'],
  [{ ...ANNA, login: 'otto', prefixes: ['/'] }, 'bad_value'],
  [{ ...ANNA, login: 'otto', prefixes: ['streamer/x'] }, 'bad_value'],
  [{ ...ANNA, login: 'otto', prefixes: Array.from({ length: 51 }, (_, at) => `p${at}`) }, 'bad_value'],
  [{ ...ANNA, login: 'admin' }, 'person_exists'],
])('an invalid person is refused: %j', async (body, code) => {
  const { body: answer } = await send('POST', '/people', body);
  expect(answer).toMatchObject({ error: code });
});

it('an unknown session cannot be ended', async () => {
  expect((await send('GET', '/desk_sessions')).body).toEqual({ sessions: [] });
  expect((await send('DELETE', '/desk_sessions/x')).body).toMatchObject({ error: 'not_found' });
});
