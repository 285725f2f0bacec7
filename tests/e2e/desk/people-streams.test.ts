import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AirdeskServer } from '../../../src-main/server.ts';
import { freePort } from '../../helpers/free-port.ts';
import { sourceServer } from '../../helpers/source-server.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { shootDesk } from './desk-shot.ts';

const WAIT_MS = 30_000;
const PASSWORD = 'correct horse battery';
/** Pages of an operator who is limited to some streams: all except those about the whole server. */
const PAGES = ['Wall', 'Streams', 'Archive', 'Alarms', 'Breaks', 'Viewers', 'Log'];

let folder: string;
let url: string;
let server: AirdeskServer;
let browser: Browser;

/** Streams of a team: one has pictures, and the other has no input. There is no backend, so only tokens of desks play. */
const streamsOf = (team: string): string => `
  stream ${team}/one { input fake://?width=320&height=180&bitrate=200; on_play http://127.0.0.1:1/; dvr @main 1d; }
  stream ${team}/dead { input rtmp://127.0.0.1:1/x/y; alarm no_input critical raise=1s; }`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-streams-of-people-'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  server = sourceServer(
    folder,
    `http 127.0.0.1:${port};\nedit_auth admin "open sesame";\nview_auth guest "look around";\n` +
      `dvr main { root ${folder}/archive; }\n${streamsOf('field')}${streamsOf('studio')}\n`,
    { deskFolder: join(import.meta.dirname, '../../../out/renderer') },
  );
  await server.start();
  browser = await startBrowser();
  const names = ['field', 'studio'];
  for (const team of names) {
    const body = { login: `${team}er`, role: 'operator', password: PASSWORD, prefixes: [team] };
    expect(await send('admin', 'open sesame', 'POST', '/people', body)).toMatchObject([201, { prefixes: [team] }]);
  }
});
afterAll(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function send(
  login: string,
  password: string,
  method: string,
  path: string,
  body?: object,
): Promise<[number, unknown]> {
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  const reply = await fetch(`${url}mediaserver/api/v3${path}`, {
    method,
    headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  return [reply.status, text === '' ? null : JSON.parse(text)];
}

/** Desk of a person, with all texts that the server sent, and the calls that the server refused. */
interface OpenDesk {
  readonly page: Page;
  readonly received: string[];
  readonly refused: Set<string>;
}

async function logIn(login: string, password = PASSWORD): Promise<OpenDesk> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, locale: 'en-GB' });
  const page = await context.newPage();
  const received: string[] = [];
  const refused = new Set<string>();
  page.on('websocket', (socket) => {
    const names = new Map<unknown, string>();
    socket.on('framesent', ({ payload }) => {
      const { id, name } = fieldsOf(payload);
      names.set(id, String(name));
    });
    socket.on('framereceived', ({ payload }) => {
      received.push(payload.toString());
      if (/"code":"(?:role_)?forbidden"/.test(payload.toString()))
        refused.add(names.get(fieldsOf(payload)['id']) ?? 'unknown');
    });
  });
  await page.goto(url);
  await page.locator('input[autocomplete=username]').fill(login);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('nav[aria-label=Modules] a').first().waitFor();
  return { page, received, refused };
}

/** Fields of a message of the bridge; none for media. */
function fieldsOf(payload: string | Buffer): Readonly<Record<string, unknown>> {
  return typeof payload === 'string' ? (JSON.parse(payload) as Record<string, unknown>) : {};
}

const railOf = async (page: Page): Promise<string[]> =>
  (await page.locator('nav[aria-label=Modules] a').allTextContents()).map((name) => name.trim());
const limitOf = (page: Page): Promise<string | null> => page.locator('[data-test=limit]').textContent();
/** Whether limit and clock are in one line of the top bar. */
async function isBarOneLine(page: Page): Promise<boolean> {
  const [limit, clock] = await Promise.all([
    page.locator('[data-test=limit]').boundingBox(),
    page.locator('.clocks').boundingBox(),
  ]);
  return limit !== null && clock !== null && clock.y < limit.y + limit.height;
}
/** Whether the tools of the wall are in the line of the number of streams. */
async function isWallBarOneLine(page: Page): Promise<boolean> {
  const [count, tools] = await Promise.all(
    ['.count', '.toolbar'].map((part) => page.locator(`.top-bar ${part}`).first().boundingBox()),
  );
  return !!count && !!tools && tools.y < count.y + count.height;
}
async function waitForPicture(page: Page, stream: string): Promise<void> {
  const video = page.locator(`article[data-stream="${stream}"] video`);
  const seconds = (): Promise<boolean> =>
    video.evaluate((element: { readonly currentTime: number }) => element.currentTime > 1);
  await until(`a picture of ${stream}`, seconds, WAIT_MS);
}

