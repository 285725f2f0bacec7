import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AirdeskServer } from '../../../src-main/server.ts';
import { freePort } from '../../helpers/free-port.ts';
import { sourceServer } from '../../helpers/source-server.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';

const WAIT_MS = 30_000;
const PASSWORD = 'correct horse battery';

let folder: string;
let url: string;
let server: AirdeskServer;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-people-'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  server = sourceServer(
    folder,
    `http 127.0.0.1:${port};\nedit_auth admin "open sesame";\nview_auth guest "look around";\n` +
      // There is no backend, so only tokens of desks play.
      'stream cam { input fake://?width=320&height=180&bitrate=200; on_play http://127.0.0.1:1/; }\n',
    { deskFolder: join(import.meta.dirname, '../../../out/renderer') },
  );
  await server.start();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Logs in on the login page, in a browser of its own. */
async function logIn(login: string, password: string, width = 1366, height = 768): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('input[autocomplete=username]').fill(login);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('nav[aria-label=Modules] a').first().waitFor();
  return page;
}

const railOf = (page: Page): Promise<string[]> => page.locator('nav[aria-label=Modules] a').allTextContents();

async function send(login: string, password: string, method: string, path: string): Promise<[number, unknown]> {
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  const reply = await fetch(`${url}mediaserver/api/v3${path}`, { method, headers: { authorization } });
  const text = await reply.text();
  return [reply.status, text === '' ? null : JSON.parse(text)];
}

async function add(admin: Page, login: string, role: string): Promise<void> {
  await admin.locator('[data-test=add-person]').click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel('Login').fill(login);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByLabel('Password').fill('12345678');
  await dialog.locator('[data-test=save]').click();
  await dialog.getByText('longer phrase', { exact: false }).last().waitFor();
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.locator('[data-test=save]').click();
  await admin.locator('[data-test=person]', { hasText: login }).waitFor();
}

it('an administrator adds people whose desks show only the pages of their roles, and disables them', async () => {
  const admin = await logIn('admin', 'open sesame');
  await admin.goto(`${url}#/people`);
  await admin.getByText('No people yet').waitFor();
  await add(admin, 'anna', 'Operator');
  await add(admin, 'carl', 'Clerk');

  const anna = await logIn('anna', PASSWORD);
  await until('the rail of an operator', async () => (await railOf(anna)).length === 9, WAIT_MS);
  expect((await railOf(anna)).map((name) => name.trim())).toEqual([
    'Wall',
    'Streams',
    'Archive',
    'Alarms',
    'Breaks',
    'Clips',
    'Viewers',
    'Log',
    'System',
  ]);
  const video = anna.locator('article[data-stream="cam"] video');
  await until(
    'a picture',
    () => video.evaluate((element: { readonly currentTime: number }) => element.currentTime > 1),
    WAIT_MS,
  );
  expect(await send('admin', 'open sesame', 'GET', '/sessions')).toMatchObject([200, { sessions: [] }]);

  const carl = await logIn('carl', PASSWORD);
  await until('the rail of a clerk', async () => (await railOf(carl)).length === 2, WAIT_MS);
  await carl.waitForURL(/#\/subscribers/);

  expect(await send('anna', PASSWORD, 'POST', '/streams/cam/stop')).toEqual([204, null]);
  expect(await send('anna', PASSWORD, 'DELETE', '/streams/cam')).toMatchObject([
    403,
    { error: 'role_forbidden', errors: [{ meta: { role: 'operator', domain: 'streams', access: 'edit' } }] },
  ]);
  expect(await send('carl', PASSWORD, 'POST', '/streams/cam/stop')).toMatchObject([403, { error: 'role_forbidden' }]);

  const row = admin.locator('[data-test=person]', { hasText: 'anna' });
  await until('the sessions', async () => (await admin.locator('[data-test=session]').count()) === 3, WAIT_MS);
  await row.locator('[data-test=disable]').click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await anna.locator('input[autocomplete=current-password]').waitFor({ timeout: WAIT_MS });
  expect((await send('anna', PASSWORD, 'GET', '/streams'))[0]).toBe(401);

  await admin.locator('[data-test=session]', { hasText: 'carl' }).locator('[data-test=end-session]').click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await carl.locator('input[autocomplete=current-password]').waitFor({ timeout: WAIT_MS });
});

it('the login of view_auth plays on the wall without counting as a viewer', async () => {
  const guest = await logIn('guest', 'look around');
  const video = guest.locator('article[data-stream="cam"] video');
  await until(
    'a picture',
    () => video.evaluate((element: { readonly currentTime: number }) => element.currentTime > 1),
    WAIT_MS,
  );
  expect(await send('admin', 'open sesame', 'GET', '/sessions')).toMatchObject([200, { sessions: [] }]);
});
