import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configJsonTexts, type ConfigJsonOptions } from '../config-json.ts';
import { ConfigDocument } from '../document.ts';
import { editDraft } from '../../../tests/helpers/edit-config.ts';
import { mergeJson } from './json-edits.ts';
import type { JsonValue } from '../schema/value-schema.ts';

function jsonOf(text: string, options: ConfigJsonOptions = { inputsKey: 'urls' }): Record<string, JsonValue> {
  const { config, errors } = ConfigDocument.parse(text);
  expect(errors).toEqual([]);
  return JSON.parse([...configJsonTexts(config!, options)].join('')) as Record<string, JsonValue>;
}

function merge(source: string | ConfigDocument, fragment: JsonValue): { text: string; errors: string[] } {
  const before = typeof source === 'string' ? ConfigDocument.parse(source) : source;
  expect(before.errors).toEqual([]);
  const { document, errors } = editDraft(before, (draft) => mergeJson(draft, before.config!, fragment));
  return {
    text: document.text,
    errors: errors.map(({ code, path, line, column }) => `${line}:${column} ${code} ${path.join('/')}`),
  };
}

function merged(text: string, fragment: JsonValue): string {
  const result = merge(text, fragment);
  expect(result.errors).toEqual([]);
  return result.text;
}

/** All directives of the specification, and others. */
const RICH = `# Head
http 80 81; # ports
rtmp 1935;
edit_auth admin "a b";
cluster_key theirs;
auth http://h/auth site=north token=secret;
plugins { clock { zone utc; } }
dvr main { root /mnt; disk a keep; } # disks
stream a {
  # first
  input udp://user:pw@h:1 priority=1 k=v; # why
  input rtsp://h/2?token=abc frames_timeout=2;
  transcoder vb=1M ab=64k vb=2M;
  title  "Old"; prepush 2;
  labels site=north;
  push rtmp://h/x retry_limit=3;
  password hush;
}

stream b { auth false; cluster_key mine; static false; }
live live { password x; on_play http://h/play max_sessions=2 extra=1; }
template t { prefix p; segment_duration 4; }
`;

describe('a configuration as JSON', () => {
  it('has the form of the specification, without secrets', () => {
    const json = jsonOf(RICH);
    expect(json).toEqual({
      http: [80, 81],
      rtmp: 1935,
      edit_auth: { login: 'admin', password: '********' },
      cluster_key: '********',
      auth: { url: 'http://h/auth', extra: { site: 'north', token: '********' } },
      plugins: { clock: { zone: 'utc' } },
      dvrs: { main: { root: '/mnt', disks: [{ path: 'a', mode: 'keep' }] } },
      lives: {
        live: {
          prefix: 'live',
          position: 0,
          publish_enabled: true,
          static: true,
          password: '********',
          on_play: { url: 'http://h/play', max_sessions: 2, extra: { extra: '1' } },
          auth: { url: 'http://h/auth', url_global: true },
          cluster_key: '********',
          cluster_key_global: true,
        },
      },
      templates: {
        t: {
          name: 't',
          prefixes: ['p'],
          publish_enabled: true,
          segment_duration: 4,
          auth: { url: 'http://h/auth', url_global: true },
          cluster_key: '********',
          cluster_key_global: true,
        },
      },
      streams: {
        a: {
          name: 'a',
          position: 0,
          static: true,
          urls: [
            { url: 'udp://user:********@h:1', k: 'v' },
            { url: 'rtsp://h/2?token=********', frames_timeout: 2 },
          ],
          title: 'Old',
          prepush: 2,
          password: '********',
          transcoder: [
            ['vb', '1M'],
            ['ab', '64k'],
            ['vb', '2M'],
          ],
          labels: { site: 'north' },
          pushes: [{ url: 'rtmp://h/x', retry_limit: 3 }],
          auth: { url: 'http://h/auth', url_global: true },
          cluster_key: '********',
          cluster_key_global: true,
        },
        b: {
          name: 'b',
          position: 0,
          static: false,
          urls: [],
          auth: { url: false, url_global: false },
          cluster_key: '********',
          cluster_key_global: false,
        },
      },
    });
    expect(JSON.stringify(json)).not.toMatch(/hush|"a b"|theirs|mine|secret|pw|abc/);
  });

  it('can omit static streams, and include all defaults', () => {
    expect(Object.keys(jsonOf(RICH, { inputsKey: 'urls', skipsStatic: true })['streams'] ?? {})).toEqual(['b']);
    const full = jsonOf('stream a;', { inputsKey: 'inputs', isFull: true });
    expect(full).toMatchObject({
      loglevel: 'info',
      streams: { a: { inputs: [], segment_duration: 2, chunk_duration: 500, clients_timeout: 60, dvr: null } },
    });
    expect(jsonOf('')).toEqual({ lives: {}, streams: {} });
  });

  it.each<ConfigJsonOptions>([{ inputsKey: 'urls' }, { inputsKey: 'inputs' }, { inputsKey: 'inputs', isFull: true }])(
    'changes no byte when it is sent back unchanged (%j)',
    (options) => {
      expect(merged(RICH, jsonOf(RICH, options))).toBe(RICH);
    },
  );
});

