import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { makeFiles } from '../../helpers/made-media.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';
import { shootDesk } from './desk-shot.ts';

const LIMIT_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'airdesk-desk-clips-'));
/** Folder with the answer of the authorization backend. */
const answers = mkdtempSync(join(tmpdir(), 'airdesk-desk-answers-'));
let server: DeskServer;
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  writeFileSync(join(answers, 'answer.json'), '{}');
  const sources = [
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=400x300:rate=30:duration=3',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=300:sample_rate=44100:duration=3',
  ];
  const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-ac', '1', 'raw.mp4'];
  makeFiles(folder, [...sources, ...coding]);
  [server, browser] = await Promise.all([
    DeskServer.start(
      `vod ads { storage ${folder}; }\nfile_processor { path ads; }\nstream cam { input fake://?width=320&height=180&bitrate=300; segment_duration 1; on_play ${answers}/answer.json; }`,
    ),
    startBrowser(),
  ]);
  await until('the stream', async () => (await fetch(`${server.url}cam/index.m3u8`)).ok, LIMIT_MS);
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.setDefaultTimeout(LIMIT_MS);
  page.on('pageerror', (error) => errors.push(error.message));
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
  for (const one of [folder, answers]) rmSync(one, { recursive: true });
});

const shot = (name: string): Promise<void> => shootDesk(page, name);

it('shows how a file differs from a stream, converts the file, and reports that the result matches', async () => {
  await page.goto(`${server.url}#/clips`);
  const raw = page.getByRole('row', { name: 'raw.mp4' });
  // Visible files are compared without a click.
  await raw.getByRole('button', { name: /differences/ }).click();
  const report = page.getByRole('dialog');
  await report.getByRole('row', { name: 'v1.width 400 320' }).waitFor();
  await shot('clips-report');
  await page.keyboard.press('Escape');
  await report.waitFor({ state: 'hidden' });

  await page.getByLabel('Select raw.mp4').check();
  await page.getByRole('button', { name: 'Conform' }).click();
  const processedRow = page.locator('.list').getByRole('row', { name: /raw\.mp4 converted .*kB/ });
  await processedRow.getByRole('button', { name: 'Fits', exact: true }).waitFor();
  await shot('made');

  await page.getByRole('button', { name: 'Backend response' }).click();
  await page.getByRole('button', { name: 'Copy the response' }).waitFor();
  const shownText = await page.getByLabel('Response as JSON').inputValue();
  expect(JSON.parse(shownText)).toEqual({ ad_inject: { v: 2, preroll: ['ads/raw.mp4'] } });
  await page.getByLabel('Name').fill('summer');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Use for cam' }).waitFor();
  await shot('answer');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'raw.mp4', exact: true }).first().click();
  const preview = page.getByRole('dialog');
  const inPoint = preview.getByRole('slider', { name: 'In, seconds' });
  await inPoint.press('Shift+ArrowRight');
  await preview.getByText('2.00 s of 3.00 s').waitFor();
  expect(await preview.locator('.pictures img').count()).toBe(10);
  expect(await preview.locator('.timeline path').getAttribute('d')).toMatch(/^M0\.0 /);
  await shot('preview');
  await preview.getByRole('button', { name: 'Play from in to out' }).click();
  await preview.locator('.tools').getByText('3.00 s').waitFor();
  await preview.getByRole('button', { name: 'Set out' }).click();
  // The player shows the picture of this time, although pictures of later times come before it in the file.
  await inPoint.press('End');
  await preview.locator('.tools').getByText('2.90 s').waitFor();
  expect(await page.evaluate("document.querySelector('video').currentTime")).toBeCloseTo(2.9 + 2 / 30, 2);
  await shot('preview-played');
  const [player] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Play in a new tab' }).click(),
  ]);
  await player.locator('video').waitFor();
  await player.close();
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
});

