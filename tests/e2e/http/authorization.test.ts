import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { allow, AuthBackend, deny, hang } from '../../helpers/auth-backend.ts';
import { PageServer } from '../../helpers/page-server.ts';
import { PlayerPage } from '../../helpers/player-page.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';

/** Session as listed by the legacy API. */
interface Listed {
  readonly id: string;
  readonly session_id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes_sent: number;
}

let server: AirdeskProcess;
let backend: AuthBackend;
let pages: PageServer;
let browser: Browser;

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${server.url}/${path}`, { redirect: 'manual', headers });
}

/** Status and code of the answer. */
async function answerOf(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await get(path, headers);
  const text = await response.text();
  return response.ok || text === ''
    ? String(response.status)
    : `${response.status} ${/"error":"(\w+)"/.exec(text)?.[1] ?? text}`;
}

async function sessions(): Promise<Listed[]> {
  const response = await get('mediaserver/api/sessions');
  // The test checks the type of the list.
  return ((await response.json()) as { sessions: Listed[] }).sessions;
}

beforeAll(async () => {
  backend = await AuthBackend.start();
  const stream = (name: string, options: string): string => `stream ${name} { input fake://; ${options} }\n`;
  server = await AirdeskProcess.start(
    [
      `auth_backend fallback { backend ${backend.url}/fallback; allow_default; deny_uas BadPlayer; allow_tokens known; }\n`,
      stream('cam', `on_play ${backend.url}/cam site=north;`),
      stream('other', `on_play ${backend.url}/other;`),
      stream('file', 'on_play yes.json session_keys=name,ip,proto;'),
      stream('page', 'on_play false domains=tv.example.org;'),
      stream('lenient', 'on_play auth://fallback;'),
      stream('open', ''),
      `stream slow { input publish://; on_play ${backend.url}/slow; }\n`,
      `stream pub { input publish://; on_publish ${backend.url}/publish; }\n`,
    ].join(''),
  );
  writeFileSync(join(server.folder, 'data', 'yes.json'), '{"user_id":"everybody"}');
  pages = await PageServer.start();
  browser = await startBrowser();
  await Promise.all(
    ['cam', 'other', 'file', 'open'].map((name) => server.streamWhere(name, 'frames', ({ alive }) => alive, 40_000)),
  );
});

afterAll(async () => {
  await browser.close();
  await pages.close();
  expect(await server.stop()).toBe(0);
  await server.dispose();
  await backend.close();
});

describe.concurrent('a player of a stream with an authorization backend', () => {
  it('gets a token that is valid at every address, is authorized again, and is disconnected', async () => {
    backend.byPath.set('/cam', allow({ 'X-AuthDuration': '3', 'X-UserId': 'viewer-1' }));
    const page = await PlayerPage.open(browser, pages, 'hlsjs', `${server.url}/cam/index.m3u8`);
    await page.playing(30_000);
    const first = backend.requests.find(({ path }) => path === '/cam');
    expect(first?.facts).toMatchObject({
      site: 'north',
      name: 'cam',
      proto: 'hls',
      ip: '127.0.0.1',
      request_type: 'new_session',
      request_number: '0',
      dvr: 'false',
    });
    expect(first?.facts['token']).toMatch(/^[0-9a-f]{32}$/);
    expect(first?.facts['user_agent']).toContain('Chrome');
    const again = await until(
      'a request about the session',
      () => backend.requests.find(({ facts }) => facts['request_type'] === 'update_session' && facts['name'] === 'cam'),
      30_000,
    );
    expect(again.facts).toMatchObject({
      session_id: first?.facts['session_id'],
      request_number: '1',
      token: first?.facts['token'],
      stream_clients: '1',
    });
    expect(Number(again.facts['bytes'])).toBeGreaterThan(10_000);
    expect((await sessions()).filter(({ name }) => name === 'cam')).toEqual([
      expect.objectContaining({ session_id: first?.facts['session_id'], type: 'hls' }),
    ]);
    expect((await page.report()).errors).toEqual([]);
    backend.byPath.set('/cam', deny({ 'X-AuthDuration': '60' }));
    const report = await page.reportWhere(
      'an end',
      ({ errors }) => errors.some((error) => error.includes('403')),
      30_000,
    );
    expect(report.errors.join()).toContain('403');
    await page.page.close();
  });
});

