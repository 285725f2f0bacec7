import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const CONFIG = `http 80;
# the template
template t { segment_duration 4; input udp://239.0.0.9:1; }
stream a {
  input udp://239.0.0.1:1; # first
  input udp://239.0.0.1:2 priority=7; # second
  title One;
  labels site=north floor=2;
}
stream b { template t; password hidden; }
vod clips { storage /srv/clips /srv/more; }
dvr main { disk volume1; disk volume2 keep; }
`;

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => stage.reset(CONFIG));
afterAll(() => stage.close());

interface Stream {
  readonly inputs: readonly { readonly url: string; readonly priority: number }[];
  readonly config_on_disk: Readonly<Record<string, unknown>>;
}

async function put(path: string, body: unknown): Promise<Readonly<Record<string, unknown>> & Stream> {
  const reply = await stage.request('PUT', path, body);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return reply.body as Readonly<Record<string, unknown>> & Stream;
}

async function urls(body: unknown): Promise<string[]> {
  return (await put('/streams/a', { inputs: body })).inputs.map(
    ({ url, priority }, index) => `${url}${priority === index + 1 ? '' : ` ${priority}`}`,
  );
}

const refusal: CollectionStage['refusal'] = (...request) => stage.refusal(...request);

describe('PUT of an API object', () => {
  it('creates a missing object, and changes an existing one', async () => {
    expect(await put('/streams/new', { inputs: [{ url: 'publish://' }], title: 'New' })).toMatchObject({
      name: 'new',
      title: 'New',
      inputs: [{ url: 'publish://' }],
      position: 0,
    });
    expect(await put('/streams/new', { title: 'Newer', comment: 'x' })).toMatchObject({
      title: 'Newer',
      comment: 'x',
      inputs: [{ url: 'publish://' }],
    });
    expect(await put('/streams/new', { comment: null })).not.toHaveProperty('comment');
    expect(stage.text).toContain('stream new {\n  input publish://;\n  title Newer;\n}\n');
    expect((await stage.request('GET', '/streams/new')).body).toMatchObject({ title: 'Newer' });
  });

  it('changes only the lines of its settings', async () => {
    await put('/streams/a', { title: 'Two', labels: { floor: null, hall: '1' } });
    expect(stage.text).toBe(
      CONFIG.replace('title One', 'title Two').replace('labels site=north floor=2', 'labels site=north hall=1'),
    );
  });

  it('is idempotent, and changes nothing if the body equals the object', async () => {
    const currentJson = (await stage.request('GET', '/streams/a')).body;
    await put('/streams/a', currentJson);
    expect(stage.text).toBe(CONFIG);
    const inherited = (await stage.request('GET', '/streams/b')).body;
    await put('/streams/b', inherited);
    expect(stage.text).toBe(CONFIG);
    for (const path of ['/templates/t', '/vods/clips', '/dvrs/main']) {
      await put(path, (await stage.request('GET', path)).body);
      expect([path, stage.text]).toEqual([path, CONFIG]);
    }
  });

  it('adds items without an index, changes items with an index, and removes items', async () => {
    expect(await urls([{ url: 'fake://' }])).toEqual(['udp://239.0.0.1:1', 'udp://239.0.0.1:2 7', 'fake://']);
    expect(await urls([{ url: 'fake://' }])).toEqual(['udp://239.0.0.1:1', 'udp://239.0.0.1:2 7', 'fake://']);
    expect(await urls([{ $index: 0, url: 'udp://239.0.0.1:9' }])).toEqual([
      'udp://239.0.0.1:9',
      'udp://239.0.0.1:2 7',
      'fake://',
    ]);
    expect(await urls([{ $index: 1, priority: null }])).toEqual(['udp://239.0.0.1:9', 'udp://239.0.0.1:2', 'fake://']);
    expect(await urls([{ $index: 0, $delete: true }, { url: 'publish://' }])).toEqual([
      'udp://239.0.0.1:2',
      'fake://',
      'publish://',
    ]);
    expect(await urls([{ url: 'fake://', $delete: true }])).toEqual(['udp://239.0.0.1:2', 'publish://']);
    expect((await refusal('PUT', '/streams/a', { inputs: [{ url: 'gone://', $delete: true }] })).at(-1)).toEqual({
      pointer: '/inputs/0/$delete',
    });
    expect(stage.text).toContain('input udp://239.0.0.1:2; # second');
    expect(await urls([])).toEqual([]);
    expect(await urls([{ url: 'fake://' }])).toEqual(['fake://']);
  });

  it('identifies list items by their key', async () => {
    expect(
      await put('/dvrs/main', {
        disks: [{ path: 'volume1', mode: 'readonly' }, { path: 'volume3' }, { path: 'volume2', $delete: true }],
      }),
    ).toMatchObject({ disks: [{ path: 'volume1', mode: 'readonly' }, { path: 'volume3' }] });
    expect(
      await put('/vods/clips', { storages: [{ url: '/srv/clips', $delete: true }, { url: '/srv/third' }] }),
    ).toMatchObject({ storages: [{ url: '/srv/more' }, { url: '/srv/third' }] });
    expect(stage.text).toContain('dvr main { disk volume1 readonly; disk volume3; }');
  });

  it('with $reset keeps only the settings in the body', async () => {
    await put('/streams/a', { $reset: true, title: 'Only' });
    expect(stage.text).toContain('stream a {\n  # first\n  # second\n  title Only;\n}\n');
    expect(await put('/streams/b', { $reset: true, inputs: [{ url: 'fake://' }] })).toMatchObject({
      config_on_disk: { inputs: [{ url: 'fake://' }] },
    });
    expect(stage.text).toContain('stream b { input fake://; }');
  });

  it('adds to the list of the stream itself, not to that of its template', async () => {
    expect((await put('/streams/b', { inputs: [{ url: 'fake://' }] })).inputs.map(({ url }) => url)).toEqual([
      'fake://',
    ]);
    expect((await put('/streams/b', { inputs: null })).inputs.map(({ url }) => url)).toEqual(['udp://239.0.0.9:1']);
  });

  it('keeps a secret if the body contains its mask', async () => {
    await put('/streams/b', { password: '********', title: 'B' });
    expect(stage.text).toContain('password hidden;');
  });

  it.each([
    [{ inputs: 'fake://' }, 'bad_value', '/inputs'],
    [{ inputs: { url: 'fake://' } }, 'bad_value', '/inputs'],
    [{ inputs: [{ url: ['fake://'] }] }, 'bad_value', '/inputs/0/url'],
    [{ title: ['a'] }, 'bad_value', '/title'],
    [{ title: { a: 1 } }, 'bad_value', '/title'],
    [{ segment_count: 'many' }, 'bad_value', '/segment_count'],
    [{ disabled: 'on' }, 'bad_value', '/disabled'],
    [{ dvr: 'x' }, 'bad_value', '/dvr'],
    [{ inputs: [{ $index: 0 }, { $index: 0, priority: 2 }] }, 'bad_value', '/inputs/1/$index'],
    [{ inputs: [{ url: 'fake://nobody', $delete: true }] }, 'config_bad_value', '/inputs/0/$delete'],
    [{ inputs: [{ url: 'fake://x', source_timout: 3 }] }, 'unknown_key', '/inputs/0/source_timout'],
    [{ inputs: [{ url: 'srt://192.0.2.1:9000', wholly_unknown: 3 }] }, 'unknown_key', '/inputs/0/wholly_unknown'],
    [{ titel: 'x' }, 'unknown_key', '/titel'],
    [{ labels: { site: 'a\u0000b' } }, 'config_bad_value', '/labels/site'],
    [{ labels: { site: 'x'.repeat(201) } }, 'config_bad_value', '/labels/site'],
    [
      { labels: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, 'x'])) },
      'config_bad_value',
      '/labels',
    ],
  ])('refuses %j with a pointer into the body', async (body, code, pointer) => {
    expect(await refusal('PUT', '/streams/a', body)).toEqual([400, code, { pointer }]);
    expect(stage.text).toBe(CONFIG);
  });

  it('refuses unknown keys and wrong values with their pointers, and changes nothing', async () => {
    expect(await refusal('PUT', '/streams/a', { color: 'red' })).toEqual([400, 'unknown_key', { pointer: '/color' }]);
    expect(await refusal('PUT', '/streams/a', { dvr: { root: '@main', 'a/b': 1 } })).toEqual([
      400,
      'unknown_key',
      { pointer: '/dvr/a~1b' },
    ]);
    expect(await refusal('PUT', '/streams/a', { inputs: [{ url: 'x' }] })).toEqual([
      400,
      'config_bad_value',
      { pointer: '/inputs/0/url' },
    ]);
    expect(await refusal('PUT', '/streams/a', { segment_count: 1 })).toEqual([
      400,
      'config_bad_value',
      { pointer: '/segment_count' },
    ]);
    expect(await refusal('PUT', '/streams/a', { inputs: [{ $index: 5, url: 'fake://' }] })).toEqual([
      400,
      'config_bad_value',
      { pointer: '/inputs/0/$index' },
    ]);
    expect(await refusal('PUT', '/streams/a', { inputs: [{ $index: -1 }] })).toEqual([
      400,
      'bad_value',
      { pointer: '/inputs/0/$index' },
    ]);
    expect((await refusal('PUT', '/streams/..%2Fx', { title: 'x' })).slice(0, 2)).toEqual([400, 'bad_stream_name']);
    expect(await refusal('PUT', '/streams/a', '{"__proto__": {"a": 1}}')).toEqual([
      400,
      'unknown_key',
      { pointer: '/__proto__' },
    ]);
    expect((await refusal('PUT', '/cluster/peers/a%20b', { api_url: 'http://192.0.2.1' })).slice(0, 2)).toEqual([
      400,
      expect.any(String),
    ]);
    expect(stage.text).toBe(CONFIG);
  });

  it('ignores read-only keys', async () => {
    expect(
      await put('/streams/a', { name: 'a', stats: { alive: false }, named_by: 'user', title: 'Two' }),
    ).toMatchObject({ name: 'a', title: 'Two' });
  });
});