describe('a JSON fragment', () => {
  it.each<[string, JsonValue, string]>(
    [
      ['http 80;\n', { http: [80, 8080] }, 'http 80 8080;\n'],
      ['http 80 81; # c\nhttp 82;\n', { http: [80, 82] }, 'http 80; # c\nhttp 82;\n'],
      ['http 80;\nhttp 81;\n', { http: [81] }, 'http 81;\n'],
      ['http 80;\n', { rtmp: 1935, loglevel: 'debug' }, 'http 80;\nrtmp 1935;\nloglevel debug;\n'],
      ['# only this', { rtmp: 1935 }, '# only this\nrtmp 1935;'],
      ['http 80; stream a;\n', { log_requests: true }, 'http 80; log_requests true; stream a;\n'],
      [
        'auth http://h/x a=1 b=2; # c\n',
        { auth: { extra: { b: null, c: 'x y' } } },
        'auth http://h/x a=1 c="x y"; # c\n',
      ],
      ['auth http://h/x a=1;\n', { auth: null }, ''],
      ['auth http://h/x  a=1;\n', { auth: 'http://h/y' }, 'auth http://h/y  a=1;\n'],
      ['edit_auth u  p;\n', { edit_auth: { login: 'v' } }, 'edit_auth v  p;\n'],
      ['edit_auth u  p;\n', { edit_auth: { password: '********', login: 'v' } }, 'edit_auth v  p;\n'],
      ['', { edit_auth: { login: 'u', password: 'p q' } }, 'edit_auth u "p q";\n'],
      ['stream a;\nstream b {\n}\n', { streams: { a: null } }, 'stream b {\n}\n'],
      [
        'stream a {\n  title x; # c\n}\n',
        { streams: { a: { title: 'y', comment: 'z' } } },
        'stream a {\n  title y; # c\n  comment z;\n}\n',
      ],
      ['stream a {\n  title x; # c\n}\n', { streams: { a: { title: null } } }, 'stream a {\n  # c\n}\n'],
      [
        'http 80;\n',
        { streams: { n: { urls: [{ url: 'fake://', priority: 2 }], title: 'N' } } },
        'http 80;\nstream n {\n  input fake:// priority=2;\n  title N;\n}\n',
      ],
      [
        'auth http://h/x;\nstream a {\n}\n',
        { streams: { a: { auth: { url: false } } } },
        'auth http://h/x;\nstream a {\n  auth false;\n}\n',
      ],
      [
        'stream a {\n  input x://1; # one\n  input x://2; # two\n}\n',
        { streams: { a: { urls: [{ url: 'x://2' }] } } },
        'stream a {\n  # one\n  input x://2; # two\n}\n',
      ],
      [
        'stream a {\n  input x://1;\n}\n',
        { streams: { a: { inputs: [{ url: 'x://0' }, { url: 'x://1' }, { url: 'x://2' }] } } },
        'stream a {\n  input x://0;\n  input x://1;\n  input x://2;\n}\n',
      ],
      [
        'stream a { input x://1 priority=5; input x://2; }',
        {
          streams: {
            a: { inputs: [{ $index: 0, source_timeout: 3 }, { $index: 1, $delete: true }, { url: 'x://3' }] },
          },
        },
        'stream a { input x://1 priority=5 source_timeout=3; input x://3; }',
      ],
      [
        'stream a { transcoder vb=1M vb=2M; }',
        {
          streams: {
            a: {
              transcoder: [
                ['vb', '3M'],
                ['ab', '64k'],
              ],
            },
          },
        },
        'stream a { transcoder vb=3M ab=64k; }',
      ],
      [
        'stream a { dvr 7d @main 500G; }',
        { streams: { a: { dvr: { expiration: '8d' } } } },
        'stream a { dvr 8d @main 500G; }',
      ],
      [
        'stream a { dvr 7d @main 500G; }',
        { streams: { a: { dvr: { storage_limit: null, disk_usage_limit: 90 } } } },
        'stream a { dvr 7d @main 90%; }',
      ],
      [
        'stream a { static false; disabled; }',
        { streams: { a: { static: true, disabled: false } } },
        'stream a { static true; disabled false; }',
      ],
      [
        'stream a {\n}\n',
        { streams: { a: { static: true, clients_timeout: 60, retry_limit: null } } },
        'stream a {\n}\n',
      ],
      [
        'dvr main { root /a; }\n',
        { dvrs: { main: { root: '/b', raid: 0 }, other: { root: '/c' } } },
        'dvr main { root /b; raid 0; }\ndvr other {\n  root /c;\n}\n',
      ],
      ['vod v {\n  path /a;\n}\n', { vods: { v: null } }, ''],
      ['', { api_auth: { login: 'a', password: 'b' } }, 'api_auth {\n  login a;\n  password b;\n}\n'],
      ['cache a /x 1G;\n', { caches: { a: { size: null }, b: { path: '/y' } } }, 'cache a /x;\ncache b /y;\n'],
      [
        'event_sink h {\n  url http://h/e;\n}\n',
        { event_sinks: { h: { only: [{ event: ['a', 'b*'], media: 'x' }] } } },
        'event_sink h {\n  url http://h/e;\n  only event=a,b* media=x;\n}\n',
      ],
      [
        'event_sink h {\n  only event=a;\n}\n',
        { event_sinks: { h: { only: [{ event: 'a' }, { event: 'b', media: 'x' }] } } },
        'event_sink h {\n  only event=a;\n  only event=b media=x;\n}\n',
      ],
      [
        'plugins { clock { zone utc; } }\n',
        { plugins: { clock: { step: 2 } } },
        'plugins { clock { zone utc; step 2; } }\n',
      ],
      ['lives l;', { lives: [] }, 'lives l;'],
      [
        'live l {\n}\n',
        { lives: { l: { publish_enabled: true, title: 'L' }, m: {} } },
        'live l {\n  title L;\n}\nlive m {\n}\n',
      ],
      [
        'http 80;\r\nstream a {\r\n\ttitle x;\r\n}\r\n',
        { streams: { a: { comment: 'c' }, b: { title: 'y' } } },
        'http 80;\r\nstream a {\r\n\ttitle x;\r\n\tcomment c;\r\n}\r\nstream b {\r\n\ttitle y;\r\n}\r\n',
      ],
    ].filter(([text]) => text !== 'lives l;') as [string, JsonValue, string][],
  )('is merged into %j: %j', (text, fragment, expected) => {
    expect(merged(text, fragment)).toBe(expected);
  });

  it.each<[string, JsonValue, string]>([
    ['stream a;', { streams: { a: { titel: 'x' } } }, '1:1 config_unknown_directive streams/a/titel'],
    ['', { foo: 1 }, '1:1 config_unknown_directive foo'],
    ['', [1], '1:1 config_bad_value '],
    ['', { streams: { 'a b': {} } }, '1:1 bad_stream_name streams/a b'],
    ['', { streams: { a: 'x' } }, '1:1 config_bad_value streams/a'],
    ['stream a;', { streams: { a: { title: { x: 1 } } } }, '1:1 config_bad_value streams/a/title'],
    ['stream a;', { streams: { a: { segment_count: 1 } } }, '1:26 config_bad_value streams/a/segment_count'],
    ['stream a;', { streams: { a: { inputs: [{ url: 'no' }] } } }, '1:18 config_bad_value streams/a/inputs/0/url'],
    [
      'stream a;',
      { streams: { a: { inputs: [{ $index: 0, url: 'x://y' }] } } },
      '1:1 config_bad_value streams/a/inputs/0/$index',
    ],
    ['stream a;', { streams: { a: { password: '********' } } }, '1:1 config_bad_value streams/a/password'],
    [
      'stream a;',
      { streams: { a: { on_play: { url: 'http://h', colour: 'red' } } } },
      '1:1 config_unknown_directive streams/a/on_play/colour',
    ],
    ['http 80;', { http: [80, 'x'] }, '1:9 config_bad_value http/1'],
    ['', { edit_auth: { login: 'u' } }, '1:10 config_bad_value edit_auth/password'],
  ])('that is invalid changes nothing in %j: %j', (text, fragment, error) => {
    const result = merge(text, fragment);
    expect(result.text).toBe(text);
    expect(result.errors).toEqual([error]);
  });
});

