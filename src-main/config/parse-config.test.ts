import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../tests/helpers/any-character.ts';
import { findTemplate } from './schema/config.ts';
import { configOf } from '../../tests/helpers/config-of.ts';
import { DIRECTIVES } from './schema/directives.ts';
import { FILE_FALLBACKS } from './schema/file-settings.ts';
import { parseConfig } from '../../tests/helpers/parse-config.ts';
import type { ConfigError } from './parse/problem.ts';
import { STREAM_FALLBACKS } from './schema/stream-settings.ts';

function printed({ line, column, code, message, path }: ConfigError): string {
  return `${line}:${column} ${code} ${path.join('/')}: ${message}`;
}

/** Defaults of a stream. */
const { template: _, ...PLAIN } = { ...STREAM_FALLBACKS.stream, passthrough: [] };

describe('a parsed configuration', () => {
  it('has every default', () => {
    expect(PLAIN).toMatchObject({
      title: null,
      isStatic: true,
      segmentDurationMs: 2000,
      chunkDurationMs: 500,
      segmentCount: 6,
      sourceTimeoutMs: 20_000,
      clientsTimeoutMs: 60_000,
      retryLimit: null,
      dvr: null,
      pushes: [],
    });
    expect(configOf('stream a;')).toEqual({
      ...FILE_FALLBACKS,
      streams: new Map([['a', { name: 'a', template: null, ...PLAIN }]]),
      livePrefixes: new Map(),
      templates: new Map(),
      passthrough: [],
    });
  });

  it('contains the written settings', () => {
    const config = configOf(`
      http 8080; http 127.0.0.1:81 [::1]:82 *:83 desk.example.org:84; rtmp 0;
      stream a/b {
        title "Camera 1"; comment x; position -3; disabled; static off; password "p w=1";
        segment_duration 1.5; chunk_duration 200; segment_count 10; source_timeout 500ms; clients_timeout 1h; retry_limit 3;
        input udp://239.0.0.1:1234 priority=7 source_timeout=15 bind_ip=192.0.2.1 empty=;
        url "http://h/a;b{c}" ;
      }`);
    expect(config.http).toEqual([
      { host: null, port: 8080 },
      { host: '127.0.0.1', port: 81 },
      { host: '::1', port: 82 },
      { host: null, port: 83 },
      { host: 'desk.example.org', port: 84 },
    ]);
    expect(config.rtmp).toEqual([{ host: null, port: 0 }]);
    expect(config.streams.get('a/b')).toEqual({
      ...PLAIN,
      name: 'a/b',
      template: null,
      title: 'Camera 1',
      comment: 'x',
      position: -3,
      isDisabled: true,
      isStatic: false,
      password: 'p w=1',
      segmentDurationMs: 1500,
      chunkDurationMs: 200,
      segmentCount: 10,
      sourceTimeoutMs: 500,
      clientsTimeoutMs: 3_600_000,
      retryLimit: 3,
      passthrough: [],
      inputs: [
        {
          url: 'udp://239.0.0.1:1234',
          priority: 7,
          framesTimeoutMs: 15_000,
          sourceTimeoutMs: 15_000,
          options: { bind_ip: '192.0.2.1', empty: '' },
        },
        { url: 'http://h/a;b{c}', priority: 2, framesTimeoutMs: 500, sourceTimeoutMs: 500, options: {} },
      ],
    });
  });

  it('has a frames time-out of 3 s or the source time-out of an input, whichever is shorter', () => {
    const timeouts = (text: string): unknown =>
      configOf(`stream a { ${text} }`)
        .streams.get('a')
        ?.inputs.map(({ framesTimeoutMs, sourceTimeoutMs }) => [framesTimeoutMs, sourceTimeoutMs]);
    expect(
      timeouts(
        'input fake://; input fake:// source_timeout=15; input fake:// frames_timeout=1; input fake:// source_timeout=2 frames_timeout=9;',
      ),
    ).toEqual([
      [3000, 20_000],
      [15_000, 15_000],
      [1000, 20_000],
      [2000, 2000],
    ]);
    expect(timeouts('source_timeout 8; input fake://; input fake:// frames_timeout=500ms;')).toEqual([
      [8000, 8000],
      [500, 8000],
    ]);
    expect(timeouts('source_timeout 2; input fake:// frames_timeout=5;')).toEqual([[2000, 2000]]);
  });

  it('contains a backup file', () => {
    expect(configOf('stream a { backup /srv/slate.mp4; }').streams.get('a')?.backup).toEqual({
      path: '/srv/slate.mp4',
      timeoutMs: null,
    });
    expect(configOf('template t { backup x.ts timeout=5; } stream a { template t; }').streams.get('a')?.backup).toEqual(
      { path: 'x.ts', timeoutMs: 5000 },
    );
  });

  it('keeps the order of the streams', () => {
    expect([...configOf('stream c; stream 1; stream b;').streams.keys()]).toEqual(['c', '1', 'b']);
  });

  it('contains live prefixes and templates, and whether publishing is allowed', () => {
    const config = configOf(`
      live live;
      template cams { prefix cams; prefixes mobile drones/near; input publish://; segment_duration 4; }
      template relay { prefix relay; input udp://239.0.0.1:1; }
      template plain { title t; }`);
    const brief = [...config.livePrefixes.values(), ...config.templates.values()].map(
      ({ name, prefixes, isPublishAllowed }) => [name, prefixes.join(' '), isPublishAllowed],
    );
    expect(brief).toEqual([
      ['live', 'live', true],
      ['cams', 'cams mobile drones/near', true],
      ['relay', 'relay', false],
      ['plain', '', false],
    ]);
    expect(findTemplate(config, 'drones/near/1')?.segmentDurationMs).toBe(4000);
    expect(findTemplate(config, 'live/studio')?.name).toBe('live');
    expect(['live', 'live/', 'lives/a', 'drones/far', ''].map((name) => findTemplate(config, name))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('finds the template with the longest matching prefix', () => {
    const config = configOf('live a; live a/b; live a/b/c/d;');
    expect(findTemplate(config, 'a/b/c')?.name).toBe('a/b');
  });

  it('applies template settings that a stream does not have', () => {
    const config = configOf(
      'stream a { template t; title mine; } template t { prefix p; title theirs; segment_duration 4; input udp://h:1; dvr /x 2d; push rtmp://h/x; } stream b { template t; input fake://; dvr /y; }',
    );
    expect(config.streams.get('a')).toMatchObject({
      template: 't',
      title: 'mine',
      segmentDurationMs: 4000,
      inputs: [{ url: 'udp://h:1' }],
      dvr: { place: '/x', expirationMs: 172_800_000 },
      pushes: [{ url: 'rtmp://h/x' }],
    });
    expect(config.streams.get('a')).not.toHaveProperty('prefixes');
    expect(config.streams.get('b')).toMatchObject({
      inputs: [{ url: 'fake://' }],
      dvr: { place: '/y', expirationMs: null },
      pushes: [{ url: 'rtmp://h/x' }],
    });
  });

  it('has one warning for each directive without effect, and keeps unknown options', () => {
    const { config, errors, warnings } = parseConfig(
      'edit_auth u p;\nevent_sink h { only event=a media=b; }\nplugins { clock { zone utc a=b; } }\ndvr d { raid 1; }\ndvr e { raid 0; disk a; disk b keep; disk c abandon; }\nstream a { drm aes128; dvr @s copy=file:///c; }',
    );
    expect(errors).toEqual([]);
    expect(config?.passthrough).toEqual([
      {
        name: 'plugins',
        args: [],
        options: [],
        block: [
          {
            name: 'clock',
            args: [],
            options: [],
            block: [{ name: 'zone', args: ['utc'], options: [['a', 'b']], block: null }],
          },
        ],
      },
    ]);
    expect(config?.editAuth).toEqual({ login: 'u', password: 'p' });
    expect(config?.eventSinks.get('h')?.only).toEqual([{ conditions: { event: 'a', media: 'b' } }]);
    expect(warnings.map(printed)).toEqual([
      '2:1 config_not_effective event_sinks/h: event_sink has no effect without url',
      '3:1 config_not_effective plugins: plugins is read and kept, but has no effect in this version',
      '6:12 config_not_effective streams/a/drm: drm is read and kept, but has no effect in this version',
      '6:31 config_not_effective streams/a/dvr/copy: copy of dvr is read and kept, but has no effect in this version',
      '6:28 config_unknown_name streams/a/dvr: There is no dvr s; did you mean d?',
    ]);
  });

  it('has warnings for unknown storages and backends, with similar names', () => {
    const text = [
      'dvr main { root /srv/rec; }',
      'auth_backend shop { }',
      'template t { prefix p; dvr_offline @archive; }',
      'live l { on_publish auth://shop; }',
      'stream a { input fake://; dvr @mian 2d; on_play auth://shopp max_sessions=2; }',
      'stream b { input fake://; dvr 1d @main; on_play http://127.0.0.1/auth://x; }',
    ].join('\n');
    const { errors, warnings } = parseConfig(text);
    expect(errors).toEqual([]);
    expect(warnings.map(printed)).toEqual([
      '3:36 config_unknown_name templates/t/dvr_offline: There is no dvr archive',
      '5:31 config_unknown_name streams/a/dvr: There is no dvr mian; did you mean main?',
      '5:49 config_unknown_name streams/a/on_play: There is no auth_backend shopp; did you mean shop?',
    ]);
  });

  it('accepts plain and hashed passwords, and masks invalid ones in errors', () => {
    const hash = '$scrypt$ln=15,r=8,p=3$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g';
    expect(configOf(`edit_auth admin "${hash}";\nview_auth v ${hash};`)).toMatchObject({
      editAuth: { login: 'admin', password: hash },
      viewAuth: { login: 'v', password: hash },
    });
    for (const text of [
      'edit_auth admin open sesame tree;',
      'edit_auth admin $scrypt$sesame;',
      `view_auth admin ${'sesame'.repeat(40)};`,
      'api_auth { login a; password open sesame; }',
      `api_auth { login a; password "$scrypt$sesame"; }`,
      'stream a { password open sesame; }',
      `stream a { password ${'sesame'.repeat(40)}; }`,
    ]) {
      const { errors } = parseConfig(text);
      expect(errors).toHaveLength(1);
      expect(JSON.stringify(errors)).not.toContain('sesame');
    }
  });

  it('has an error for an option with a name similar to a known one, and a warning for an unused option', () => {
    const { errors } = parseConfig('stream a { input fake:// source_timout=3; }');
    expect(errors.map(printed)).toEqual([
      '1:26 config_bad_value streams/a/inputs/0/source_timout: input has no option source_timout; did you mean source_timeout?',
    ]);
    const { warnings } = parseConfig(
      'stream a { input fake://; input udp://239.0.0.1:1 bind_ip=x latency=5 program=1; }',
    );
    expect(warnings.map(({ code, path, message }) => [code, path.join('/'), message])).toEqual([
      ['config_not_effective', 'streams/a/inputs/1/bind_ip', 'input has no option bind_ip: it is kept, without effect'],
      [
        'config_not_effective',
        'streams/a/inputs/1/latency',
        'udp:// has no option latency: it is kept, without effect',
      ],
    ]);
  });

  it('accepts any key of an option as text, except __proto__', () => {
    const options =
      configOf('stream a { input fake:// constructor=y toString=z; }').streams.get('a')?.inputs[0]?.options ?? {};
    expect(Object.entries(options)).toEqual([
      ['constructor', 'y'],
      ['toString', 'z'],
    ]);
    expect(parseConfig('stream a { input fake:// __proto__=x; }').errors.map(printed)).toEqual([
      '1:26 config_bad_value streams/a/inputs/0/__proto__: There is no option of this name',
    ]);
  });
});

describe('configuration errors', () => {
  it.each<[string, string[]]>([
    ['http 80', ['1:8 config_syntax : The directive http is not ended']],
    ['http 80\nrtmp 1935;', ['1:8 config_syntax http: A ; is missing after http, before rtmp in the next line']],
    [
      'stream a {\n  disabled\n  title x;\n}',
      ['2:11 config_syntax streams/a/disabled: A ; is missing after disabled, before title in the next line'],
    ],
    [
      'stream a {\n  input udp://h:1 k=v\n  title x;\n}',
      ['2:22 config_syntax streams/a/inputs: A ; is missing after input, before title in the next line'],
    ],
    [
      'http 80000;',
      ['1:6 config_bad_value http/0: http takes a port, or host:port, such as 8080, 127.0.0.1:8080 or [::1]:8080'],
    ],
    [
      'http 1;\nhttp 2 [:::]:3;',
      ['2:8 config_bad_value http/2: http takes a port, or host:port, such as 8080, 127.0.0.1:8080 or [::1]:8080'],
    ],
    ['http 8080;\nrtmp 8080;', ['2:6 config_duplicate rtmp/0: 8080 is already used by http in line 1']],
    [
      'stream a {\n  titel x;\n}',
      ['2:3 config_unknown_directive streams/a/titel: There is no directive titel in stream; did you mean title?'],
    ],
    [
      'htpt 80;',
      ['1:1 config_unknown_directive htpt: There is no directive htpt at the top level; did you mean http?'],
    ],
    [
      'title x;',
      ['1:1 config_unknown_directive title: There is no directive title at the top level; it belongs in stream'],
    ],
    [
      'stream a { http 80; }',
      [
        '1:12 config_unknown_directive streams/a/http: There is no directive http in stream; it belongs to the top level',
      ],
    ],
    [
      'stream a { stream b { } }',
      [
        '1:12 config_unknown_directive streams/a/stream: There is no directive stream in stream; is a } missing before it?',
      ],
    ],
    [
      'stream a { input http://h/x;y=1; }',
      [
        '1:29 config_unknown_directive streams/a/y=1: There is no directive y=1 in stream; put an address or value with ; in quotation marks',
      ],
    ],
    [
      'dvr d { rot /x; }',
      ['1:9 config_unknown_directive dvrs/d/rot: There is no directive rot in dvr; did you mean root?'],
    ],
    ['stream a;\nlive a;\nstream a { }', ['3:8 config_duplicate streams/a: There is a stream a already, in line 1']],
    [
      'live a;\ntemplate t {\n  prefix b\n  a; }',
      ['1:6 config_duplicate lives/a: The prefix a is already used, in line 4'],
    ],
    ['stream a { title x; title y; }', ['1:21 config_duplicate streams/a/title: title is already in this block']],
    [
      'stream a { input udp://h:1 k=1 k=2; }',
      ['1:32 config_duplicate streams/a/inputs/0/k: The option k is already here'],
    ],
    [
      'stream a { title two words; }',
      ['1:22 config_bad_value streams/a/title: title takes one value; put a value with spaces in quotation marks'],
    ],
    ['stream a { title; }', ['1:17 config_bad_value streams/a/title: title needs a value: title text;']],
    ['stream a { title x { } }', ['1:20 config_syntax streams/a/title: title takes no block']],
    [
      'stream a { input; }',
      [
        '1:17 config_bad_value streams/a/inputs/0/url: input needs a value: input address [priority=n] [frames_timeout=time] [source_timeout=time] [key=value …];',
      ],
    ],
    [
      'stream a { input udp://h:1; input; }',
      [
        '1:34 config_bad_value streams/a/inputs/1/url: input needs a value: input address [priority=n] [frames_timeout=time] [source_timeout=time] [key=value …];',
      ],
    ],
    [
      'stream a { input udp://h:1; input x; }',
      [
        '1:35 config_bad_value streams/a/inputs/1/url: input takes an address such as udp://239.0.0.1:1234, file:///media/loop.ts or publish://',
      ],
    ],
    [
      'stream a { input a://b priority=high; }',
      ['1:33 config_bad_value streams/a/inputs/0/priority: priority takes a whole number from 0 to 1000000'],
    ],
    [
      'stream a { input a://b c://d; }',
      [
        '1:24 config_bad_value streams/a/inputs/0: input takes no further value here: input address [priority=n] [frames_timeout=time] [source_timeout=time] [key=value …];',
      ],
    ],
    [
      'stream a { segment_duration 2x; }',
      [
        '1:29 config_bad_value streams/a/segment_duration: segment_duration takes a time from 500ms to 1m, such as 2, 2s or 500ms',
      ],
    ],
    [
      'stream a { static maybe; }',
      ['1:19 config_bad_value streams/a/static: static takes true or false (also on, off, yes, no)'],
    ],
    [
      'stream a { chunk_duration 3s; }',
      [
        '1:27 config_bad_value streams/a/chunk_duration: A part may not be longer than its segment: chunk_duration is 3s, segment_duration 2s',
      ],
    ],
    ['stream a { template t; }', ['1:21 config_bad_value streams/a/template: There is no template or live prefix t']],
    [
      'template cameras;\nstream a { template camera; }',
      ['2:21 config_bad_value streams/a/template: There is no template or live prefix camera; did you mean cameras?'],
    ],
    [
      'stream "../x" { }',
      [
        '1:8 config_bad_value streams/../x: This is not a valid name; expected a name of letters, digits and . _ - ~ @ +, with segments separated by /, at most 200 characters, and not under an address of the server such as mediaserver',
      ],
    ],
    [
      'edit_auth ad:min p;',
      ['1:11 config_bad_value edit_auth/login: edit_auth takes a login of at most 200 characters without a colon'],
    ],
    [
      'edit_auth admin "";',
      [
        '1:17 config_bad_value edit_auth/password: edit_auth takes a password of at most 200 characters, or a hash that starts with $scrypt$',
      ],
    ],
    [
      'server_name -x;',
      ['1:13 config_bad_value server_name/0: server_name takes the name of a machine, such as media.example.org'],
    ],
    [
      'edit_auth admin;',
      ['1:10 config_bad_value edit_auth/password: edit_auth needs a value: edit_auth login password;'],
    ],
    [
      'loglevel loud;',
      ['1:10 config_bad_value loglevel: loglevel takes debug, info, notice, warn, warning, error or alert'],
    ],
    [
      'dvr d { disk a sometimes; }',
      ['1:16 config_bad_value dvrs/d/disks/0/mode: disk takes normal, keep, migrate, readonly, rescue or abandon'],
    ],
    ['dvr d;\ndvr d;', ['2:5 config_duplicate dvrs/d: There is a dvr d already']],
    ['vod { storage /x; }', ['1:4 config_syntax vods: vod takes a name and a block']],
    ['api_auth a { login x; }', ['1:10 config_syntax api_auth: api_auth takes only a block']],
    [
      'event_sink h {\n  url nowhere://x;\n}',
      [
        '2:7 config_bad_value event_sinks/h/url: url takes an address such as http://127.0.0.1:3000/events or log:///var/log/events.log, or a path',
      ],
    ],
    [
      'stream a { dvr 7d; }',
      [
        '1:15 config_bad_value streams/a/dvr/root: dvr needs a value: dvr path|@storage [time] [size] [percent] [copy=address];',
      ],
    ],
    [
      'stream a { dvr /x 7d 8d; }',
      [
        '1:22 config_bad_value streams/a/dvr: dvr takes no further value here: dvr path|@storage [time] [size] [percent] [copy=address];',
      ],
    ],
    [
      'stream a { dvr @x 500%; }',
      ['1:19 config_bad_value streams/a/dvr/disk_usage_limit: dvr takes a percentage from 1% to 100%'],
    ],
    [
      'stream a { on_play http://h/x max_sessions=many; }',
      ['1:44 config_bad_value streams/a/on_play/max_sessions: max_sessions takes a whole number from 0 to 1000000'],
    ],
    [
      'stream a { push nowhere; }',
      [
        '1:17 config_bad_value streams/a/pushes/0/url: push takes an address such as rtmp://relay.example.org/live/cam1',
      ],
    ],
    [
      'stream a { push tshttp:///cam; }',
      [
        '1:17 config_bad_value streams/a/pushes/0/url: push takes an address with a host, such as tshttp://relay.example.org/cam1/mpegts',
      ],
    ],
    ...['soon', '2026-12-01', '2026-12-01T18:55:00', '2026-02-30T10:00:00Z', '2026-12-01T25:00:00Z'].map(
      (time): [string, string[]] => [
        `stream a { push rtmp://h/a start_at=${time}; }`,
        [
          '1:37 config_bad_value streams/a/pushes/0/start_at: start_at takes a date and time with the distance from UTC, such as 2026-12-01T18:55:00Z or 2026-12-01T19:55:00+01:00',
        ],
      ],
    ),
    [
      'stream a { logo /x.png left=far; }',
      ['1:29 config_bad_value streams/a/logo/left: left takes a whole number from 0 to 10000'],
    ],
    [
      'stream a { logo /x.png depth=1; }',
      [
        '1:24 config_bad_value streams/a/logo/depth: logo has no option depth: logo path|@name [left=n] [top=n] [right=n] [bottom=n] [width=n] [height=n];',
      ],
    ],
    ['stream { }', ['1:7 config_syntax streams: stream takes one name and a block']],
    ['stream a b { }', ['1:10 config_syntax streams: stream takes one name and a block']],
  ])('have a position in %j', (text, expected) => {
    const { config, errors } = parseConfig(text);
    expect(config).toBeUndefined();
    expect(errors.map(printed)).toEqual(expected);
  });

  it('are all returned, in the order of the text', () => {
    const { errors } = parseConfig('stream a { titel x; segment_count 1; }\nfoo;\nstream b { retry_limit x; }');
    expect(errors.map(({ line, column }) => `${line}:${column}`)).toEqual(['1:12', '1:35', '2:1', '3:24']);
  });

  it('contain the expected and the found value', () => {
    expect(parseConfig('stream a { segment_count many; }').errors[0]).toMatchObject({
      expected: 'a whole number from 3 to 1000',
      found: 'many',
    });
  });

  it('are limited in number', () => {
    expect(parseConfig(`stream a { input a://b ${'k=v\n'.repeat(200_000)}; }`).errors).toHaveLength(1000);
    expect(
      parseConfig(`stream a { input a://b ${'k=v\n'.repeat(200_000)}title x; }`).errors.map(({ line, code }) => [
        line,
        code,
      ]),
    ).toEqual([[200_000, 'config_syntax']]);
    expect(parseConfig('x;'.repeat(5000)).errors).toHaveLength(1000);
    expect(parseConfig('x'.repeat(17 * 1024 * 1024)).errors[0]?.code).toBe('config_syntax');
  });
});

describe('a random text', () => {
  const names = [...DIRECTIVES.file.keys(), ...DIRECTIVES.stream.keys(), 'prefix'];
  const piece = fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom(
      '{',
      '}',
      ';',
      ';',
      ' ',
      '\n',
      '"',
      '=',
      '#',
      'k=v',
      'a',
      '2s',
      '-1',
      '9'.repeat(30),
      'udp://h:1',
      '__proto__',
      'constructor',
      'priority=x',
      '"\\u{0}"',
      '[::1]:1',
    ),
    fc.string({ unit: anyCharacter, maxLength: 6 }),
  );

  it('results in a configuration or errors with positions', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 50 }).map((pieces) => pieces.join(' ')),
        (text) => {
          const { config, errors } = parseConfig(text);
          expect(config === undefined).toBe(errors.length > 0);
          const lines = text.split(/\r\n|\r|\n/);
          for (const { line, column } of errors)
            expect(
              column >= 1 && column <= (lines[line - 1] ?? '').length + 2 && line >= 1 && line <= lines.length,
            ).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the demo configuration', () => {
  it('is valid, and listens on the local machine only', () => {
    const { config, errors, warnings } = parseConfig(
      readFileSync(new URL('../../resources/default.conf', import.meta.url), 'utf8'),
    );
    expect([errors, warnings]).toEqual([[], []]);
    expect([config?.http, config?.rtmp]).toEqual([
      [{ host: '127.0.0.1', port: 8080 }],
      [{ host: '127.0.0.1', port: 1935 }],
    ]);
    expect([...(config?.streams.keys() ?? [])]).toEqual(['demo/one', 'demo/two']);
    expect(config?.livePrefixes.get('live')?.isPublishAllowed).toBe(true);
  });
});

describe('parseConfig', () => {
  it('parses 10 000 streams in under 3 s of CPU time', () => {
    let text = 'http 8080;\nrtmp 1935;\n';
    for (let i = 0; i < 10_000; i++)
      text += `stream site/cam${i} {\n  title "Camera ${i}";\n  input udp://239.0.${i >> 8}.${i & 255}:1234 priority=1 source_timeout=15;\n  input publish://;\n  segment_duration 2s; # ${i}\n}\n`;
    const before = process.cpuUsage();
    const config = configOf(text);
    const { user } = process.cpuUsage(before);
    expect(config.streams.size).toBe(10_000);
    expect(user / 1000).toBeLessThan(3000);
  });
});
