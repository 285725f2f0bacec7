import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Sqlite from 'better-sqlite3';
import { ApiStage } from '../../../tests/helpers/api-stage.ts';
import { MemoryDisk } from '../../../tests/helpers/memory-disk.ts';
import { ConfigFile } from '../../config/config-file.ts';
import { Configuration } from '../../configuration/configuration.ts';
import { ConfigurationHistory } from '../../configuration/configuration-history.ts';
import { ConfigVersionReader } from '../../db/config-version-reader.ts';
import { ConfigVersionWriter } from '../../db/config-version-writer.ts';
import { migrate } from '../../db/database.ts';
import { TextSeal } from '../../db/text-seal.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { silentLog } from '../../lib/log.ts';
import { configEndpoints } from './config-endpoints.ts';
import { legacyConfigEndpoints } from './legacy-endpoints.ts';

const PATH = '/data/airdesk.conf';
const TEXT = `# mine
http 8080;
edit_auth admin hush;
stream cam { input udp://239.0.0.1:1234; title One; } # tail
stream gate { input publish://; password hush; static false; }
live app { }
`;
const JSON_TYPE = { 'content-type': 'application/json' };
const TEXT_TYPE = { 'content-type': 'text/plain' };

let stage: ApiStage;
let configuration: Configuration;
let disk: MemoryDisk;
let clock: FakeClock;
let connection: Sqlite.Database;

beforeEach(async () => {
  disk = new MemoryDisk();
  disk.put(PATH, TEXT);
  connection = new Sqlite(':memory:');
  migrate(connection);
  const seal = new TextSeal(new Uint8Array(32).fill(3));
  const history = new ConfigurationHistory(
    { reader: new ConfigVersionReader(connection, seal), writer: new ConfigVersionWriter(connection, seal) },
    silentLog,
  );
  clock = new FakeClock();
  configuration = await Configuration.load({
    file: new ConfigFile(PATH, disk.fileSystem),
    history,
    demoText: 'http 80;\n',
    apply: (config) => stage.streams.apply(config),
    clock,
    log: silentLog,
  });
  stage = await ApiStage.start(TEXT, (context) => {
    const services = { configuration, context, alerts: () => ({ 'http 81': 'EADDRINUSE' }) };
    return { prefixes: ['/api'], endpoints: [...configEndpoints(services), ...legacyConfigEndpoints(services)] };
  });
});

afterEach(async () => {
  await stage.close();
  connection.close();
});

const put = (query: string, body: unknown): ReturnType<ApiStage['request']> =>
  stage.request('PUT', `/api/config${query}`, JSON.stringify(body), JSON_TYPE);

