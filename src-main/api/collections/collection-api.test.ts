import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testSession } from '../../../tests/helpers/api-stage.ts';
import type { SignedAddress } from '../../../src-preload/contract/api/signed-address.ts';
import { signAddress } from '../../sessions/signed-address.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const CONFIG = `http 80;
template cams { prefix cams; segment_duration 4; labels site=north; }
stream a { template cams; input udp://239.0.0.1:1234 priority=3; title "The gate"; }
# b is kept as it is
stream b { input publish://; provider city; password hidden; publish_key newest-key-of-b-0,older-key-of-b-00; }
stream live/c { input fake://; input rtsp://user:hidden@192.0.2.9/main; static false; }
vod clips { storage /srv/clips; }
dvr main { root /mnt/archive; disk volume1; disk volume2 keep; }
auth_backend gate { backend http://127.0.0.1:3000/auth; }
event_sink desk { url http://127.0.0.1:3000/events; only event=stream_*; }
peer south.example.org { cluster_key hidden; }
source http://north.example.org:80 { only cam1; }
rproxy { streampoint_key hidden; }
`;

interface List {
  readonly streams: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
  readonly prev: string | null;
  readonly estimated_count: number;
}

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
  stage.feed();
  stage.sessions.set('one', testSession('one', 'a'));
  stage.sessions.set('two', testSession('two', 'b'));
});
afterAll(() => stage.close());

async function names(query: string): Promise<unknown[]> {
  const { status, body } = await stage.request('GET', `/streams?${query}`);
  expect(status).toBe(200);
  return (body as List).streams.map(({ name }) => name);
}

const refusal: CollectionStage['refusal'] = (...request) => stage.refusal(...request);

describe('API lists', () => {
  it('are returned in an envelope', async () => {
    const { body } = await stage.request('GET', '/streams?select=name,position,stats.alive,inputs.url');
    expect(body).toEqual({
      streams: [
        { name: 'a', position: 0, stats: { alive: true }, inputs: [{ url: 'udp://239.0.0.1:1234' }] },
        { name: 'b', position: 0, stats: { alive: false }, inputs: [{ url: 'publish://' }] },
        {
          name: 'live/c',
          position: 0,
          stats: { alive: false },
          inputs: [{ url: 'fake://' }, { url: 'rtsp://user:********@192.0.2.9/main' }],
        },
      ],
      next: null,
      prev: null,
      estimated_count: 3,
      timing: {
        load: expect.any(Number) as number,
        filter: expect.any(Number) as number,
        sort: expect.any(Number) as number,
        limit: expect.any(Number) as number,
        select: expect.any(Number) as number,
      },
    });
  });

  it('can be filtered by all fields of configuration and state', async () => {
    expect(await names('stats.alive=true')).toEqual(['a']);
    expect(await names('provider=city,other')).toEqual(['b']);
    expect(await names('provider_is=null&sort=-name')).toEqual(['live/c', 'a']);
    expect(await names('labels.site=north')).toEqual(['a']);
    expect(await names('segment_duration_gt=2')).toEqual(['a']);
    expect(await names('static=false')).toEqual(['live/c']);
    expect(await names('name_like=live%2F')).toEqual(['live/c']);
    expect(await names('effective.section=stream&position_gte=0')).toEqual(['a', 'b', 'live/c']);
    expect(
      await names('stats.delay_lt=1000&stats.bitrate_gte=0&stats.clients_count=0&stats.ts_delay_is_not=null'),
    ).toEqual(['a']);
    expect(await names('stats.media_info_is=null&stats.problems_is_not=null')).toEqual(['a', 'b', 'live/c']);
    expect(await names('config_on_disk.template=cams')).toEqual(['a']);
    expect(await names('q=192.0.2.9')).toEqual(['live/c']);
    expect(await names('q=hidden')).toEqual([]);
  });

  it('are paged in both directions', async () => {
    const first = (await stage.request('GET', '/streams?limit=2&sort=-stats.ts_delay')).body as List;
    const second = (await stage.request('GET', `/streams?limit=2&sort=-stats.ts_delay&cursor=${first.next ?? ''}`))
      .body as List;
    expect([...first.streams, ...second.streams].map(({ name }) => name)).toEqual(['a', 'b', 'live/c']);
    expect([first.prev, second.next, second.estimated_count]).toEqual([null, null, 3]);
    const back = (await stage.request('GET', `/streams?limit=2&sort=-stats.ts_delay&cursor=${second.prev ?? ''}`))
      .body as List;
    expect(back.streams.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(await refusal('GET', `/streams?sort=name&cursor=${first.next ?? ''}`)).toEqual([
      400,
      'bad_cursor',
      { parameter: 'cursor' },
    ]);
    expect(await refusal('GET', `/streams?sort=-stats.ts_delay&static=true&cursor=${first.next ?? ''}`)).toEqual([
      400,
      'bad_cursor',
      { parameter: 'cursor' },
    ]);
  });

  it('refuse unknown parameters and values, and name the parameter', async () => {
    expect(await refusal('GET', '/streams?color=red')).toEqual([400, 'bad_query', { parameter: 'color' }]);
    expect(await refusal('GET', '/streams?limit=0')).toEqual([400, 'bad_query', { parameter: 'limit' }]);
    expect(await refusal('GET', '/streams?format=xml')).toEqual([400, 'bad_query', { parameter: 'format' }]);
    expect(await refusal('GET', '/vods?stats.alive=true')).toEqual([400, 'bad_query', { parameter: 'stats.alive' }]);
  });

  it('are returned as metrics to a client that accepts OpenMetrics', async () => {
    const { body, headers } = await stage.request('GET', '/streams?stats.alive=true', undefined, {
      accept: 'application/openmetrics-text',
    });
    expect(headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(body).toContain('# TYPE airdesk_stream_stats_bytes_in gauge\n');
    expect(body).toMatch(/^airdesk_stream_stats_alive\{name="a"\} 1$/m);
    expect(body).not.toContain('name="b"');
    expect(String(body).endsWith('# EOF\n')).toBe(true);
    expect((await stage.request('GET', '/streams?format=openmetrics&limit=1')).body).not.toContain('name="b"');
  });

  it('exist for every kind of object', async () => {
    const keys = {
      '/templates': ['templates', 'name', 'cams'],
      '/vods': ['vods', 'prefix', 'clips'],
      '/dvrs': ['dvrs', 'name', 'main'],
      '/auth_backends': ['auth_backends', 'name', 'gate'],
      '/event_sinks': ['event_sinks', 'name', 'desk'],
      '/cluster/peers': ['peers', 'hostname', 'south.example.org'],
      '/cluster/sources': ['sources', 'url', 'http://north.example.org:80'],
      '/sessions': ['sessions', 'id', 'one'],
    } as const;
    for (const [path, [list, key, value]] of Object.entries(keys)) {
      const { body } = await stage.request('GET', path);
      expect((body as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>)[list]?.[0]?.[key]).toBe(
        value,
      );
      const one = await stage.request('GET', `${path}/${encodeURIComponent(value)}`);
      expect([path, one.status, (one.body as Readonly<Record<string, unknown>>)[key]]).toEqual([path, 200, value]);
      expect(JSON.stringify([body, one.body])).not.toContain('hidden');
      expect((await stage.request('GET', `${path}/nobody`)).status).toBe(404);
    }
  });
});

describe('a stream in the API', () => {
  it('has its effective settings, its own settings, and its state', async () => {
    const { body } = await stage.request('GET', '/streams/a');
    expect(body).toMatchObject({
      name: 'a',
      title: 'The gate',
      segment_duration: 4,
      labels: { site: 'north' },
      named_by: 'config',
      static: true,
      inputs: [{ url: 'udp://239.0.0.1:1234', priority: 3, stats: { active: true } }],
      effective: { name: 'a', position: 0, section: 'stream', static: true },
      config_on_disk: { template: 'cams', title: 'The gate', inputs: [{ url: 'udp://239.0.0.1:1234', priority: 3 }] },
      stats: { alive: true, status: 'running', running: true, ts_delay: 0, dvr_enabled: false, remote: false },
    });
    expect((body as { stats: { id: string } }).stats.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('has a percent-encoded name if the name has slashes', async () => {
    expect((await stage.request('GET', '/streams/live%2Fc')).body).toMatchObject({ name: 'live/c', static: false });
    expect(await refusal('GET', '/streams/nobody')).toEqual([404, 'stream_not_found', { parameter: 'name' }]);
  });

  it('accepts the selection of an input, and can be stopped', async () => {
    const selected = await stage.request('POST', '/streams/a/inputs/0/select');
    expect([selected.status, selected.body]).toEqual([204, '']);
    expect(await refusal('POST', '/streams/a/inputs/9/select')).toEqual([404, 'input_not_found', undefined]);
    expect(await refusal('POST', '/streams/a/inputs/x/select')).toEqual([400, 'bad_query', { parameter: 'index' }]);
    expect(await refusal('POST', '/streams/nobody/inputs/0/select')).toEqual([404, 'stream_not_found', undefined]);
    const before = (await stage.request('GET', '/streams/a')).body as { stats: { id: string } };
    stage.clock.advance(10);
    expect((await stage.request('POST', '/streams/a/stop')).status).toBe(204);
    const after = (await stage.request('GET', '/streams/a')).body as { stats: { id: string } };
    expect(after.stats.id).not.toBe(before.stats.id);
    expect(await refusal('POST', '/streams/nobody/stop')).toEqual([404, 'stream_not_found', undefined]);
    stage.feed();
  });
});

describe('sessions in the API', () => {
  it('are authorized again on request, filtered and closed', async () => {
    expect((await stage.request('POST', '/sessions/reauth?name=a')).body).toEqual({ estimated_count: 1 });
    expect(await refusal('POST', '/sessions/reauth')).toEqual([400, 'bad_query', { parameter: 'name' }]);
    expect((await stage.request('GET', '/sessions?name=b&select=id')).body).toMatchObject({
      sessions: [{ id: 'two' }],
      estimated_count: 1,
    });
    const later = testSession('later', 'a', { archive: { fromSeconds: 1_800_000_000, durationSeconds: 60 } });
    stage.sessions.set('later', later);
    const live = { dvr: false, dvr_from: null, dvr_duration: null };
    expect((await stage.request('GET', '/sessions?name=a&sort=id')).body).toMatchObject({
      sessions: [{ dvr: true, dvr_from: 1_800_000_000, dvr_duration: 60 }, live],
    });
    const onward = { fromSeconds: 1_800_000_000, durationSeconds: Infinity };
    stage.sessions.set('later', testSession('later', 'a', { archive: onward }));
    expect((await stage.request('GET', '/sessions?dvr=true')).body).toMatchObject({
      sessions: [{ id: 'later', dvr_from: 1_800_000_000, dvr_duration: null }],
    });
    stage.sessions.delete('later');
    const closed = await stage.request('DELETE', '/sessions/two');
    expect([closed.status, closed.body]).toEqual([204, '']);
    expect(await refusal('DELETE', '/sessions/two')).toEqual([404, 'session_not_found', { parameter: 'id' }]);
    expect((await stage.request('PUT', '/sessions/one', {})).status).toBe(405);
  });
});

describe('API probes and the gateway', () => {
  it('show the state of the server', async () => {
    expect((await stage.request('GET', '/monitoring/liveness')).body).toMatchObject({
      server_version: '0.0.0',
      status: 'running',
    });
    expect((await stage.request('GET', '/monitoring/readiness')).status).toBe(200);
    stage.notReady = 'The server stops';
    expect(await refusal('GET', '/monitoring/readiness')).toEqual([503, 'unavailable', undefined]);
    stage.notReady = null;
  });

  it('include the gateway, which can be changed', async () => {
    expect((await stage.request('GET', '/rproxy')).body).toEqual({
      streampoint_key: '********',
      forward_ports: [],
      stats: null,
    });
    expect((await stage.request('PUT', '/rproxy', { forward_ports: ['2001=80'] })).body).toMatchObject({
      forward_ports: ['2001=80'],
    });
    expect(await refusal('PUT', '/rproxy', { color: 1 })).toEqual([400, 'unknown_key', { pointer: '/color' }]);
    const tag = (await stage.request('GET', '/rproxy')).headers.get('etag') ?? '';
    const changed = await stage.request('PUT', '/rproxy', { streampoint_key: 'another' }, { 'if-match': tag });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, expect.not.stringMatching(tag)]);
    for (const method of ['PUT', 'DELETE'])
      expect(
        (await stage.request(method, '/rproxy', method === 'PUT' ? {} : undefined, { 'if-match': tag })).status,
      ).toBe(412);
    expect((await stage.request('DELETE', '/rproxy')).status).toBe(204);
    expect(stage.text).not.toContain('rproxy');
  });
});

describe('API filters for null', () => {
  it.each(['streams', 'sessions', 'vods', 'dvrs', 'templates', 'auth_backends', 'event_sinks', 'cluster/peers'])(
    'find the objects of %s whose field is null or absent',
    async (path) => {
      const document = stage.document as { paths: Record<string, { get: { parameters: { name: string }[] } }> };
      const named = document.paths[`/${path}`]?.get.parameters.map(({ name }) => name) ?? [];
      const fields = new Set([
        ...named.filter((name) => name.endsWith('_is')).map((name) => name.slice(0, -3)),
        'stats',
      ]);
      const list = async (query: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
        const { status, body } = await stage.request('GET', `/${path}?${query}`);
        if (status === 400) return [];
        expect(status).toBe(200);
        return (
          (body as Record<string, readonly Readonly<Record<string, unknown>>[]>)[path.split('/').at(-1) ?? ''] ?? []
        );
      };
      const all = await list('limit=1000');
      for (const field of fields) {
        const isNull = (one: unknown): boolean =>
          (field
            .split('.')
            .reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], one) ?? null) ===
          null;
        const found = [await list(`${field}_is=null`), await list(`${field}_is_not=null`)];
        if (field === 'stats' && !named.includes('stats_is') && found.flat().length === 0) continue;
        expect([field, ...found.map(({ length }) => length)]).toEqual([
          field,
          all.filter(isNull).length,
          all.filter((one) => !isNull(one)).length,
        ]);
      }
    },
  );
});

describe('an API object', () => {
  it.each([
    '/streams/a',
    '/sessions/one',
    '/vods/clips',
    '/dvrs/main',
    '/auth_backends/gate',
    '/event_sinks/desk',
    '/cluster/peers/south.example.org',
    '/rproxy',
    '/templates/cams',
    '/streams/a?select=title',
  ])('is not sent again to a client that has its ETag: %s', async (path) => {
    const tag = (await stage.request('GET', path)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    const again = await stage.request('GET', path, undefined, { 'if-none-match': `"x", W/${tag}` });
    expect([again.status, again.headers.get('etag'), again.body]).toEqual([304, tag, '']);
    expect((await stage.request('GET', path, undefined, { 'if-none-match': '"x"' })).status).toBe(200);
  });
});

describe('API methods, content types and sizes', () => {
  it('are refused if they do not fit', async () => {
    const { headers } = await stage.request('PATCH', '/streams/a', {});
    expect(headers.get('allow')).toBe('GET, PUT, DELETE, HEAD, OPTIONS');
    expect(await refusal('DELETE', '/streams')).toEqual([405, 'method_not_allowed', undefined]);
    expect(
      await refusal('PUT', '/streams/a', 'title=x', { 'content-type': 'application/x-www-form-urlencoded' }),
    ).toEqual([415, 'unsupported_media_type', undefined]);
    expect(await refusal('PUT', '/streams/a', JSON.stringify({ title: 'x'.repeat(1_100_000) }))).toEqual([
      413,
      'request_too_large',
      undefined,
    ]);
    expect(await refusal('PUT', '/streams/a', '[1]')).toEqual([400, 'bad_request', { pointer: '' }]);
    expect((await stage.request('OPTIONS', '/streams')).status).toBe(200);
  });
});

describe('signed addresses in the API', () => {
  it('are signed with the newest key, for streams and for names under a prefix', async () => {
    const { status, body } = await stage.request('POST', '/streams/b/signed_address', {
      use: 'publish',
      expires_in: 60,
    });
    expect(status).toBe(200);
    const { expires, query } = body as SignedAddress;
    const sig = signAddress({ use: 'publish', name: 'b', ip: '' }, String(expires), 'newest-key-of-b-0');
    expect(query).toBe(`expires=${expires}&sig=${sig}`);
    expect((body as SignedAddress).urls.every((url) => url.endsWith(query))).toBe(true);
  });

  it.each([
    ['b', { use: 'play' }, 'signing_key_missing'],
    ['none', { use: 'play' }, 'stream_not_found'],
    ['b', { use: 'own' }, 'bad_value'],
    ['b', { use: 'publish', ip: 'x' }, 'bad_value'],
  ])('of %s for %o are refused with %s', async (name, body, code) => {
    expect(await refusal('POST', `/streams/${name}/signed_address`, body)).toContain(code);
  });

  it('never reveal their keys', async () => {
    const { body } = await stage.request('GET', '/streams/b');
    expect(JSON.stringify(body)).not.toContain('newest-key-of-b');
  });
});
