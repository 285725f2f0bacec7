import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../tests/helpers/collection-stage.ts';
import { ConfigDocument } from '../config/document.ts';
import type { BlockName, Setting } from '../config/schema/directive.ts';
import { TABLES } from '../config/schema/directives.ts';
import { forCaller } from '../../tests/helpers/for-caller.ts';
import { configCalls } from '../configuration/configuration-calls.ts';

/** Secret that is also valid hexadecimal and base64. */
const CANARY = 'cafe5ec2e7cafe5e';
const LOGIN = { authorization: `Basic ${Buffer.from(`boss:${CANARY}`).toString('base64')}` };
const QUERY = ['password', 'accessKey', 'X-Api-Key', 'streamkey', 'token', 'apikey', 'sig']
  .map((name) => `${name}=${CANARY}`)
  .join('&');
const ADDRESSES = ['https', 'rtsp', 's3']
  .flatMap((scheme) => [
    `${scheme}://${CANARY}@192.0.2.1/a`,
    `${scheme}://user:${CANARY}@192.0.2.1/a?${QUERY}`,
    scheme === 'https' ? `https://${CANARY}:@192.0.2.1/${CANARY}/index.m3u8` : `${scheme}://${CANARY}:@192.0.2.1/a`,
  ])
  .concat(`rtmp://192.0.2.1/app/${CANARY}`);
/** Secret that looks like an ordinary word: only its position in an address makes it a secret. */
const SHORT = 'zqwx';
const PLACES = [
  `http://192.0.2.1/user/${SHORT}/12.ts`,
  `hls://192.0.2.1/token/${SHORT}/index.m3u8`,
  `srt://192.0.2.1:9000?mode=caller&streamid=#!::r=a,u=${SHORT}`,
];
const SECRETS = [CANARY + CANARY, `whsec_${CANARY}${CANARY}`, CANARY.repeat(4)];

/** Statements of a setting, with a secret at each position where one is allowed. Some are invalid. */
function statements(setting: Setting<unknown>): string[] {
  const { directive, example, fields = {}, isSecret } = setting;
  const words = [...(isSecret ? SECRETS : [...ADDRESSES, ...PLACES])];
  const first = words.map((word) => `${directive} ${word};`);
  const second = words.map((word) => example.replace(/^(\S+ \S+) [^=;\s]+/, `$1 ${word}`));
  const options = Object.values(fields).flatMap(({ place, name }) =>
    place === 'option' ? ADDRESSES.map((word) => `${name ?? ''}=${word}`) : [],
  );
  if (Object.values(fields).some(({ place }) => place === 'others' || place === 'pairs'))
    options.push(`site=${ADDRESSES[0] ?? ''} apiKey=${CANARY} headers="Cookie: ${CANARY}"`);
  const list =
    setting.repeat === 'many'
      ? [
          `${words
            .slice(0, 2)
            .map((word) => `${directive} ${word};`)
            .join(' ')}`,
        ]
      : [];
  return [...first, ...second, ...list, ...options.map((option) => example.replace(/;$/, ` ${option};`))];
}

const hasSecret = (statement: string): boolean => statement.includes(CANARY) || statement.includes(SHORT);
const isRight = (text: string): boolean => ConfigDocument.parse(text).config !== undefined;

/** Blocks of a kind, one for each valid statement. */
function blocks(kind: BlockName, head: (index: number) => string): string[] {
  return (
    Object.values(TABLES[kind])
      // A title is no address, and is public.
      .filter(({ form, directive }) => form !== 'block' && directive !== 'title')
      .flatMap(statements)
      .filter((statement) => hasSecret(statement) && isRight(`http 80; ${head(0)} { ${statement} }`))
      .map((statement, index) => `${head(index)} { ${statement} }`)
  );
}

const KINDS: readonly (readonly [BlockName, string, string])[] = [
  ['stream', '/streams', 'stream s'],
  ['template', '/templates', 'template t'],
  ['auth_backend', '/auth_backends', 'auth_backend a'],
  ['vod', '/vods', 'vod v'],
  ['dvr', '/dvrs', 'dvr d'],
  ['event_sink', '/event_sinks', 'event_sink e'],
  ['api_token', '/api_tokens', 'api_token t'],
  ['peer', '/cluster/peers', 'peer p'],
  ['source', '/cluster/sources', 'source s'],
];
const HOSTS: ReadonlySet<BlockName> = new Set(['peer', 'source']);

function wholeText(): string {
  const keyedBlocks = KINDS.flatMap(([kind, , head]) =>
    blocks(kind, (i) => `${head}${i}${HOSTS.has(kind) ? '.example.org' : ''}`),
  );
  const lines = [`http 80;`, `edit_auth boss ${CANARY};`, `view_auth guest ${CANARY};`, ...keyedBlocks];
  for (const kind of ['rproxy', 'logo', 'file_processor', 'live'] as const) {
    const found = blocks(kind, () => (kind === 'live' ? 'live l' : kind));
    if (found[0] !== undefined) lines.push(found[0]);
  }
  for (const setting of Object.values(TABLES.file)) {
    if (setting.form === 'block' || /_auth$/.test(setting.directive)) continue;
    for (const statement of statements(setting))
      if (hasSecret(statement) && isRight(`http 80; ${statement}`) && isRight(`${lines.join('\n')}\n${statement}`))
        lines.push(statement);
  }
  return `${lines.join('\n')}\n`;
}