describe('the configuration over HTTP', () => {
  it('is sent as JSON and as text, without secrets', async () => {
    const { body } = await stage.request('GET', '/api/config');
    expect(body).toMatchObject({
      http: [8080],
      edit_auth: { login: 'admin', password: '********' },
      streams: { cam: { title: 'One', inputs: [{ url: 'udp://239.0.0.1:1234' }] }, gate: { password: '********' } },
    });
    const text = await stage.request('GET', '/api/config', undefined, { accept: 'text/plain' });
    expect([text.type, text.body]).toEqual(['text/plain; charset=utf-8', TEXT.replaceAll('hush', '********')]);
    expect((await stage.request('GET', '/api/config?full=true')).body).toMatchObject({
      streams: { cam: { segment_count: expect.any(Number) as number } },
    });
  });

  it('is validated without being changed, with the position of every error', async () => {
    const wrong = await stage.request(
      'POST',
      '/api/config',
      'http 8080;\nstream a {\n  input 5;\n  titel x;\n}\n',
      TEXT_TYPE,
    );
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatchObject({
      error: 'config_bad_value',
      line: 3,
      col: 9,
      first_error_line: 3,
      path: ['streams', 'a', 'inputs', 0, 'url'],
      errors: [
        {
          code: 'config_bad_value',
          status: '400',
          source: { pointer: '/streams/a/inputs/0/url' },
          meta: { line: '3', col: '9' },
        },
        { code: 'config_unknown_directive', meta: { line: '4', found: 'titel' } },
      ],
    });
    expect((await stage.request('POST', '/api/config', 'http 8081;\n', TEXT_TYPE)).body).toMatchObject({
      http: [8081],
      streams: {},
    });
    expect((await stage.request('POST', '/api/config', '{"streams":{"cam":null}}', JSON_TYPE)).body).toMatchObject({
      streams: { gate: {} },
    });
    expect(
      (await stage.request('POST', '/api/config', '{"streams":{"cam":{"nonsense":1}}}', JSON_TYPE)).body,
    ).toMatchObject({ error: 'config_unknown_directive', path: ['streams', 'cam', 'nonsense'] });
    expect((await stage.request('POST', '/api/config', '[1]', JSON_TYPE)).status).toBe(400);
    for (const [body, path] of [
      ['{"streams":[]}', ['streams']],
      ['{"vods":[]}', ['vods']],
      ['{"streams":{"cam":{"auth":{"url":true}}}}', ['streams', 'cam', 'auth', 'url']],
      ['{"auth":{"url":true}}', ['auth', 'url']],
      ['{"streams":{"cam":{"on_publish":{"url":true}}}}', ['streams', 'cam', 'on_publish', 'url']],
    ] as const)
      expect((await stage.request('POST', '/api/config', body, JSON_TYPE)).body).toMatchObject({
        error: 'config_bad_value',
        path,
      });
    expect((await stage.request('POST', '/api/config', '<a/>', { 'content-type': 'text/xml' })).status).toBe(415);
    expect([disk.text(PATH), configuration.history.list(9).length]).toEqual([TEXT, 1]);
  });

  it('is merged from JSON or replaced by a text; only the affected lines change', async () => {
    expect((await put('', { streams: { cam: { title: 'Two' } } })).body).toMatchObject({
      streams: { cam: { title: 'Two' } },
    });
    expect(disk.text(PATH)).toBe(TEXT.replace('title One', 'title Two'));
    const masked = await stage.request('GET', '/api/config', undefined, { accept: 'text/plain' });
    await stage.request('PUT', '/api/config', String(masked.body).replace('# mine', '# ours'), TEXT_TYPE);
    expect(disk.text(PATH)).toBe(TEXT.replace('title One', 'title Two').replace('# mine', '# ours'));
  });

  it('is changed only if the request has the ETag of the current version, and only once', async () => {
    const tagOf = async (path: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
      const response = await fetch(`${stage.url}${path}`, { headers });
      await response.text();
      return [response.status, response.headers.get('etag') ?? ''];
    };
    const [, tag] = await tagOf('/api/config');
    const [, text] = await tagOf('/api/config', { accept: 'text/plain' });
    const [, full] = await tagOf('/api/config?full=true');
    expect(new Set([tag, text, full, '']).size).toBe(4);
    expect(await tagOf('/api/config', { 'if-none-match': tag })).toEqual([304, tag]);
    expect(await tagOf('/api/config', { 'if-none-match': text })).toEqual([200, tag]);
    const change = async (
      match: string,
      path = '/api/config',
      method = 'PUT',
      body: unknown = {},
    ): Promise<unknown> => {
      const headers = { ...(typeof body === 'string' ? TEXT_TYPE : JSON_TYPE), 'if-match': match };
      const sent = typeof body === 'string' ? body : JSON.stringify(body);
      return (await stage.request(method, path, sent, headers)).status;
    };
    const before = disk.text(PATH);
    const writes = [
      ['PUT', '/api/config', { streams: { cam: null } }],
      ['PUT', '/api/config', 'http 8080;\n'],
      ['POST', '/api/modify_config', { streams: { cam: null } }],
      ['POST', '/api/save_config', 'http 8080;\n'],
      ['POST', '/api/update_config', 'http 8080;\n'],
      ['POST', '/api/config/stream_create', 'stream new { input fake://; }'],
      ['POST', '/api/config/stream_delete', 'cam'],
      ['POST', '/api/config/versions/1/restore', {}],
    ] as const;
    for (const [method, path, body] of writes) expect(await change('"other"', path, method, body)).toBe(412);
    expect(disk.text(PATH)).toBe(before);
    for (const match of [tag, '*']) expect(await change(match, '/api/config?validate=true')).toBe(200);
    const done = await fetch(`${stage.url}/api/config`, {
      method: 'PUT',
      body: '{"streams":{"cam":{"title":"Two"}}}',
      headers: { ...JSON_TYPE, 'if-match': text },
    });
    const newTag = done.headers.get('etag');
    expect([done.status, await tagOf('/api/config')]).toEqual([200, [200, newTag]]);
    expect(newTag).not.toBe(tag);
    expect(await change(tag)).toBe(412);
  });

  it('shows server settings in the text, including defaults', async () => {
    await stage.request('PUT', '/api/config', `${TEXT}log_requests false;\nloglevel info;\n`, TEXT_TYPE);
    for (const path of ['/api/config', '/api/read_config'])
      expect((await stage.request('GET', path)).body).toMatchObject({ log_requests: false, loglevel: 'info' });
  });

  it('can be changed on probation, confirmed and rolled back', async () => {
    expect((await put('?confirm_within=0', {})).body).toMatchObject({
      error: 'bad_request',
      errors: [{ source: { parameter: 'confirm_within' } }],
    });
    await put('?confirm_within', { streams: { cam: null } });
    expect((await stage.request('GET', '/api/config/stats')).body).toMatchObject({
      streamer_status: 'running',
      config_error: null,
      saved: false,
      version: 2,
      pending: { version: 2, confirm_by: clock.now() + 600_000, who: 'test', from_where: 'api 127.0.0.1' },
      text_alerts: { 'http 81': 'EADDRINUSE' },
    });
    expect((await put('', { streams: { gate: null } })).body).toMatchObject({ error: 'config_unconfirmed' });
    expect((await stage.request('POST', '/api/config/rollback')).body).toEqual({ version: 1, pending: null });
    expect((await stage.request('POST', '/api/config/confirm')).status).toBe(409);
    await put('?confirm_within=5', { streams: { cam: null } });
    expect((await stage.request('POST', '/api/config/confirm')).body).toEqual({ version: 3, pending: null });
    expect(disk.text(PATH)).not.toContain('cam');
  });

  it('has versions that are listed, compared and restored', async () => {
    await put('', { streams: { cam: { title: 'Two' } } });
    await put('', { streams: { cam: { title: 'Three' } } });
    expect((await stage.request('GET', '/api/config/versions?limit=2')).body).toMatchObject({
      versions: [
        { id: 3, parent_id: 2, who: 'test', summary: 'streams: cam changed (title)', is_current: true },
        { id: 2 },
      ],
      next: 2,
    });
    expect((await stage.request('GET', '/api/config/versions?limit=2&before=2')).body).toMatchObject({
      versions: [{ id: 1 }],
      next: null,
    });
    expect((await stage.request('GET', '/api/config/versions?limit=0')).status).toBe(400);
    expect((await stage.request('GET', '/api/config/versions/2')).body).toMatchObject({
      id: 2,
      state: 'confirmed',
      on_disk: true,
    });
    expect((await stage.request('GET', '/api/config/versions/2/text')).body).toBe(
      TEXT.replace('One', 'Two').replaceAll('hush', '********'),
    );
    expect((await stage.request('GET', '/api/config/versions/1/diff?to=2')).body).toMatchObject({
      from: 1,
      to: 2,
      hunks: [
        {
          old_line: 4,
          new_line: 4,
          removed: [expect.stringContaining('One')],
          added: [expect.stringContaining('Two')],
        },
      ],
    });
    expect((await stage.request('POST', '/api/config/versions/1/restore')).status).toBe(200);
    expect(disk.text(PATH)).toBe(TEXT);
    expect((await stage.request('GET', '/api/config/versions/77')).body).toMatchObject({
      error: 'config_version_not_found',
    });
    expect((await stage.request('GET', '/api/config/versions/x')).status).toBe(400);
  });

  it('is returned by the legacy API with and without streams and runtime figures', async () => {
    expect((await stage.request('GET', '/api/read_config')).body).toMatchObject({
      http: [8080],
      lives: { app: { prefix: 'app', publish_enabled: true } },
      streams: { cam: { name: 'cam', position: 0, static: true, urls: [{ url: 'udp://239.0.0.1:1234' }] } },
    });
    const few = (await stage.request('GET', '/api/read_config?skip_streams=true')).body as { streams: object };
    expect(Object.keys(few.streams)).toEqual(['gate']);
    expect((await stage.request('GET', '/api/read_config?runtime=true')).body).toMatchObject({
      version: '1.2.3',
      total_streams: 2,
      streams: { cam: { stats: { alive: false, client_count: 0 } } },
    });
  });

  it('is changed by the legacy API with the answers of its specification', async () => {
    expect(
      (await stage.request('POST', '/api/modify_config', '{"streams":{"cam":null},"log_requests":true}', JSON_TYPE))
        .body,
    ).toMatchObject({ log_requests: true, streams: { gate: {} } });
    // A client that sends no content type usually sends a form.
    expect(
      (
        await stage.request('POST', '/api/modify_config', 'stream new { input publish://; }', {
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).body,
    ).toMatchObject({ streams: { new: { urls: [{ url: 'publish://' }] } } });
    expect(
      (await stage.request('POST', '/api/config/stream_create', 'stream new { input publish://; title N; }', TEXT_TYPE))
        .body,
    ).toEqual({ success: true });
    expect(disk.text(PATH)).toContain('stream new { input publish://; title N; }');
    expect(
      (await stage.request('POST', '/api/config/stream_create', 'vod x { storage /tmp; }', TEXT_TYPE)).status,
    ).toBe(400);
    expect((await stage.request('POST', '/api/config/stream_delete', 'new\n', TEXT_TYPE)).body).toEqual({
      success: true,
    });
    expect((await stage.request('POST', '/api/config/stream_delete', 'new', TEXT_TYPE)).body).toMatchObject({
      error: 'stream_not_found',
    });
    const before = disk.text(PATH);
    expect((await stage.request('POST', '/api/update_config', 'http 8080;\n', TEXT_TYPE)).body).toBe(true);
    expect([configuration.config.streams.size, disk.text(PATH)]).toEqual([0, before]);
    expect((await stage.request('POST', '/api/reload')).body).toBe(true);
    expect(configuration.config.streams.size).toBe(1);
    expect((await stage.request('POST', '/api/save_config', 'http 8082;\n', TEXT_TYPE)).body).toBe(true);
    expect(disk.text(PATH)).toBe('http 8082;\n');
    disk.put(PATH, 'http {');
    expect((await stage.request('GET', '/api/reload')).body).toMatchObject({ error: 'config_syntax', line: 1 });
    expect((await stage.request('POST', '/api/save_config', 'http 8083;\n', TEXT_TYPE)).body).toMatchObject({
      error: 'config_file_broken',
    });
    expect((await stage.request('GET', '/api/config/stats')).body).toMatchObject({ streamer_status: 'broken_config' });
    expect((await stage.request('POST', '/api/save_config?overwrite=true', 'http 8083;\n', TEXT_TYPE)).body).toBe(true);
    expect([...disk.files.keys()].filter((name) => name.startsWith(`${PATH}.`))).toHaveLength(1);
  });
});
