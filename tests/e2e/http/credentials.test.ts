import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { afterEach, describe, expect, it } from 'vitest';
import { hashPassword } from '../../../src-main/lib/password-hash.ts';
import { ATTEMPT_EVERY_MS, FREE_ATTEMPTS } from '../../../src-main/operators/attempt-limiter.ts';
import { freePort } from '../../helpers/free-port.ts';
import { makeTestCertificate, type TestCertificate } from '../../helpers/test-certificate.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from '../desk/desk-server.ts';
import { startBrowser } from '../../helpers/start-browser.ts';

const run = promisify(execFile);
const API = 'mediaserver/api/v3';
const STREAM = 'fake://?width=320&height=180&bitrate=200';

let server: DeskServer;
afterEach(() => server.dispose());

function basic(login: string, password: string): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
}

/** Sends a configuration text; the reply must be a success. */
async function save(text: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const reply = await fetch(`${server.url}${API}/config`, {
    method: 'PUT',
    body: text,
    headers: { ...headers, 'content-type': 'text/plain' },
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
}

function configText(): string {
  return readFileSync(join(server.folder, 'airdesk.conf'), 'utf8');
}

describe('secrets', () => {
  it('are in no reply, log or database, and are valid after a version is restored', async () => {
    const words = [
      'editsecret1',
      'apisecret2',
      'streamsecret3',
      'inputsecret4',
      'tokensecret5',
      'livesecret6',
      'clustersecret7',
      'optionsecret8',
      'pathsecret10',
      'sidsecret11',
      'phrasesecret12',
      'hooksecret13',
      'backendsecret14',
    ];
    const hash = await hashPassword('viewsecret9');
    const secrets = [...words, 'viewsecret9', hash, hash.slice(-20)];
    server = await DeskServer.start(
      `edit_auth admin editsecret1;\nview_auth viewer "${hash}";\napi_auth { login robot; password apisecret2; }\ncluster_key clustersecret7;\n` +
        `stream cam { input ${STREAM}; password streamsecret3; }\nstream far { input rtsp://user:inputsecret4@127.0.0.1:1/x?token=tokensecret5 api_key=optionsecret8; }\nlive pub { password livesecret6; }\n` +
        `stream channel { input tshttp://127.0.0.1:1/user/pathsecret10/12.ts; on_play http://127.0.0.1:1/token/backendsecret14; }\n` +
        `stream caller { input srt://127.0.0.1:1?mode=caller&streamid=#!::r=a,s=sidsecret11&passphrase=phrasesecret12; }\n` +
        `event_sink hook { url http://127.0.0.1:1/token/hooksecret13; }\n`,
    );
    const admin = basic('admin', 'editsecret1');
    const received: string[] = [];
    const get = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
      const reply = await fetch(`${server.url}${path}`, { headers: { ...admin, ...headers } });
      received.push(`${path} ${JSON.stringify([...reply.headers])} ${await reply.text()}`);
    };
    await save(configText().replace('stream cam {', 'stream cam { title Changed;'), admin);
    for (const path of [
      'config',
      'config?full=true',
      'config/stats',
      'config/versions',
      'config/versions/1',
      'config/versions/1/text',
      'config/versions/1/diff',
      'streams',
      'streams/cam',
      'streams/far',
      'streams/channel',
      'streams/caller',
      'event_sinks',
      'templates',
      'templates/pub',
      'sessions',
      'schema',
    ])
      await get(`${API}/${path}`);
    await get(`${API}/config`, { accept: 'text/plain' });
    await get(`${API}/streams`, { accept: 'application/openmetrics-text' });
    for (const path of ['read_config', 'server', 'streams', 'media', 'media_info/cam', 'sessions'])
      await get(`mediaserver/api/${path}`);
    for (const path of ['auth', 'streams', 'streams/far', 'listeners', 'runtime/metrics', 'live-metrics'])
      await get(`streamer/api-v4/${path}`);
    for (const path of ['cam/info.json', 'far/info.json', 'channel/index.m3u8', 'cam/media_info.json', '-/access'])
      await get(path);
    for (const body of [
      'edit_auth admin editsecret1 x;',
      'stream a { password streamsecret3 y; }',
      `edit_auth admin "${'editsecret1'.repeat(20)}";`,
      '}',
    ]) {
      const reply = await fetch(`${server.url}${API}/config`, {
        method: 'PUT',
        body,
        headers: { ...admin, 'content-type': 'text/plain' },
      });
      expect(reply.status).toBe(400);
      received.push(await reply.text());
    }
    await fetch(`${server.url}${API}/streams`, { headers: basic('editsecret1', 'apisecret2') });
    // Restores the first version: the text in the database was complete.
    const restored = await fetch(`${server.url}${API}/config/versions/1/restore`, { method: 'POST', headers: admin });
    expect(restored.status).toBe(200);
    received.push(await restored.text());
    expect(configText()).not.toContain('Changed');
    for (const secret of [...words, hash]) expect(configText()).toContain(secret);
    expect((await fetch(`${server.url}${API}/streams`, { headers: basic('viewer', 'viewsecret9') })).status).toBe(200);

    expect(received.join('\n')).toContain('********');
    const kept = readdirSync(join(server.folder, 'data'), { recursive: true, encoding: 'utf8' })
      .map((name) => join(server.folder, 'data', name))
      .filter((path) => statSync(path).isFile());
    expect(kept.some((path) => path.endsWith('airdesk.db'))).toBe(true);
    const places = [
      ['answers', received.join('\n')],
      ['log', server.printed],
      ...kept.map((path) => [path, readFileSync(path, 'latin1')]),
    ];
    const found = places.flatMap(([file = '', text = '']) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${file}`),
    );
    expect(found).toEqual([]);
  });
});

describe('a media address from a desk', () => {
  it('is invalid after a logout, and after a change of the password', async () => {
    server = await DeskServer.start(
      `edit_auth admin change;\nstream cam { input ${STREAM}; on_play http://127.0.0.1:1/; }\n`,
    );
    const login = async (): Promise<string> => {
      const reply = await fetch(`${server.url}-/login`, {
        method: 'POST',
        body: JSON.stringify({ login: 'admin', password: 'change' }),
        headers: { 'content-type': 'application/json' },
      });
      expect(reply.status).toBe(204);
      return reply.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    };
    const queryOf = async (headers: Readonly<Record<string, string>>): Promise<string> => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}-/bridge`, { headers });
      await once(socket, 'open');
      socket.send(JSON.stringify({ kind: 'call', id: 1, name: 'server.info', input: {} }));
      const [data] = (await once(socket, 'message')) as [Buffer];
      socket.close();
      return (JSON.parse(data.toString()) as { reply: { value: { view_query: string } } }).reply.value.view_query;
    };
    const status = async (query: string): Promise<number> => {
      const reply = await fetch(`${server.url}cam/media_info.json?${query}`);
      await reply.text();
      return reply.status;
    };
    const playing = await queryOf(basic('admin', 'change'));
    await until('a picture', async () => (await status(playing)) === 200, 30_000);
    const [cookie, other] = [await login(), await login()];
    const [one, two, basicQuery] = [
      await queryOf({ cookie }),
      await queryOf({ cookie: other }),
      await queryOf(basic('admin', 'change')),
    ];
    expect([await status(one), await status(two), await status(basicQuery), await status('')]).toEqual([
      200, 200, 200, 403,
    ]);
    await fetch(`${server.url}-/logout`, { method: 'POST', headers: { cookie } });
    expect([await status(one), await status(two), await status(basicQuery)]).toEqual([403, 200, 200]);
    await save(configText().replace('edit_auth admin change', 'edit_auth admin another'), basic('admin', 'change'));
    expect([await status(two), await status(basicQuery)]).toEqual([403, 403]);
    expect(await status(await queryOf(basic('admin', 'another')))).toBe(200);
  });
});

describe('wrong logins', () => {
  it('are limited for an address that sends a hundred per second, without delaying logins from other addresses', async () => {
    server = await DeskServer.start(
      `trusted_proxies 127.0.0.1;\nview_auth viewer "${await hashPassword('look')}";\nedit_auth admin change;\nstream cam { input ${STREAM}; }\n`,
    );
    const call = async (
      address: string,
      login: Readonly<Record<string, string>>,
    ): Promise<readonly [status: number, ms: number]> => {
      const started = performance.now();
      const reply = await fetch(`${server.url}${API}/streams`, { headers: { ...login, 'x-forwarded-for': address } });
      await reply.text();
      return [reply.status, performance.now() - started];
    };
    const good = basic('viewer', 'look');
    const [status, aloneMs] = await call('192.0.2.1', good);
    expect(status).toBe(200);
    const startMs = performance.now();
    const answers = new Map<number, number>();
    const others: (readonly [number, number])[] = [];
    const pending: Promise<void>[] = [];
    for (let n = 0; n < 200; n++) {
      pending.push(
        call('198.51.100.1', basic('viewer', `guess ${n}`)).then(
          ([status]) => void answers.set(status, (answers.get(status) ?? 0) + 1),
        ),
      );
      if (n % 10 === 0) pending.push(call('192.0.2.1', good).then((answer) => void others.push(answer)));
      // Meanwhile, other addresses log in for the first time.
      if (n === 100)
        pending.push(call('192.0.2.9', basic('admin', 'change')).then((answer) => void others.push(answer)));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Promise.all(pending);
    expect([...answers.keys()].sort()).toEqual([401, 429]);
    // Allows ten attempts at once, and one more after each waiting time.
    const most = FREE_ATTEMPTS + Math.ceil((performance.now() - startMs) / ATTEMPT_EVERY_MS);
    expect(answers.get(401)).toBeLessThanOrEqual(most);
    expect(new Set(others.map(([status]) => status))).toEqual(new Set([200]));
    const times = others.map(([, ms]) => ms).sort((a, b) => a - b);
    // Each checked guess takes as much work in another thread as the first correct login took on an idle server.
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(Math.max(1500, 6 * aloneMs));
    expect(times.at(-1)).toBeLessThan(Math.max(10_000, 24 * aloneMs));
    expect(server.printed).toContain('event="auth_failed"');
  });
});

describe('HTTPS', () => {
  let first: TestCertificate;
  let second: TestCertificate;
  let port: number;

  async function start(): Promise<void> {
    port = await freePort();
    server = await DeskServer.start(`https 127.0.0.1:${port};\nstream cam { input ${STREAM}; }\n`);
    // The API accepts only certificate files in the data folder.
    first = makeTestCertificate(join(server.folder, 'data'), 'first');
    second = makeTestCertificate(join(server.folder, 'data'), 'second');
  }

  function get(path: string, ca: Buffer): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const call = request(
        `https://127.0.0.1:${port}/${path}`,
        { agent: new Agent({ ca, keepAlive: false }) },
        (reply) => {
          let text = '';
          reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
          reply.on('end', () => {
            resolve({ status: reply.statusCode ?? 0, text });
          });
        },
      );
      call.on('error', reject);
      call.end();
    });
  }

  /** Name in the certificate of the port; undefined if nothing listens. */
  function shownName(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
        const { CN } = socket.getPeerCertificate().subject;
        resolve(Array.isArray(CN) ? CN[0] : CN);
        socket.end();
      });
      socket.on('error', () => {
        resolve(undefined);
      });
    });
  }

  it('opens when the certificate exists, serves programs and the desk, and uses a new certificate', async () => {
    await start();
    // Without a certificate everything else works, and the log reports the missing file.
    expect((await fetch(`${server.url}cam/info.json`)).status).toBe(200);
    expect([await shownName(), server.printed.includes('certificate_unusable')]).toEqual([undefined, true]);
    const text = configText();
    const withFiles = (cert: string, key: string): string =>
      `${text}ssl_certificate ${cert};\nssl_certificate_key ${key};\n`;
    await save(withFiles(first.certificatePath, first.keyPath), {});
    await until('the port is open', async () => (await shownName()) === 'first', 30_000);
    await until(
      'the stream plays',
      async () => (await get('cam/index.m3u8', first.cert)).text.includes('#EXTM3U'),
      20_000,
    );
    const probed = await run('ffprobe', [
      '-v',
      'error',
      '-tls_verify',
      '0',
      '-show_entries',
      'stream=codec_name',
      '-of',
      'csv=p=0',
      `https://127.0.0.1:${port}/cam/index.m3u8`,
    ]);
    expect(new Set(probed.stdout.trim().split(/\s+/))).toEqual(new Set(['aac', 'h264']));
    const curled = await run('curl', [
      '-s',
      '--cacert',
      first.certificatePath,
      '-o',
      '/dev/null',
      '-w',
      '%{http_code} %{ssl_verify_result}',
      `https://localhost:${port}/${API}/streams`,
    ]);
    expect(curled.stdout).toBe('200 0');

    const browser = await startBrowser();
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      await page.goto(`https://127.0.0.1:${port}/`);
      await page.locator('article[data-stream="cam"]').waitFor();
      await page.locator('[data-test=no-login]').waitFor();
    } finally {
      await browser.close();
    }

    await save(withFiles(first.certificatePath, second.keyPath), {});
    expect(await shownName()).toBe('first');
    await save(withFiles(second.certificatePath, second.keyPath), {});
    expect(await shownName()).toBe('second');
    expect((await get('cam/index.m3u8', second.cert)).status).toBe(200);
  });
});