describe.each([
  ['fielder', 'field', 'studio'],
  ['studioer', 'studio', 'field'],
])('the desk of %s', (login, own, other) => {
  it('shows and receives only the streams of the person, on every page and in the search', async () => {
    const { page, received, refused } = await logIn(login);
    expect(await railOf(page)).toEqual(PAGES);
    expect(await limitOf(page)).toBe(`Limited to ${own}/`);
    await waitForPicture(page, `${own}/one`);
    await page.locator(`article[data-stream="${own}/dead"]`, { hasText: 'No input' }).waitFor({ timeout: WAIT_MS });
    for (const name of PAGES) {
      await page.locator('nav[aria-label=Modules] a', { hasText: name }).click();
      await page.locator('h1', { hasText: name }).waitFor();
      // There are no viewers, and the page Breaks lists the streams as options.
      if (name === 'Viewers') await page.getByText('No viewers').waitFor();
      else if (name === 'Breaks')
        await page.locator('main option', { hasText: `${own}/one` }).waitFor({ state: 'attached' });
      // The page Archive checks for new archives every 30 s.
      else
        await page
          .locator('main')
          .getByText(`${own}/`)
          .first()
          .waitFor({ timeout: 2 * WAIT_MS });
      await shootDesk(page, `limited-${name.toLowerCase()}`);
      expect([name, (await page.locator('body').textContent())?.includes(`${other}/`)]).toEqual([name, false]);
    }
    await page.locator('nav[aria-label=Modules] a', { hasText: 'Alarms' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await isBarOneLine(page)).toBe(true);
    await page.locator('nav[aria-label=Modules] a', { hasText: 'Wall' }).click();
    await page.locator('.toolbar').waitFor();
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect([width, await isWallBarOneLine(page)]).toEqual([width, true]);
    }
    await page.setViewportSize({ width: 1366, height: 768 });
    await page.locator('nav[aria-label=Modules] a', { hasText: 'Alarms' }).click();
    await page
      .getByRole('button', { name: 'History' })
      .or(page.getByRole('tab', { name: 'History' }))
      .first()
      .click();
    await page.locator('main').getByText(`${own}/dead`).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').locator('input').fill('one');
    await page.getByRole('dialog').getByText(`${own}/one`).first().waitFor();
    expect(await page.getByRole('dialog').textContent()).not.toContain(`${other}/`);
    expect([...refused]).toEqual([]);
    expect(received.some((text) => text.includes(`${own}/dead`))).toBe(true);
    expect(received.filter((text) => text.includes(`${other}/`))).toEqual([]);
    await page.context().close();
  });

  it('plays, controls and reads only the streams of the person over HTTP', async () => {
    const { page, received } = await logIn(login);
    await until(
      'the viewing token',
      () => Promise.resolve(received.some((text) => text.includes('view_query'))),
      WAIT_MS,
    );
    const query = /"view_query":"([^"]+)"/.exec(received.join(''))?.[1] ?? '';
    const media = async (stream: string, file: string): Promise<number> =>
      (await fetch(`${url}${stream}/${file}?${query}`)).status;
    const now = Math.floor(Date.now() / 1000) - 5;
    for (const file of ['index.m3u8', 'preview.jpg', 'media_info.json', `archive-${now}-4.m3u8`, `${now}-preview.jpg`])
      expect([file, await media(`${other}/one`, file)]).toEqual([file, 403]);
    expect(await media(`${own}/one`, 'index.m3u8')).toBe(200);
    await page.context().close();

    const get = async (path: string): Promise<string> => JSON.stringify(await send(login, PASSWORD, 'GET', path));
    for (const path of [
      '/streams',
      '/alarms',
      '/alarm_history',
      '/sessions',
      '/dvr_export_jobs',
      '/ads/as_run',
      '/walls',
    ])
      expect([path, (await get(path)).includes(`${other}/`)]).toEqual([path, false]);
    expect(await get('/alarm_history')).toContain(`${own}/dead`);
    const status = async (method: string, path: string, body?: object): Promise<number> =>
      (await send(login, PASSWORD, method, path, body))[0];
    expect(await status('POST', `/streams/${encodeURIComponent(`${own}/one`)}/stop`)).toBe(204);
    expect(await status('POST', `/streams/${encodeURIComponent(`${other}/one`)}/stop`)).toBe(403);
    expect(await status('GET', `/streams/${encodeURIComponent(`${other}/one`)}`)).toBe(404);
    const range = { from: Date.now() - 10_000, duration: 1000 };
    expect(await status('POST', '/dvr_export_jobs', { names: [`${own}/one`, `${other}/one`], ...range })).toBe(403);
    expect([await status('GET', '/config'), await status('GET', '/people'), await status('GET', '/dvr_cases')]).toEqual(
      [403, 403, 403],
    );
  });
});

it('limiting a person to other streams on the page People changes their open desk at once', async () => {
  const { page } = await logIn('fielder');
  await waitForPicture(page, 'field/one');
  const { page: admin } = await logIn('admin', 'open sesame');
  await admin.goto(`${url}#/people`);
  const row = admin.locator('[data-test=person]', { hasText: 'fielder' });
  expect(await row.locator('[data-test=streams]').textContent()).toContain('field/');
  await row.locator('[data-test=edit]').click();
  await shootDesk(admin, 'people-limit');
  await admin.getByRole('dialog').getByRole('textbox', { name: 'Streams' }).fill('studio/, other/');
  await admin.getByRole('dialog').locator('[data-test=save]').click();
  await row.getByText('other/').waitFor();
  await shootDesk(admin, 'people-limited');
  await until('the other limit', async () => (await limitOf(page)) === 'Limited to studio/ and 1 more', WAIT_MS);
  await waitForPicture(page, 'studio/one');
  expect(await page.locator('article[data-stream^="field/"]').count()).toBe(0);
});