it('starts a break, shows inserted clips and the reasons of skipped clips, and cancels an announced break', async () => {
  const processedName = readdirSync(folder).find((name) => name.startsWith('raw_processed')) ?? '';
  const midroll = [`ads/${processedName}`, 'ads/raw.mp4'];
  const adInject = { v: 1, midroll, midroll_insert_by: 'splicing' };
  writeFileSync(join(answers, 'answer.json'), JSON.stringify({ ad_inject: adInject }));
  const loaded = new Set<string>();
  /** Loads the segments that are new in the playlist of a viewer. */
  const watch = async (): Promise<void> => {
    await (await fetch(`${server.url}cam/index.m3u8?token=viewer`)).text();
    const list = await (await fetch(`${server.url}cam/v1/index.m3u8?token=viewer`)).text();
    for (const name of list.split('\n').filter((line) => line.includes('.m4s') && !line.startsWith('#')))
      if (!loaded.has(name)) {
        loaded.add(name);
        await (await fetch(`${server.url}cam/v1/${name}`)).arrayBuffer();
      }
  };
  await watch();
  await page.goto(`${server.url}#/breaks`);
  await page.getByLabel('Starts in, s').fill('3600');
  await page.getByRole('button', { name: 'Start a break' }).click();
  await page.getByRole('row', { name: /cam Announced/ }).waitFor();
  await page.getByRole('button', { name: 'Cancel break' }).click();
  await page.getByRole('row', { name: /cam Cancelled/ }).waitFor();
  await page.getByLabel('Starts in, s').fill('0');
  await page.getByLabel('Length, s').fill('6');
  await page.getByRole('button', { name: 'Start a break' }).click();
  const sessionRow = page.getByRole('row', { name: /cam (?:On air|Ended) .*1 viewer/ });
  await until(
    'a clip that was sent',
    async () => {
      await watch();
      return sessionRow.isVisible();
    },
    LIMIT_MS,
  );
  await sessionRow.click();
  await page.getByText('out splice_insert').waitFor();
  const skippedRow = page.getByRole('row', { name: /ads\/raw\.mp4 skipped: it does not match the stream/ });
  await skippedRow.waitFor();
  await page
    .getByRole('row', { name: new RegExp(`${processedName} (?:sent in full, 3 s|[\\d.]+ s of 3 s sent) splice point`) })
    .waitFor();
  await shot('breaks');
  await skippedRow.getByRole('button', { name: 'Why?' }).click();
  await page.getByRole('dialog').getByText('v1.width: the clip has 400, the stream 320').waitFor();
  await shot('breaks-why');
  await page.keyboard.press('Escape');
  expect(errors).toEqual([]);
});

it('uploads dropped files, confirms before replacing a file, and deletes files', async () => {
  await page.goto(`${server.url}#/clips`);
  await page.getByRole('row', { name: 'raw.mp4' }).first().waitFor();
  const bytes = randomBytes(2_000_000);
  const drop = async (text: string): Promise<void> => {
    // Creates the object in the page, because DataTransfer exists only there.
    const transfer = await page.evaluateHandle(
      `(() => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob('${text}'), (one) => one.charCodeAt(0))], 'dropped.mov'));
        return data;
      })()`,
    );
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  };
  await drop(bytes.toString('base64'));
  await page.getByRole('row', { name: /Select dropped.mov .*2.0 MB/ }).waitFor();
  await page.getByText('Uploaded', { exact: true }).waitFor();
  expect(readFileSync(join(folder, 'dropped.mov')).equals(bytes)).toBe(true);
  await shot('sent');
  await drop('AAAA');
  await page.getByRole('button', { name: 'Replace' }).click();
  await until('the other file', () => statSync(join(folder, 'dropped.mov')).size === 3, LIMIT_MS);
  await page.getByLabel('Select dropped.mov').check();
  await shot('chosen');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel('Select dropped.mov').waitFor({ state: 'detached' });
  expect([existsSync(join(folder, 'dropped.mov')), errors]).toEqual([false, []]);
});
