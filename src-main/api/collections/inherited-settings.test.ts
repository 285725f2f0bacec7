import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { addStream } from '../../control/stream-edits.ts';

const CONFIG = `live studio { password one; on_play http://h/play; dvr /srv/dvr 1d; }
template cams { prefix cam; password two; on_play http://h/cams; }
`;
const BY = { who: 'admin', fromWhere: 'test' };
/** Prefixes, each with its template or live prefix, and the password that is set there. */
const PLACES = [
  ['studio', 'studio', 'one'],
  ['cam', 'cams', 'two'],
] as const;

/** Number for a name that no other test uses, because encoders stay connected over a reset. */
let names = 0;
const nameUnder = (prefix: string): string => `${prefix}/s${++names}`;

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => stage.reset(CONFIG));
afterAll(() => stage.close());

async function publish(path: string, query = ''): Promise<boolean> {
  const request = {
    protocol: 'rtmp',
    path,
    query: new Map(new URLSearchParams(query)),
    peer: '192.0.2.7:4000',
  } as const;
  const answer = await stage.streams.publishing.decide(request, () => undefined);
  return answer.accepted;
}

async function succeed(method: string, path: string, body: unknown, type?: string): Promise<void> {
  const reply = await stage.request(method, path, body, type === undefined ? {} : { 'content-type': type });
  expect([reply.status < 300, reply.body]).toEqual([true, expect.anything()]);
}

const LEGACY = '/mediaserver/api';

/** Every way to create a stream, by interface. */
const WAYS: Readonly<Record<string, (name: string) => Promise<void>>> = {
  'PUT of one field': (name) => succeed('PUT', `/streams/${encodeURIComponent(name)}`, { title: 'x' }),
  POST: (name) => succeed('POST', '/streams', { name, title: 'x' }),
  'PUT /config': (name) => succeed('PUT', '/config', { streams: { [name]: { title: 'x' } } }),
  'modify_config with JSON': (name) =>
    succeed('POST', `${LEGACY}/modify_config`, { streams: { [name]: { title: 'x' } } }),
  'modify_config with text': (name) =>
    succeed('POST', `${LEGACY}/modify_config`, `stream ${name} {\n  title x; # the last }\n}\n`, 'text/plain'),
  stream_create: (name) =>
    succeed('POST', `${LEGACY}/config/stream_create`, `stream ${name} { title x; }`, 'text/plain'),
  'the bridge': (name) =>
    addStream(
      stage.configuration,
      { name, input_url: 'publish://', settings: [{ directive: 'title', words: ['x'] }] },
      BY,
    ),
};

describe('a stream created under a prefix keeps the settings of the prefix', () => {
  for (const [way, make] of Object.entries(WAYS))
    it.each(PLACES)(`by ${way}: %s`, async (prefix, template, password) => {
      const name = nameUnder(prefix);
      await make(name);
      expect(stage.configuration.config.streams.get(name)).toMatchObject({
        template,
        password,
        title: 'x',
        onPlay: expect.anything() as unknown,
        dvr: template === 'studio' ? { place: '/srv/dvr' } : null,
      });
      expect([
        await publish(name),
        await publish(name, 'password=wrong'),
        await publish(name, `password=${password}`),
      ]).toEqual([false, false, true]);
    });
});

