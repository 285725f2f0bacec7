import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodedFrames } from '../../helpers/decoded-frames.ts';
import { isPictureDrawn, watchPictures } from '../../helpers/desk/drawn-picture.ts';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { writeArchive } from '../../helpers/written-archive.ts';
import { DeskServer } from './desk-server.ts';
import { shootDesk } from './desk-shot.ts';

// Complete tasks of an operator, each within a time limit, because too many steps or waits are a fault.
const MINUTE = 60_000;
const LIMIT_MS = 30_000;
const FIRST_STREAM_MS = 60_000;
const EXPORT_MS = 60_000;
const RESTORE_MS = 30_000;
/** Recording of ten minutes with five pictures per second. */
const START = Math.floor((Date.now() - 30 * MINUTE) / 1000) * 1000;
const FRAME_MS = 200;

let browser: Browser;
let page: Page;
let server: DeskServer | undefined;
let encoder: EncoderProcess | undefined;
const errors: string[] = [];

beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.setDefaultTimeout(LIMIT_MS);
  page.on('pageerror', (error) => errors.push(error.message));
});
afterAll(async () => {
  await Promise.all([browser.close(), encoder?.stop()]);
  await server?.dispose();
});

const running = (): DeskServer => server ?? expect.fail('the first task started no server');
/** Whether the picture of the encoder is shown. */
const plays = (): Promise<boolean> =>
  page.evaluate<boolean>(`(document.querySelector('article[data-stream=studio] video')?.currentTime ?? 0) > 0.5`);
const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

it('shows the first stream on the wall within a minute after the first start', async () => {
  const startMs = performance.now();
  // Configures folders for recordings and exports, without streams and without data.
  server = await DeskServer.start('dvr main { root archive; }\nvod clips { storage clips; }\n');
  await page.goto(server.url);
  await page.getByText('No streams yet').waitFor();
  // Texts on the wall are light, so its background is dark in every theme.
  expect(
    await page.evaluate(`(() => {
      const root = document.documentElement;
      const theme = root.dataset.theme;
      root.dataset.theme = 'light';
      const { backgroundColor } = getComputedStyle(document.querySelector('main.wall'));
      if (theme === undefined) delete root.dataset.theme;
      else root.dataset.theme = theme;
      return backgroundColor;
    })()`),
  ).toBe('rgb(6, 8, 10)');
  await page.getByTitle('Add stream (A)').click();
  await page.getByRole('radio', { name: 'Wait for an encoder' }).click();
  await page.locator('[data-test=name] input').fill('studio');
  await shootDesk(page, 'first-stream');
  await page.locator('[data-test=add]').click();
  // The desk shows the publishing address for the encoder.
  await page.getByRole('dialog').getByText(`${server.url}studio/mpegts`).first().waitFor();
  await press('Done');
  encoder = EncoderProcess.publish({
    url: `${server.url}studio/mpegts`,
    isEndless: true,
  });
  await until('the picture', plays, LIMIT_MS);
  expect(performance.now() - startMs).toBeLessThan(FIRST_STREAM_MS);
});

it('exports a moment of a recording as a file within a minute', async () => {
  const { url, folder, put } = { url: running().url, folder: running().folder, put: running().put.bind(server) };
  await writeArchive(join(folder, 'data/archive'), 'gate', START, 10 * 60);
  await put('gate', { inputs: [{ url: 'publish://' }], dvr: { root: '@main', expiration: 604_800 } });
  await fetch(`${url}streamer/api-v4/dvr/rebuild-index`, { method: 'POST' });
  await page.goto(`${url}#/wall`);
  await page.locator('article[data-stream=gate]').waitFor();

  const startMs = performance.now();
  await page.getByRole('link', { name: 'Archive' }).click();
  // The only recorded stream is selected already.
  const time = page.locator('[data-test=time]');
  const isReady = (): Promise<boolean> =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('figure')].some((one) => one.dataset.state === 'ready' && !one.querySelector('video').seeking)`,
    );
  await until('a picture', isReady, LIMIT_MS);
  await watchPictures(page);
  for (const [atMs, key] of [
    [START + 4 * MINUTE, 'i'],
    [START + 4 * MINUTE + 5000 - FRAME_MS, 'o'],
  ] as const) {
    await time.fill(new Date(atMs).toISOString());
    await time.press('Enter');
    await until('the picture', async () => (await isReady()) && isPictureDrawn(page, FRAME_MS), LIMIT_MS);
    await page.keyboard.press(key);
  }
  await page.getByText('5.0 s').waitFor();
  await page.keyboard.press('e');
  await page.locator('[data-test=place]').selectOption('vod:clips');
  await page.getByRole('textbox', { name: 'Name' }).fill('moment');
  await page.locator('[data-test=start]').click();
  await page.locator('li[data-status=done]').waitFor();
  const path = await page.locator('li[data-status=done] dt').innerText();
  expect(performance.now() - startMs).toBeLessThan(EXPORT_MS);
  expect(existsSync(path), readdirSync(folder).join()).toBe(true);
  expect(decodedFrames(readFileSync(path), 'mp4').video).toHaveLength(25);
  await page.keyboard.press('Escape');
});

it('restores an old configuration within half a minute', async () => {
  const { url, folder } = running();
  const file = (): string => readFileSync(join(folder, 'airdesk.conf'), 'utf8');
  await running().put('gate', { title: 'Main entrance' });
  const before = file();
  await page.goto(`${url}#/wall`);
  await page.reload();
  await page.locator('article[data-stream=gate]').waitFor();
  const isLoading = async (): Promise<boolean> => (await page.getByText('Loading picture').count()) > 0;
  await until('the picture', async () => (await plays()) && !(await isLoading()), LIMIT_MS);
  await shootDesk(page, 'wall');
  await running().put('gate', { title: 'A mistake' });
  await running().put('studio', { title: 'Another mistake' });
  expect(file()).not.toBe(before);

  const startMs = performance.now();
  await page.getByRole('link', { name: 'Config' }).click();
  await press('History');
  // The first row is in force; the third row is the version before both changes.
  await page.locator('tbody tr').nth(2).getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('is in force again').waitFor();
  expect(performance.now() - startMs).toBeLessThan(RESTORE_MS);
  expect(file()).toBe(before);
  expect(errors).toEqual([]);
});