describe('DELETE of an API object', () => {
  it('answers without a body, and 404 the next time', async () => {
    const removed = await stage.request('DELETE', '/streams/a');
    expect([removed.status, removed.body]).toEqual([204, '']);
    expect((await refusal('DELETE', '/streams/a')).slice(0, 2)).toEqual([404, 'stream_not_found']);
    expect((await refusal('GET', '/streams/a')).slice(0, 2)).toEqual([404, 'stream_not_found']);
    expect((await stage.request('DELETE', '/vods/clips')).status).toBe(204);
    expect((await stage.request('DELETE', '/dvrs/main')).status).toBe(204);
    expect(stage.text).toBe(
      'http 80;\n# the template\ntemplate t { segment_duration 4; input udp://239.0.0.9:1; }\nstream b { template t; password hidden; }\n',
    );
    // The template is in use.
    expect((await refusal('DELETE', '/templates/t')).slice(0, 2)).toEqual([409, 'template_in_use']);
  });

  it('refuses to delete a storage that is in use, and lists its users', async () => {
    const put = async (path: string, body: object): Promise<number> => (await stage.request('PUT', path, body)).status;
    expect(await put('/dvrs/disk', { root: 'archive' })).toBeLessThan(300);
    expect(await put('/templates/t', { dvr: { root: '@disk' } })).toBeLessThan(300);
    // The stream inherits the storage from its template.
    expect((await stage.request('DELETE', '/dvrs/disk')).body).toMatchObject({
      error: 'storage_in_use',
      errors: [{ detail: 'disk is the storage of b, t' }],
    });
    expect(await put('/templates/t', { dvr: null })).toBeLessThan(300);
    expect((await stage.request('DELETE', '/dvrs/disk')).status).toBe(204);
  });
});

