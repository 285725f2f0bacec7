import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../../helpers/start-browser.ts';
import { freePort } from '../../helpers/free-port.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';
import { shootDesk } from './desk-shot.ts';

const FAKE = 'fake://?width=320&height=180&bitrate=200';
let server: DeskServer;
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  const many = Array.from({ length: 300 }, (_, at) => `stream spare/${at} { input publish://; }`).join('\n');
  const rtmp = await freePort();
  [server, browser] = await Promise.all([
    DeskServer.start(`rtmp 127.0.0.1:${rtmp};
dvr main { root data/archive; }
stream gate { dvr @main 1d; title "Main entrance"; input ${FAKE} priority=1; input udp://127.0.0.1:${await freePort()} priority=2; }
stream yard { input rtsp://127.0.0.1:9/ch1; }
${many}`),
    startBrowser(),
  ]);
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.on('pageerror', (error) => errors.push(error.message));
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

const shot = (name: string): Promise<void> => shootDesk(page, name);
const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const rows = (): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[data-name]')].map((row) => row.dataset.name)`);

/** Controls of the page that are cut off by their container, or outside the window at its left or right. */
const HIDDEN = `[...document.querySelectorAll('main button, main a[href]')]
  .filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    const around = one.parentElement.getBoundingClientRect();
    const isCut = getComputedStyle(one.parentElement).overflowX !== 'visible' && right > around.right + 1;
    return width > 0 && (left < -1 || right > innerWidth + 1 || isCut);
  })
  .map((one) => one.textContent.trim())`;

/** Selects the language, like another window of the desk does. */
const setLanguage = (language: string): Promise<void> =>
  page.evaluate(
    `localStorage.setItem('airdesk-language', '${language}'); dispatchEvent(new StorageEvent('storage', { key: 'airdesk-language', newValue: '${language}', storageArea: localStorage }))`,
  );

/** Hidden controls of a page in German, whose texts are longer, in windows of three widths. */
async function hiddenInGerman(path: string, word: string): Promise<string[]> {
  await page.goto(`${server.url}#/${path}`);
  await setLanguage('de');
  await page.getByRole('button', { name: word }).first().waitFor();
  const found: string[] = [];
  for (const width of [1280, 640, 390]) {
    await page.setViewportSize({ width, height: 720 });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    for (const one of await page.evaluate<string[]>(HIDDEN)) found.push(`${path} ${width}: ${one}`);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await setLanguage('en');
  return found;
}

/** First address in a playlist, followed through playlists to the first media file. */
async function segmentOf(url: string): Promise<string | undefined> {
  if (!new URL(url).pathname.endsWith('.m3u8')) return url;
  const reply = await fetch(url);
  const line = (await reply.text()).split('\n').find((one) => one !== '' && !one.startsWith('#'));
  return reply.ok && line !== undefined ? segmentOf(new URL(line, url).href) : undefined;
}

it('guides an operator from a faulty stream to its inputs and viewers, and changes 300 streams at once', async () => {
  await page.goto(`${server.url}#/streams?sort=condition`);
  await page.getByText('302', { exact: true }).waitFor();
  await until('the fault of the camera', async () => (await rows())[0] === 'yard', 30_000);
  expect((await rows()).length).toBeLessThan(70);
  await shot('streams');
  const state = page.getByRole('combobox', { name: 'State' });
  await state.selectOption('trouble');
  await until('only the stream with a fault', async () => (await rows()).join() === 'yard', 30_000);
  await page.locator('[data-name=yard]').click();
  await page.getByText('Failed, retrying').waitFor();
  await shot('streams-trouble');

  await state.selectOption('');
  await page.getByLabel('Search').fill('entrance');
  await page.locator('[data-name=gate]').click();
  await page.getByText('On air', { exact: true }).waitFor();
  await page.getByText(`${server.url}gate/index.m3u8`).waitFor();
  await page.getByText('H.264 · ', { exact: false }).first().waitFor();
  await page.locator('[data-name=gate] .condition.live').waitFor();
  await shot('streams-details');
  await page.locator('[data-test=take-1]').click();
  // The operator sees a preview of the input before it goes on air, and need not wait for it.
  await page.locator('[data-test=probe]').waitFor();
  await page.locator('[data-test=take-input]').click();
  await page.getByText('An operator selected this input').waitFor();
  await press('Back to automatic');
  await page.getByText('An operator selected this input').waitFor({ state: 'detached' });

  // The settings of the stream are changed in its dialog.
  await page.locator('[data-test=settings]').click();
  await page.locator('[data-test=section-general]').click();
  await page.getByRole('textbox', { name: 'Title' }).fill('North gate');
  await page.getByText('updates 1 stream without interruption: gate').waitFor();
  await shot('streams-settings');
  await page.locator('[data-test=apply-settings]').click();
  await page.getByText('The settings of gate were applied.').waitFor();
  await page.getByLabel('Search').fill('north');
  await page.locator('[data-name=gate]').getByText('North gate').waitFor();
  await press('Undo');
  await page.getByLabel('Search').fill('entrance');
  await page.locator('[data-name=gate]').waitFor();

  // A viewer connects, is listed, and is disconnected.
  const media = await until('a segment', () => segmentOf(`${server.url}gate/index.m3u8`), 30_000);
  expect((await fetch(media)).ok).toBe(true);
  await page.getByRole('link', { name: 'Viewers 1' }).click();
  await page.getByText('1 viewer', { exact: true }).waitFor();
  await shot('viewers');
  expect([
    ...(await hiddenInGerman('sessions?name=gate', 'Trennen')),
    ...(await hiddenInGerman('configuration?view=history', 'Wiederherstellen')),
  ]).toEqual([]);
  await page.goto(`${server.url}#/sessions?name=gate`);
  await page.locator('.end').first().click();
  await page.locator('[data-test=confirm]').click();
  await page.getByText('No viewers match the filter').waitFor();

  // Removes and restores 300 streams with one change each.
  await page.goto(`${server.url}#/streams?find=spare/`);
  await page.getByText('300 of 302').waitFor();
  // Selecting a row moves no row under the pointer.
  const placeOfRow = (): Promise<unknown> => page.locator('[data-name="spare/0"]').boundingBox();
  const place = await placeOfRow();
  await page.getByLabel('Select all shown').check();
  await page.getByText('300 selected').waitFor();
  expect(await placeOfRow()).toEqual(place);
  await shot('streams-chosen');
  await press('Remove');
  await page.locator('[data-test=confirm]').click();
  await page.getByText('None of 2 streams match').waitFor();
  await press('Undo');
  await page.getByText('300 of 302').waitFor();

  // Checks the state of the server, and the support file.
  await page.getByRole('link', { name: 'System' }).click();
  await page.getByRole('meter', { name: 'Viewers and APIs' }).waitFor();
  await page.getByText(`http ${new URL(server.url).port}`).waitFor();
  await page.getByText('/data/archive').waitFor();
  await shot('system');
  const download = page.waitForEvent('download');
  await press('Diagnostics');
  const file = await (await download).path();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ stream_count: 302, config_error: null });
  expect(errors).toEqual([]);
});