describe('the desk from another machine', () => {
  it('needs a login to view, and another login to make changes', async () => {
    server = await DeskServer.start(
      `edit_auth admin change;\nview_auth viewer look;\nstream cam { input ${STREAM}; }\n`,
    );
    const browser = await startBrowser();
    try {
      const open = async (login: string, password: string): Promise<Page> => {
        const page = await (await browser.newContext()).newPage();
        await page.goto(server.url);
        await page.locator('input[autocomplete=username]').fill(login);
        await page.locator('input[type=password]').fill(password);
        await page.keyboard.press('Enter');
        await page.getByText('Connected').waitFor();
        return page;
      };
      const viewer = await open('viewer', 'look');
      await viewer.locator('[data-test=view-only]').waitFor();
      const admin = await open('admin', 'change');
      await admin.locator('article[data-stream="cam"]').waitFor();
      expect(await admin.locator('[data-test=view-only], [data-test=no-login]').count()).toBe(0);
      // After a change of the logins, open connections are identified again, and the page requests a login.
      await save(configText().replace('viewer look', 'viewer other'), basic('admin', 'change'));
      await viewer.locator('input[type=password]').waitFor();
      // The own login is still valid, also after a restart of the server.
      await server.kill();
      await server.run();
      await admin.getByText('Connected').waitFor();
      await admin.reload();
      await admin.locator('[data-test=who]').getByText('admin').waitFor();
    } finally {
      await browser.close();
    }
  });
});
