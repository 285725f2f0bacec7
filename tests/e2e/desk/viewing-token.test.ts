import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AirdeskServer } from '../../../src-main/server.ts';
import { freePort } from '../../helpers/free-port.ts';
import { DeskServer } from './desk-server.ts';
import { sourceServer } from '../../helpers/source-server.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';

/** Age at which the desk renews its token. The desk polls the server every second. */
const RENEW_MS = 5000;
const WAIT_MS = 60_000;

let folder: string;
let url: string;
let server: AirdeskServer;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-token-'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  server = sourceServer(
    folder,
    `http 127.0.0.1:${port};\nedit_auth admin first;\nview_auth viewer look;\n` +
      // There is no backend, so only tokens of desks play.
      'stream cam { input fake://?width=320&height=180&bitrate=200; on_play http://127.0.0.1:1/; }\n',
    { deskFolder: join(import.meta.dirname, '../../../out/renderer'), deskTokenMs: RENEW_MS },
  );
  await server.start();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Media requests of a page, by their token, with the statuses of the answers. */
interface Requests {
  readonly tokens: Set<string>;
  readonly refused: string[];
}

/** Creates a page whose tiles play by HTTP, because feeds are refused. */
async function openPage(): Promise<{ page: Page; requests: Requests }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const requests: Requests = { tokens: new Set(), refused: [] };
  page.on('response', (response) => {
    const { pathname, searchParams } = new URL(response.url());
    if (!/^\/cam\/.*\.(m3u8|m4s|mp4)$/.test(pathname)) return;
    const token = searchParams.get('token') ?? '';
    if (response.ok()) requests.tokens.add(token);
    else requests.refused.push(`${response.status()} ${pathname}`);
  });
  await page.routeWebSocket(/\/-\/bridge/, (desk) => {
    const bridge = desk.connectToServer();
    desk.onMessage((message) => {
      const { kind, feed } = JSON.parse(message.toString()) as { readonly kind: string; readonly feed: number };
      if (kind === 'feed-open')
        desk.send(JSON.stringify({ kind: 'feed', feed, state: 'refused', error: { code: 'not_found', message: '' } }));
      else bridge.send(message);
    });
  });
  return { page, requests };
}

/** Opens the desk of a login. */
async function openDesk(login: string, password: string): Promise<{ page: Page; requests: Requests }> {
  const { page, requests } = await openPage();
  const reply = await page.request.post(`${url}-/login`, {
    data: { login, password },
    headers: { origin: url.slice(0, -1) },
  });
  expect(reply.status()).toBe(204);
  await page.goto(url);
  return { page, requests };
}

const statusOf = async (token: string): Promise<number> => {
  const reply = await fetch(`${url}cam/media_info.json?token=${token}`);
  await reply.text();
  return reply.status;
};

it('the wall continues to play when its viewing token is renewed, and a new password invalidates the token', async () => {
  const { page, requests } = await openDesk('admin', 'first');
  const video = page.locator('article[data-stream="cam"] video');
  const state = (): Promise<{ time: number; source: string }> =>
    video.evaluate((element: { readonly currentTime: number; readonly currentSrc: string }) => ({
      time: element.currentTime,
      source: element.currentSrc,
    }));
  await until('a picture', async () => (await state()).time > 1, WAIT_MS);
  const before = await state();
  const countBefore = requests.tokens.size;
  await until('two renewals', () => requests.tokens.size >= countBefore + 2, WAIT_MS);
  const renewed = await state();
  await until('a picture after that', async () => (await state()).time > renewed.time + 1, WAIT_MS);
  const after = await state();
  // The same player continues: neither a request nor the picture failed.
  expect(after.source).toBe(before.source);
  expect(requests.refused).toEqual([]);
  const [first = '', ...others] = requests.tokens;
  const last = others.at(-1) ?? '';
  expect([await statusOf(first), await statusOf(last)]).toEqual([403, 200]);

  const config = `${url}mediaserver/api/v3/config`;
  const authorization = `Basic ${Buffer.from('admin:first').toString('base64')}`;
  const text = await (await fetch(config, { headers: { authorization, accept: 'text/plain' } })).text();
  const changed = await fetch(config, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'text/plain' },
    body: text.replace(/edit_auth admin \S+;/, 'edit_auth admin second;'),
  });
  expect([changed.status, await changed.text()]).toEqual([200, expect.any(String)]);
  expect(await statusOf(last)).toBe(403);
});

it('an open wall resumes after a restart of the server, and never counts as a viewer', async () => {
  const backendRequests: string[] = [];
  const backend = createServer((request, response) => {
    backendRequests.push(request.url ?? '');
    response.end();
  });
  await once(backend.listen(0, '127.0.0.1'), 'listening');
  const { port } = backend.address() as AddressInfo;
  const input = 'input fake://?width=320&height=180&bitrate=200';
  const restarted = await DeskServer.start(`stream cam { ${input}; on_play http://127.0.0.1:${port}/; }\n`);
  const { page, requests } = await openPage();
  try {
    await page.goto(restarted.url);
    const video = page.locator('article[data-stream="cam"] video');
    const time = (): Promise<number> =>
      video.evaluate(({ currentTime }: { readonly currentTime: number }) => currentTime);
    await until('a picture', async () => (await time()) > 1, WAIT_MS);
    const before = new Set(requests.tokens);
    await restarted.kill();
    await restarted.run();
    await until('media with a new token', () => [...requests.tokens].some((token) => !before.has(token)), WAIT_MS);
    const atMs = await time();
    await until('a picture after that', async () => (await time()) > atMs + 1, WAIT_MS);
    expect(backendRequests).toEqual([]);
    const sessions = await (await fetch(`${restarted.url}mediaserver/api/sessions`)).json();
    expect(sessions).toMatchObject({ sessions: [] });
  } finally {
    await page.close();
    await restarted.dispose();
    backend.close();
  }
}, 240_000);
