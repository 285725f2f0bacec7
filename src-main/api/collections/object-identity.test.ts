import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const CONFIG = `http 80;

template t { segment_duration 4; }

stream a { input udp://239.0.0.1:1; input udp://239.0.0.1:2 priority=7; title A; }

stream b { template t; input publish://; }
`;

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => stage.reset(CONFIG));
afterAll(() => stage.close());

async function status(...request: Parameters<CollectionStage['request']>): Promise<unknown[]> {
  const { status: code, body } = await stage.request(...request);
  return [code, (body as { readonly error?: string }).error];
}

async function tagOf(path: string): Promise<string> {
  return (await stage.request('GET', path)).headers.get('etag') ?? '';
}

describe('an API object', () => {
  it('is reduced to the fields of select', async () => {
    expect((await stage.request('GET', '/streams/a?select=name,stats.alive')).body).toEqual({
      name: 'a',
      stats: { alive: false },
    });
    expect(await status('GET', '/streams/a?select=colour')).toEqual([400, 'bad_query']);
  });

  it('has a priority for every input, and accepts its inputs as returned', async () => {
    const { body } = await stage.request('GET', '/streams/a');
    const { inputs } = body as { readonly inputs: readonly object[] };
    expect(inputs).toMatchObject([{ priority: 1 }, { priority: 7 }]);
    await stage.request('PUT', '/streams/a', { inputs: [inputs[0], { ...inputs[1], priority: 8 }] });
    expect(stage.text).toBe(CONFIG.replace('priority=7', 'priority=8'));
  });

  it('leaves no line in the configuration after creation and removal', async () => {
    for (const name of ['c', 'd']) await stage.request('PUT', `/streams/${name}`, { inputs: [{ url: 'fake://' }] });
    await stage.request('PUT', '/templates/u', { segment_duration: 3 });
    await stage.request('PUT', '/auth_backends/x', { allow_default: true });
    for (const path of ['/streams/c', '/streams/d', '/templates/u', '/auth_backends/x'])
      expect(await status('DELETE', path)).toEqual([204, undefined]);
    expect(stage.text).toBe(CONFIG);
  });

  it('cannot have a name that starts like an address of the server', async () => {
    for (const name of ['mediaserver/x', 'streamer', 'flussonic/a/b', 'tv-management/x', '-/x'])
      expect(await status('PUT', `/streams/${encodeURIComponent(name)}`, { title: 'x' })).toEqual([
        400,
        'bad_stream_name',
      ]);
    expect(await status('PUT', '/streams/mediaserver2', { title: 'x' })).toEqual([200, undefined]);
  });

  it('is returned with a Location when created', async () => {
    const created = await stage.request('POST', '/streams', { name: 'live/new', inputs: [{ url: 'publish://' }] });
    expect([created.status, created.headers.get('location')]).toEqual([201, '/mediaserver/api/v3/streams/live%2Fnew']);
    const again = await stage.request('POST', '/streams', { name: 'live/new', title: 'x' });
    expect([again.status, again.headers.get('location')]).toEqual([409, null]);
  });
});

describe('the ETag of an API object', () => {
  it('stays the same while only the state changes, and changes with a setting', async () => {
    const tag = await tagOf('/streams/a');
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    stage.feed();
    stage.clock.advance(5000);
    expect(await tagOf('/streams/a')).toBe(tag);
    expect(await tagOf('/streams/b')).not.toBe(tag);
    const changed = await stage.request('PUT', '/streams/a', { title: 'Other' });
    expect(changed.headers.get('etag')).not.toBe(tag);
    expect(changed.headers.get('etag')).toBe(await tagOf('/streams/a'));
  });

  it('changes if only a secret changes, for objects of all kinds', async () => {
    for (const [path, first, second] of [
      ['/streams/a', { password: 'one' }, { password: 'two' }],
      [
        '/streams/a',
        { pushes: [{ url: 'rtmp://u:one@192.0.2.9/x' }] },
        { pushes: [{ url: 'rtmp://u:two@192.0.2.9/x' }] },
      ],
      ['/templates/t', { password: 'one' }, { password: 'two' }],
      ['/event_sinks/e', { url: 'http://u:one@192.0.2.9/' }, { url: 'http://u:two@192.0.2.9/' }],
      ['/cluster/peers/p.example.org', { cluster_key: 'one' }, { cluster_key: 'two' }],
    ] as const) {
      expect(await status('PUT', path, first)).toEqual([200, undefined]);
      const tag = await tagOf(path);
      expect(await tagOf(path)).toBe(tag);
      expect(await status('PUT', path, second, { 'if-match': tag })).toEqual([200, undefined]);
      expect(await tagOf(path)).not.toBe(tag);
      expect(await status('PUT', path, first, { 'if-match': tag })).toEqual([412, 'precondition_failed']);
    }
  });

  it('prevents a client from overwriting the change of another client', async () => {
    for (const [path, change] of [
      ['/streams/a', { title: 'Mine' }],
      ['/templates/t', { title: 'Mine' }],
    ] as const) {
      const tag = await tagOf(path);
      expect(await status('PUT', path, { title: 'Theirs' }, { 'if-match': tag })).toEqual([200, undefined]);
      const text = stage.text;
      expect(await status('PUT', path, change, { 'if-match': tag })).toEqual([412, 'precondition_failed']);
      expect(await status('DELETE', path, undefined, { 'if-match': tag })).toEqual([412, 'precondition_failed']);
      expect(stage.text).toBe(text);
      expect(await status('PUT', path, change, { 'if-match': `"x", ${await tagOf(path)}` })).toEqual([200, undefined]);
      expect(await status('PUT', path, change, { 'if-match': '*' })).toEqual([200, undefined]);
    }
  });

  it('is compared when the change is executed, not earlier', async () => {
    const tag = await tagOf('/streams/a');
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((title) => status('PUT', '/streams/a', { title }, { 'if-match': tag })),
    );
    expect(answers.map(([code]) => code).sort()).toEqual([200, 412, 412]);
  });

  it('can limit a PUT to missing objects', async () => {
    const none = { 'if-none-match': '*' };
    expect(await status('PUT', '/streams/a', { title: 'x' }, none)).toEqual([412, 'precondition_failed']);
    expect(await status('PUT', '/streams/new', { title: 'x' }, { 'if-match': '*' })).toEqual([
      412,
      'precondition_failed',
    ]);
    expect(await status('PUT', '/streams/new', { title: 'x' }, none)).toEqual([200, undefined]);
    const both = await Promise.all([1, 2].map(() => status('PUT', '/streams/newer', { title: 'x' }, none)));
    expect(both.map(([code]) => code).sort()).toEqual([200, 412]);
  });
});

describe('a cursor in the default order', () => {
  it('continues after a restart, although earlier streams were removed', async () => {
    for (const name of ['e', 'd', 'c'])
      await stage.request('PUT', `/streams/${name}`, { inputs: [{ url: 'publish://' }] });
    const page = async (cursor: string): Promise<{ readonly names: string[]; readonly next: string }> => {
      const { body } = await stage.request('GET', `/streams?limit=2&select=name&cursor=${cursor}`);
      const { streams, next } = body as {
        readonly streams: readonly { readonly name: string }[];
        readonly next: string;
      };
      return { names: streams.map(({ name }) => name), next };
    };
    const first = await page('');
    await stage.request('DELETE', '/streams/a');
    const text = stage.text;
    await stage.close();
    stage = await CollectionStage.start(text);
    const second = await page(first.next);
    expect([first.names, second.names, (await page(second.next)).names]).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });
});