describe('a published stream', () => {
  let name = '';
  let path = '';
  beforeEach(async () => {
    name = nameUnder('studio');
    path = `/streams/${encodeURIComponent(name)}`;
    expect(await publish(name, 'password=one')).toBe(true);
  });

  it('is unchanged after a PUT of the object that GET returned', async () => {
    const { body: read } = await stage.request('GET', path);
    const { body: saved } = await stage.request('PUT', path, read);
    expect(stage.text).toBe(`${CONFIG}stream ${name} {\n  template studio;\n}\n`);
    const { password, on_play: onPlay, dvr } = read as Readonly<Record<string, unknown>>;
    expect(password).toBeDefined();
    expect(saved).toMatchObject({ password, on_play: onPlay, dvr, template: 'studio' });
  });

  it('is returned with its template before anything is changed', async () => {
    const tried = await stage.request('PUT', `${path}?validate=true`, { title: 'x' });
    expect(tried.body).toMatchObject({ template: 'studio', title: 'x', effect: { streams_added: [name] } });
    expect(tried.body).toHaveProperty('password');
    expect(stage.text).toBe(CONFIG);
  });

  it('prefers its own settings to those of the prefix', async () => {
    await stage.request('PUT', path, { password: 'own' });
    expect(stage.configuration.config.streams.get(name)).toMatchObject({ password: 'own', template: 'studio' });
  });

  it('inherits nothing with a template of null', async () => {
    await stage.request('PUT', path, { title: 'x', template: null });
    expect(stage.configuration.config.streams.get(name)).toMatchObject({ password: null, template: null });
  });

  it('cannot be created by POST', async () => {
    expect(await stage.refusal('POST', '/streams', { name })).toEqual([409, 'stream_exists', { pointer: '/name' }]);
  });

  it.each(['DELETE', 'stream_delete'])('is removed by %s', async (way) => {
    await (way === 'DELETE'
      ? succeed('DELETE', path, undefined)
      : succeed('POST', `${LEGACY}/config/stream_delete`, name, 'text/plain'));
    expect(stage.streams.get(name)).toBeUndefined();
    expect(stage.text).toBe(CONFIG);
  });
});

it('a stream whose name matches a template and a live prefix is refused, with a pointer to the missing setting', async () => {
  await stage.reset(`${CONFIG}template studio { password three; }\n`);
  expect(await stage.refusal('PUT', '/streams/studio%2Fshared', { title: 'x' })).toEqual([
    400,
    'config_bad_value',
    { pointer: '/template' },
  ]);
  await stage.request('PUT', '/streams/studio%2Fshared', { title: 'x', template: 'studio' });
  expect(stage.configuration.config.streams.get('studio/shared')?.password).toBe('three');
});

describe('many API clients at once', () => {
  const COUNT = 20;
  const numbers = Array.from({ length: COUNT }, (_, index) => index);
  const lists: readonly [path: string, list: string, item: (index: number) => object][] = [
    ['/streams/new', 'inputs', (index) => ({ url: `udp://239.0.0.1:${1000 + index}` })],
    ['/streams/new', 'pushes', (index) => ({ url: `rtmp://h/${index}` })],
    ['/templates/new', 'inputs', (index) => ({ url: `udp://239.0.0.1:${1000 + index}` })],
    ['/vods/new', 'storages', (index) => ({ url: `/srv/${index}` })],
    ['/auth_backends/new', 'backends', (index) => ({ url: `http://h/${index}` })],
    ['/dvrs/new', 'disks', (index) => ({ path: `d${index}` })],
  ];

  it.each(lists)('lose no item of %s %s', async (path, list, item) => {
    const replies = await Promise.all(numbers.map((index) => stage.request('PUT', path, { [list]: [item(index)] })));
    expect(replies.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(numbers.map(() => 200));
    const { body } = await stage.request('GET', path);
    expect((body as Readonly<Record<string, readonly object[]>>)[list]).toHaveLength(COUNT);
  });

  it.each([
    ['/streams', { name: 'new', title: 'x' }, 'stream_exists'],
    ['/templates', { name: 'new' }, 'object_exists'],
    ['/vods', { prefix: 'new', storages: [{ url: '/srv' }] }, 'object_exists'],
    ['/auth_backends', { name: 'new' }, 'object_exists'],
  ])('create one object of %s, and all others get 409', async (path, body, code) => {
    const replies = await Promise.all(numbers.slice(0, 10).map(() => stage.request('POST', path, body)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect((await stage.refusal('POST', path, body)).slice(0, 2)).toEqual([409, code]);
  });
});