describe.concurrent('answers of authorization backends', () => {
  it('accept, refuse and redirect viewers, and hold playback', async () => {
    backend.byToken.set('in', allow());
    backend.byToken.set('out', deny());
    backend.byToken.set('away', (response) => {
      response.writeHead(302, { Location: '/open/index.m3u8' }).end();
    });
    expect(await answerOf('other/index.m3u8?token=in')).toBe('200');
    for (let time = 0; time < 2; time++) {
      expect(await answerOf('other/index.m3u8?token=out')).toBe('403 playback_denied');
      expect((await get('other/index.m3u8?token=away')).headers.get('location')).toBe('/open/index.m3u8');
    }
    expect(['in', 'out', 'away'].map((token) => backend.requestsAbout(token).length)).toEqual([1, 1, 1]);
    const segment = await until(
      'a segment',
      async () => /^\d+\.m4s.*$/m.exec(await (await get('other/v1/index.m3u8?token=in')).text())?.[0],
      30_000,
    );
    expect(segment).toMatch(/\?token=in$/);
    expect(await answerOf(`other/v1/${segment}`)).toBe('200');
    expect(await answerOf(`other/v1/${segment.split('?')[0] ?? ''}`)).toBe('403 token_required');
    expect(backend.requestsAbout('in')).toHaveLength(1);
  });

  it('are ignored if broken, slow or malicious, without delaying other viewers', async () => {
    backend.byPath.set('/slow', hang());
    let isAnswered = false;
    const waiting = answerOf('slow/index.m3u8?token=waits').finally(() => (isAnswered = true));
    expect(await answerOf('other/index.m3u8?token=quick')).toBe('200');
    expect(isAnswered).toBe(false);
    backend.byToken.set('broken', (response) => {
      response.writeHead(500).end();
    });
    backend.byToken.set('torn', (_response, _facts, request) => {
      request.socket.destroy();
    });
    backend.byToken.set('endless', (response) => {
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(10_000), write);
      };
      write();
    });
    backend.byToken.set(
      'mad',
      allow(
        { 'X-AuthDuration': '-7', 'X-Max-Sessions': 'many', 'X-UserId': 'x'.repeat(3000) },
        '{"max_sessions":[],"user_id":{}',
      ),
    );
    for (const token of ['broken', 'torn', 'endless'])
      expect(await answerOf(`other/index.m3u8?token=${token}`), token).toBe('403 playback_denied');
    expect(await answerOf('other/index.m3u8?token=mad')).toBe('200');
    expect(await waiting).toBe('403 playback_denied');
    expect(backend.requestsAbout('waits')).toHaveLength(2);
  });

  it('are replaced by the default if missing, and by the lists of the configuration', async () => {
    backend.byPath.set('/fallback', deny());
    expect(await answerOf('lenient/index.m3u8?token=known')).not.toContain('403');
    expect(await answerOf('lenient/index.m3u8?token=a', { 'User-Agent': 'BadPlayer/1' })).toBe('403 playback_denied');
    expect(await answerOf('lenient/index.m3u8?token=b')).toBe('403 playback_denied');
    backend.byPath.set('/fallback', (response) => {
      response.writeHead(503).end();
    });
    expect(await answerOf('lenient/index.m3u8?token=c')).not.toContain('403');
  });

  it('can come from a file, and allowed pages need no answer', async () => {
    expect(await answerOf('file/index.m3u8')).toBe('200');
    expect(await answerOf('page/index.m3u8')).toBe('403 playback_denied');
    expect(await answerOf('page/index.m3u8', { Referer: 'https://tv.example.org/' })).not.toContain('403');
  });
});

describe.concurrent('limits and bans', () => {
  it('end the oldest session of a user with too many sessions', async () => {
    for (const token of ['first', 'second'])
      backend.byToken.set(token, allow({ 'X-UserId': 'shared', 'X-Max-Sessions': '1' }));
    expect(await answerOf('other/index.m3u8?token=first')).toBe('200');
    expect(await answerOf('other/index.m3u8?token=second')).toBe('200');
    expect(await answerOf('other/v1/index.m3u8?token=first')).toBe('403 session_banned');
    expect(await answerOf('other/v1/index.m3u8?token=second')).toBe('200');
  });

  it('end a session that an operator closes, and refuse it later', async () => {
    expect(await answerOf('open/index.m3u8')).toBe('200');
    const session = (await sessions()).find(({ name, type }) => name === 'open' && type === 'hls');
    const closed = await fetch(`${server.url}/mediaserver/api/close_sessions`, {
      method: 'POST',
      body: `${session?.session_id ?? ''}\n`,
    });
    expect(closed.status).toBe(200);
    expect(await answerOf('open/index.m3u8')).toBe('403 session_banned');
    expect((await sessions()).map(({ session_id }) => session_id)).not.toContain(session?.session_id);
  });

  it('end an endless MPEG-TS response when its viewer is no longer allowed', async () => {
    backend.byToken.set('ts', allow({ 'X-AuthDuration': '2' }));
    const response = await get('other/mpegts?token=ts');
    const reader = response.body?.getReader();
    expect(new Uint8Array((await reader?.read())?.value ?? [])[0]).toBe(0x47);
    backend.byToken.set('ts', deny());
    const end = (async () => {
      for (;;) if ((await reader?.read())?.done !== false) return;
    })();
    await expect(end).rejects.toThrow();
    expect(backend.requestsAbout('ts').map(({ facts }) => [facts['proto'], facts['request_type']])).toEqual([
      ['mpegts', 'new_session'],
      ['mpegts', 'update_session'],
    ]);
  });
});

describe('sessions', () => {
  it('continue after a reload of the configuration', async () => {
    backend.byToken.set('stays', allow());
    await answerOf('other/index.m3u8?token=stays');
    const id = backend.requestsAbout('stays')[0]?.facts['session_id'];
    const file = join(server.folder, 'airdesk.conf');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nstream added { input publish://; }\n`);
    process.kill(server.pid, 'SIGHUP');
    await until(
      'the added stream',
      async () => (await get('added/info.json')).ok,
      30_000,
      () => server.printed,
    );
    expect((await sessions()).map(({ session_id }) => session_id)).toContain(id);
    expect(await answerOf('other/v1/index.m3u8?token=stays')).toBe('200');
    expect(backend.requestsAbout('stays')).toHaveLength(1);
  });

  it('of publishers are authorized by the backend', async () => {
    backend.byToken.set('intruder', deny());
    const publish = (token: string): Promise<Response> =>
      fetch(`${server.url}/pub/mpegts?token=${token}`, { method: 'POST', body: new Uint8Array(188 * 10).fill(0x47) });
    expect(await (await publish('intruder')).json()).toMatchObject({ error: 'publish_not_allowed' });
    expect(await (await publish('encoder')).text()).not.toContain('publish_not_allowed');
    expect(
      backend.requests
        .filter(({ path }) => path === '/publish')
        .map(({ facts }) => [facts['name'], facts['proto'], facts['token']]),
    ).toEqual([
      ['pub', 'mpegts', 'intruder'],
      ['pub', 'mpegts', 'encoder'],
    ]);
  });
});
