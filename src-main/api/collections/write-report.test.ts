import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';

const CONFIG = `http 80;
# the gate
stream a {
  input udp://239.0.0.1:1; # first
  title One;
}
template t { input udp://239.0.0.9:1; }
stream b { template t; }
`;

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(CONFIG);
});
beforeEach(() => stage.reset(CONFIG));
afterAll(() => stage.close());

interface Report {
  readonly error?: string;
  readonly effect?: unknown;
  readonly warnings?: readonly {
    readonly code: string;
    readonly title: string;
    readonly detail: string;
    readonly source: { readonly pointer: string };
  }[];
}

async function write(
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Report & { readonly status: number; readonly header: string | null }> {
  const { status, body: answer, headers: given } = await stage.request(method, path, body, headers);
  const report = typeof answer === 'object' ? (answer as Report) : {};
  return { ...report, status, header: given.get('airdesk-warnings') };
}

function pointers({ warnings = [] }: Report): string[] {
  return warnings.map(({ code, source }) => `${code} ${source.pointer}`);
}

const EFFECT = { streams_added: [], streams_removed: [], streams_restarted: [], streams_updated: [] };
const TEXT = { 'content-type': 'text/plain' };
const LEGACY = '/mediaserver/api';

describe('a setting without effect', () => {
  it('is reported by the PUT that sets it, and by no other PUT', async () => {
    const set = await write('PUT', '/streams/a', { mpegts_pids: { pmt: '256' } });
    expect([set.status, pointers(set)]).toEqual([200, ['config_not_effective /mpegts_pids']]);
    const [warning] = set.warnings ?? [];
    expect(warning?.title).toContain('no effect');
    expect(warning?.detail).toContain('pids');
    expect(pointers(await write('PUT', '/streams/a', { title: 'Two' }))).toEqual([]);
  });

  it('is reported down to the option of a setting', async () => {
    await write('PUT', '/dvrs/main', { root: '/srv' });
    const copied = { dvr: { root: '@main', expiration: 86_400, copy: 'file:///mnt/copy' } };
    expect(pointers(await write('PUT', '/streams/a', copied))).toEqual(['config_not_effective /dvr/copy']);
    expect(pointers(await write('PUT', '/streams/a', { dvr: null }))).toEqual([]);
    expect(pointers(await write('PUT', '/dvrs/one', { root: '/mnt', raid: 1 }))).toEqual([]);
    const unused = { copy: 'file:///mnt/copy', episodes_url: 'http://192.0.2.1/episodes' };
    expect(pointers(await write('PUT', '/dvrs/one', unused))).toEqual([
      'config_not_effective /copy',
      'config_not_effective /episodes_url',
    ]);
  });

  it('is reported for an unusable address of a location, sink or backend, without its secrets', async () => {
    const storages = ['/srv/clips', 's3://KEY:hidden@bucket/clips', 'swift://bucket/', 'http://192.0.2.1/clips'];
    const vod = await write('PUT', '/vods/far', { storages });
    expect([vod.status, pointers(vod)]).toEqual([200, [1, 2, 3].map((at) => `config_not_effective /storages/${at}`)]);
    expect(JSON.stringify(vod.warnings)).not.toContain('hidden');
    for (const [path, body, expected] of [
      ['/vods/here', { storages: ['/srv/clips'] }, []],
      ['/vods/none', { position: 1 }, ['config_not_effective ']],
      ['/event_sinks/script', { url: 'sinks/mine.lua' }, ['config_not_effective /url']],
      ['/event_sinks/none', { level: 'info' }, ['config_not_effective ']],
      ['/event_sinks/good', { url: 'log://events.log' }, []],
      ['/auth_backends/script', { backends: [{ url: 'mine.lua' }] }, ['config_not_effective /backends/0/url']],
      ['/auth_backends/good', { backends: [{ url: 'http://192.0.2.1/' }] }, []],
      ['/streams/a', { on_play: { url: 'mine.lua' } }, ['config_not_effective /on_play/url']],
      ['/streams/a', { on_play: null }, []],
    ] as const) {
      const report = await write('PUT', path, body);
      expect([path, report.status < 300, pointers(report)]).toEqual([path, true, expected]);
    }
  });

  it('may be sent back together with the warning', async () => {
    const { body } = await stage.request('PUT', '/streams/a', { mpegts_pids: { pmt: '256' } });
    expect((await write('PUT', '/streams/a', body)).status).toBe(200);
  });

  it('is reported for the object if a complete block has no effect', async () => {
    expect(pointers(await write('PUT', '/cluster/peers/p.example.org', { api_url: 'http://192.0.2.1' }))).toEqual([
      'config_not_effective ',
    ]);
  });

  it('is reported for a merge, with its path in the configuration', async () => {
    await write('PUT', '/streams/b', { mpegts_pids: { pmt: '256' } });
    const fragment = { streams: { a: { mpegts_pids: { pmt: '256' } } } };
    const merged = await write('PUT', '/config', fragment);
    expect([pointers(merged), merged.header]).toEqual([
      ['config_not_effective /streams/a/mpegts_pids'],
      'config_not_effective /streams/a/mpegts_pids',
    ]);
    expect(pointers(await write('POST', `${LEGACY}/modify_config`, fragment))).toEqual(pointers(merged));
    expect(pointers(await write('POST', '/config', fragment))).toEqual(pointers(merged));
  });

  it.each(['urls', 'url', 'input'])('is reported under the alias that the request uses: %s', async (alias) => {
    const inputs = [{ url: 'udp://239.0.0.1:1', transport: 'tcp' }];
    const legacy = await write('POST', `${LEGACY}/modify_config`, { streams: { n: { [alias]: inputs } } });
    expect([legacy.status, pointers(legacy)]).toEqual([200, [`config_not_effective /streams/n/${alias}/0/transport`]]);
    const merged = await write('PUT', '/config', { streams: { m: { title: 'M', [alias]: inputs } } });
    expect(pointers(merged)).toEqual([`config_not_effective /streams/m/${alias}/0/transport`]);
  });

  it('is reported with its line', async () => {
    const text =
      'http 80;\n\nstream a {\n  input udp://239.0.0.1:1;\n}\nstream b {\n  input udp://239.0.0.2:1\n    colour=red;\n}\n';
    const replaced = await write('PUT', '/config', text, TEXT);
    const source = { pointer: '/streams/b/inputs/0/colour', line: 8, column: 5 };
    expect(replaced.warnings?.map(({ source }) => source)).toEqual([source]);
    const put = await write('POST', `${LEGACY}/modify_config`, text.split('\n').slice(5).join('\n'), TEXT);
    expect(put.warnings?.map(({ source }) => source)).toEqual([{ ...source, line: 3 }]);
  });

  it('is reported for the blocks of a text, and for a complete text', async () => {
    const put = await write('POST', `${LEGACY}/modify_config`, 'stream c { mpegts_pids pmt=256; }', TEXT);
    expect(pointers(put)).toEqual(['config_not_effective /streams/c/mpegts_pids']);
    const replaced = await write('PUT', '/config', `${stage.text}plugins x;\n`, TEXT);
    expect(pointers(replaced)).toEqual([
      'config_not_effective /plugins',
      'config_not_effective /streams/c/mpegts_pids',
    ]);
  });

  it('is reported in a header if the answer is a single value', async () => {
    const saved = await stage.request(
      'POST',
      `${LEGACY}/save_config`,
      `${CONFIG}stream d { mpegts_pids pmt=256; }\n`,
      TEXT,
    );
    expect([saved.body, saved.headers.get('airdesk-warnings')]).toEqual([
      true,
      'config_not_effective /streams/d/mpegts_pids',
    ]);
  });

  it('is reported although many warnings fill the list of the document', async () => {
    const many = Array.from({ length: 1100 }, (_, index) => `stream s${index} { mpegts_pids pmt=256; }\n`).join('');
    await stage.configuration.changes.replace(`${many}stream z { }\n`, { who: 'test', fromWhere: 'test' });
    const set = await write('PUT', '/streams/z', { mpegts_pids: { pmt: '256' } });
    expect(pointers(set)).toEqual(['config_not_effective /mpegts_pids']);
  });
});

describe('a dry run', () => {
  /** State that no dry run may change. */
  const state = (): unknown[] => [
    stage.text,
    stage.configuration.revision,
    stage.configuration.versionId,
    stage.configuration.history.list(10).length,
    [...stage.engine.open.keys()],
  ];

  it.each([
    ['PUT', '/streams/a', { title: 'Two' }, undefined, 200, { ...EFFECT, streams_updated: ['a'] }],
    [
      'PUT',
      '/streams/a',
      { inputs: [{ url: 'udp://239.0.0.2:1' }] },
      undefined,
      200,
      { ...EFFECT, streams_restarted: ['a'] },
    ],
    ['PUT', '/streams/n', { inputs: [] }, undefined, 200, { ...EFFECT, streams_added: ['n'] }],
    ['PUT', '/streams/a', { name: 'n' }, undefined, 200, { ...EFFECT, streams_added: ['n'], streams_removed: ['a'] }],
    ['POST', '/streams', { name: 'n' }, { 'idempotency-key': 'k' }, 201, { ...EFFECT, streams_added: ['n'] }],
    [
      'PUT',
      '/templates/t',
      { inputs: [{ url: 'udp://239.0.0.8:1' }] },
      undefined,
      200,
      { ...EFFECT, streams_restarted: ['b'] },
    ],
    ['PUT', '/vods/v', { storages: [{ url: '/srv' }] }, undefined, 200, EFFECT],
    ['PUT', '/rproxy', { edge: true }, undefined, 400, undefined],
    ['DELETE', '/streams/a', undefined, undefined, 204, undefined],
    ['DELETE', '/templates/t', undefined, undefined, 409, undefined],
    ['DELETE', '/streams/none', undefined, undefined, 404, undefined],
    ['PUT', '/config', { streams: { a: null } }, undefined, 200, { ...EFFECT, streams_removed: ['a'] }],
    ['PUT', '/config', 'stream a { }', TEXT, 200, { ...EFFECT, streams_removed: ['b'], streams_restarted: ['a'] }],
    ['PUT', '/config', 'stream a {', TEXT, 400, undefined],
    ['POST', `${LEGACY}/modify_config`, { streams: { n: {} } }, undefined, 200, { ...EFFECT, streams_added: ['n'] }],
    ['POST', `${LEGACY}/modify_config`, 'stream n { }', TEXT, 200, { ...EFFECT, streams_added: ['n'] }],
    ['POST', `${LEGACY}/update_config`, 'stream n { }', TEXT, 200, undefined],
    ['POST', `${LEGACY}/save_config`, 'stream n { }', TEXT, 200, undefined],
    ['POST', `${LEGACY}/config/stream_create`, 'stream n { }', TEXT, 200, undefined],
    ['POST', `${LEGACY}/config/stream_delete`, 'a', TEXT, 200, undefined],
  ] as const)(
    'of %s %s with %j answers like the write, and changes nothing',
    async (method, path, body, headers, status, effect) => {
      const before = state();
      const tried = await write(method, `${path}?validate=true`, body, headers);
      expect([tried.status, tried.effect]).toEqual([status, effect]);
      expect(state()).toEqual(before);
      // The answer is that of the write, and the key is still unused.
      expect((await write(method, path, body, headers)).status).toBe(status);
    },
  );

  it('returns the object as it would be, with warnings and without an ETag', async () => {
    const body = { title: 'Two', mpegts_pids: { pmt: '256' } };
    const tried = await stage.request('PUT', '/streams/a?validate=true', body);
    const { effect, ...shown } = tried.body as Report & Readonly<Record<string, unknown>>;
    const created = await stage.request('PUT', '/streams/a', body);
    expect(effect).toBeDefined();
    const { stats: _stats, ...madeJson } = created.body as Readonly<Record<string, unknown>>;
    expect(shown).toMatchObject(madeJson);
    // The ETag identifies the current configuration.
    expect(tried.headers.get('etag')).toBeNull();
  });

  it('reports errors with their path, and failed preconditions', async () => {
    const bad = await stage.request('PUT', '/streams/a?validate=true', { segment_duration: 'long' });
    expect(bad).toMatchObject({ status: 400, body: { errors: [{ source: { pointer: '/segment_duration' } }] } });
    expect((await write('PUT', '/streams/a?validate=true', {}, { 'if-match': '"other"' })).status).toBe(412);
  });

  it('is not made with validate=false', async () => {
    expect((await write('DELETE', '/streams/a?validate=false')).status).toBe(204);
    expect((await write('DELETE', '/streams/a')).status).toBe(404);
  });

  it('is refused by operations without one, so that they are not executed', async () => {
    const refused = await write('POST', '/streams/a/stop?validate=true');
    expect([refused.status, refused.error]).toEqual([400, 'bad_query']);
    expect((await write('POST', `${LEGACY}/reload?validate=true`)).status).toBe(400);
  });
});

describe('a PUT with another name', () => {
  it('renames a stream in place, with its comments, together with other changes', async () => {
    const before = stage.configuration.versionId ?? 0;
    const renamed = await stage.request('PUT', '/streams/a', { name: 'site/gate', title: 'Two' });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'site/gate', title: 'Two' } });
    expect(stage.text).toBe(CONFIG.replace('stream a {', 'stream site/gate {').replace('title One', 'title Two'));
    expect((await stage.request('GET', '/streams/a')).status).toBe(404);
    expect(stage.configuration.versionId).toBe(before + 1);
  });

  it.each([
    ['b', 409, 'stream_exists'],
    ['mediaserver/x', 400, 'bad_stream_name'],
    ['', 400, 'bad_stream_name'],
    [7, 400, 'bad_value'],
  ])('refuses the name %j', async (name, status, code) => {
    const refused = await stage.request('PUT', '/streams/a', { name, title: 'Two' });
    expect(refused).toMatchObject({ status, body: { error: code, errors: [{ source: { pointer: '/name' } }] } });
    expect(stage.text).toBe(CONFIG);
  });

  it('ignores the name if the stream does not exist, as for a copy', async () => {
    const { body } = await stage.request('GET', '/streams/a');
    expect(await stage.request('PUT', '/streams/copy', body)).toMatchObject({ status: 200, body: { name: 'copy' } });
    expect((await stage.request('GET', '/streams/a')).status).toBe(200);
  });
});