describe('a random JSON fragment', () => {
  const value: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.constantFrom<JsonValue>(
      null,
      true,
      false,
      0,
      5,
      'x',
      'two words',
      '2s',
      'http://h/x',
      'udp://h:1',
      '********',
      '} stream evil {',
      '/x',
    ),
    fc.array(
      fc.oneof(
        fc.constantFrom<JsonValue>(80, 'a', '0800-1800'),
        fc.record({ url: fc.constantFrom('fake://', 'x://1', 'http://h', 5) }),
        fc.record({ $index: fc.nat(2), $delete: fc.boolean() }),
      ),
      { maxLength: 3 },
    ),
    fc.dictionary(
      fc.constantFrom('url', 'extra', 'login', 'password', 'root', 'a', 'k"'),
      fc.constantFrom<JsonValue>(null, 'x', 5, { a: 'b' }),
      { maxKeys: 3 },
    ),
  );
  const streamKeys = fc.constantFrom(
    'title',
    'comment',
    'urls',
    'inputs',
    'auth',
    'on_play',
    'dvr',
    'pushes',
    'transcoder',
    'labels',
    'static',
    'prepush',
    'password',
    'segment_count',
    'protocols',
    'meta',
    'backup',
    'x',
  );
  const rich = ConfigDocument.parse(RICH);
  const fragment = fc.oneof(
    fc.dictionary(
      fc.constantFrom('http', 'rtmp', 'auth', 'edit_auth', 'loglevel', 'dvrs', 'caches', 'plugins', 'api_auth', 'x'),
      value,
      { maxKeys: 2 },
    ),
    fc
      .dictionary(streamKeys, value, { maxKeys: 3 })
      .chain((stream) => fc.constantFrom('a', 'b', 'new').map((name): JsonValue => ({ streams: { [name]: stream } }))),
  );

  it('keeps every byte of the other streams, and results in a valid text or an error', () => {
    fc.assert(
      fc.property(fragment, (json) => {
        const result = merge(rich, json);
        if (result.errors.length > 0) expect(result.text).toBe(RICH);
        // An unchanged text need not be parsed again.
        const { errors, config } = result.text === RICH ? rich : ConfigDocument.parse(result.text);
        expect(errors).toEqual([]);
        expect([...(config?.streams.keys() ?? [])]).not.toContain('evil');
        for (const line of [
          '# Head',
          'live live { password x; on_play http://h/play max_sessions=2 extra=1; }',
          'template t { prefix p; segment_duration 4; }',
        ])
          expect(result.text).toContain(`${line}\n`);
        if (!JSON.stringify(json).includes('"a":{'))
          expect(result.text).toContain(RICH.slice(RICH.indexOf('stream a {'), RICH.indexOf('stream b')));
      }),
      { numRuns: 500 },
    );
  });

  it('that is merged twice changes nothing the second time, except for lists that grow', () => {
    fc.assert(
      fc.property(fragment, (json) => {
        const once = merge(rich, json);
        const text = JSON.stringify(json);
        // Two names of the same directive in one fragment contradict each other.
        const isContradiction =
          (text.includes('"inputs"') && text.includes('"urls"')) ||
          (text.includes('"auth"') && text.includes('"on_play"'));
        if (once.errors.length > 0 || isContradiction || text.includes('$index')) return;
        expect(merged(once.text, json)).toBe(once.text);
      }),
      { numRuns: 500 },
    );
  });
});

it('an option that is switched on by its name alone is replaced or removed, and stays if it does not change', () => {
  const text = (option: string): string => `stream a { push rtmp://h/a/k ${option}retry_limit=3; }`;
  const change = (push: JsonValue): string =>
    merged(text('disabled '), { streams: { a: { pushes: [{ url: 'rtmp://h/a/********', ...(push as object) }] } } });
  expect(change({ disabled: true, retry_limit: 3 })).toBe(text('disabled '));
  expect(change({ disabled: false, retry_limit: 3 })).toBe(text('disabled=false '));
  expect(change({ disabled: null, retry_limit: 3 })).toBe(text(''));
});