describe('paging through all streams', () => {
  it('skips no stream while streams are removed and created', async () => {
    for (let index = 0; index < 9; index++) await put(`/streams/s${8 - index}`, { inputs: [{ url: 'publish://' }] });
    const seen: string[] = [];
    let cursor: string | null = '';
    for (const removed of ['a', 's0', 's2', 'b', 's1', 's3', 's4']) {
      if (cursor === null) break;
      const { streams, next } = (await stage.request('GET', `/streams?limit=2&select=name,position&cursor=${cursor}`))
        .body as { readonly streams: readonly { readonly name: string }[]; readonly next: string | null };
      seen.push(...streams.map(({ name }) => name));
      cursor = next;
      expect((await stage.request('DELETE', `/streams/${removed}`)).status).toBe(204);
      await put(`/streams/0after-${removed}`, { inputs: [{ url: 'publish://' }] });
    }
    expect(seen.filter((name) => !name.startsWith('0after'))).toEqual([
      'a',
      'b',
      's0',
      's1',
      's2',
      's3',
      's4',
      's5',
      's6',
      's7',
      's8',
    ]);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('returns streams by their configured position, then by name', async () => {
    await stage.configuration.changes.replace(
      'http 80;\nstream b { input fake://; position 2; }\nstream z { input fake://; }\nstream a { input fake://; }\n',
      { who: 'test', fromWhere: 'test' },
    );
    const { body } = await stage.request('GET', '/streams?select=name,position');
    expect(body).toMatchObject({
      streams: [
        { name: 'a', position: 0 },
        { name: 'z', position: 0 },
        { name: 'b', position: 2 },
      ],
    });
  });
});

describe('POST of an API object', () => {
  it('creates an object with a given or a generated name', async () => {
    const named = await stage.request('POST', '/streams', { name: 'p/q', inputs: [{ url: 'fake://' }] });
    expect([named.status, (named.body as { name: string }).name]).toEqual([201, 'p/q']);
    expect(await refusal('POST', '/streams', { name: 'p/q', title: 'again' })).toEqual([
      409,
      'stream_exists',
      { pointer: '/name' },
    ]);
    const unnamed = await stage.request('POST', '/streams', { inputs: [{ url: 'fake://' }] });
    expect([unnamed.status, (unnamed.body as { name: string }).name]).toEqual([
      201,
      expect.stringMatching(/^stream-[0-9a-f]{12}$/),
    ]);
    expect(
      (await stage.request('POST', '/vods', { prefix: 'films', storages: [{ url: '/srv/films' }] })).body,
    ).toMatchObject({ prefix: 'films', storages: [{ url: '/srv/films' }] });
    expect(await refusal('POST', '/vods', { storages: [] })).toEqual([400, 'bad_value', { pointer: '/prefix' }]);
  });

  it('executes requests with the same Idempotency-Key once', async () => {
    const headers = { 'idempotency-key': '6f1c2c1e-0000-4000-8000-000000000001' };
    const body = { inputs: [{ url: 'fake://' }] };
    const [first, meanwhile] = await Promise.all([
      stage.request('POST', '/streams', body, headers),
      stage.request('POST', '/streams', body, headers),
    ]);
    const again = await stage.request('POST', '/streams', body, headers);
    expect(again).toMatchObject({ status: first.status, body: first.body });
    expect(meanwhile.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await refusal('POST', '/streams', { inputs: [{ url: 'publish://' }] }, headers)).toEqual([
      409,
      'idempotency_key_reused',
      { parameter: 'Idempotency-Key' },
    ]);
    expect(((await stage.request('GET', '/streams')).body as { estimated_count: number }).estimated_count).toBe(3);
    stage.clock.advance(86_400_001);
    // The server closes connections that were idle for a day, so a client may meet one of them once.
    await stage.request('GET', '/streams').catch(() => undefined);
    const dayAfter = await stage.request('POST', '/streams', body, headers);
    expect((dayAfter.body as { name: string }).name).not.toBe((first.body as { name: string }).name);
  });

  it('does not store a refusal under its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'k' };
    expect((await refusal('POST', '/streams', { name: 'x', color: 1 }, headers)).slice(0, 2)).toEqual([
      400,
      'unknown_key',
    ]);
    expect((await stage.request('POST', '/streams', { name: 'x', title: 'X' }, headers)).status).toBe(201);
  });
});