const text = wholeText();
let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start(text);
});
afterAll(() => stage.close());

/** Visible secrets, with the text before them. */
function leaks(answer: unknown): string[] {
  const shown = JSON.stringify(answer);
  return [...shown.matchAll(new RegExp(`.{0,80}(?:${CANARY}|${SHORT})`, 'g'))].map(([found]) => found).slice(0, 5);
}

describe('secrets of the configuration', () => {
  it('occur at many positions of the test configuration', () => {
    expect(text.split(CANARY).length).toBeGreaterThan(300);
    for (const directive of ['allow_tokens', 'deny_tokens', 'push', 'input', 'storage', 'url', 'cluster_key', 'secret'])
      expect(text).toMatch(new RegExp(`\\b${directive} .*${CANARY}`));
  });

  it('occur at positions of addresses that make words secrets', () => {
    expect(text.split(SHORT).length).toBeGreaterThan(50);
    expect(text).toMatch(/input srt:.*streamid=/);
  });

  it('are masked for administrators in every representation of the configuration', { timeout: 60_000 }, async () => {
    // A second version, so that the history contains a difference.
    await stage.configuration.changes.replace(`${text}# more\n`, { who: 'boss', fromWhere: 'test' });
    const seen: (readonly [string, string[]])[] = [];
    const read = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
      const { status, body } = await stage.request('GET', path, undefined, { ...LOGIN, ...headers });
      expect([path, status]).toEqual([path, 200]);
      seen.push([path, leaks(body)]);
    };
    for (const [, path] of KINDS) await read(`${path}?limit=1000`);
    for (const path of ['/config', '/config?full=true', '/rproxy', '/config/versions', '/config/versions/1'])
      await read(path);
    await read('/config', { accept: 'text/plain' });
    await read('/config/versions/1/text');
    await read('/config/versions/1/diff?to=2');
    for (const query of ['', '?runtime=true', '?skip_streams=true']) await read(`/mediaserver/api/read_config${query}`);
    await read('/mediaserver/api/media');
    const handlers = configCalls(stage.configuration, () => ({ viewers: 0, hasPublisher: false }));
    const calls = forCaller(handlers, { mayRead: true, mayWrite: true, who: 'boss', address: '' });
    seen.push(['config.text', leaks(await calls['config.text']({}))]);
    seen.push(['config.version_text', leaks(await calls['config.version_text']({ id: 1 }))]);
    seen.push(['config.versions', leaks(await calls['config.versions']({ limit: 10 }))]);
    expect(seen.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  it('are preserved when a masked answer is written back', { timeout: 60_000 }, async () => {
    const before = stage.text;
    const config = await stage.request('GET', '/config', undefined, LOGIN);
    expect((await stage.request('PUT', '/config', config.body, LOGIN)).status).toBe(200);
    expect(stage.text).toBe(before);
    for (const [, path] of KINDS.filter(([kind]) => kind !== 'api_token')) {
      const { body } = await stage.request('GET', `${path}?limit=1000`, undefined, LOGIN);
      const [list] = Object.values(body as Readonly<Record<string, unknown>>).filter(Array.isArray);
      for (const object of (list ?? []) as readonly Readonly<Record<string, string>>[]) {
        const key = object['name'] ?? object['prefix'] ?? object['hostname'] ?? object['url'] ?? '';
        const { status, body: answer } = await stage.request(
          'PUT',
          `${path}/${encodeURIComponent(key)}`,
          object,
          LOGIN,
        );
        expect([key, status, status === 200 ? '' : answer]).toEqual([key, 200, '']);
      }
      expect(stage.text).toBe(before);
    }
  });

  it('of a list are restored by their index, and only if the list has as many masks', async () => {
    await stage.reset(`edit_auth boss ${CANARY};\nauth_backend b { allow_tokens one two; }\n`);
    const put = async (tokens: readonly string[]): Promise<number> =>
      (await stage.request('PUT', '/auth_backends/b', { allow_tokens: tokens }, LOGIN)).status;
    const mask = '********';
    expect((await stage.request('GET', '/auth_backends/b', undefined, LOGIN)).body).toMatchObject({
      allow_tokens: [mask, mask],
    });
    expect(await put([mask, 'three', mask])).toBe(200);
    expect(stage.text).toContain('allow_tokens one three two;');
    expect(await put([mask])).toBe(400);
    expect(stage.text).toContain('allow_tokens one three two;');
    expect(await put(['one', 'two'])).toBe(200);
    expect(stage.text).toContain('allow_tokens one two;');
  });
});
