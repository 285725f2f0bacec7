import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';
import { shootDesk } from './desk-shot.ts';

const FAKE = 'fake://?width=320&height=180&bitrate=200';
const CONFIG = `# The studio
stream gate {
  # by the door
  input ${FAKE};
  labels floor=2; # for the lists
}
`;
let server: DeskServer;
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([DeskServer.start(CONFIG), startBrowser()]);
  page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  page.on('pageerror', (error) => errors.push(error.message));
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

const file = (): string => readFileSync(join(server.folder, 'airdesk.conf'), 'utf8');
const dialog = (): Locator => page.getByRole('dialog', { name: 'Settings of gate' });

it('starts recording a running stream with two clicks, without a configured storage', async () => {
  await page.goto(`${server.url}#/streams`);
  await page.locator('[data-name=gate] .condition.live').waitFor();
  await page.locator('[data-name=gate]').click();
  await page.locator('[data-test=record]').click();
  await page.getByText('Recording gate to the storage main').waitFor();
  expect(file()).toMatch(/dvr main \{/);
  expect(file()).toContain('dvr @main 7d;');
  await page.getByText('Stop recording').waitFor();
});

it('writes a changed alarm threshold and recording duration, and leaves the other text as it is', async () => {
  const before = file();
  await page.locator('[data-test=settings]').click();
  await dialog().locator('[data-test=section-alarms]').click();
  await dialog().getByRole('switch', { name: 'Black' }).check();
  await dialog().getByLabel('Black: seconds until the alarm').fill('6');
  await dialog().locator('[data-test=section-recording]').click();
  await dialog().getByRole('spinbutton', { name: 'Keep for' }).fill('3');
  await dialog().getByText('updates 1 stream without interruption: gate').waitFor();
  await shootDesk(page, 'settings');
  await dialog().locator('[data-test=as-text]').click();
  await dialog().getByText('alarm black raise=6s;').waitFor();
  await dialog().getByText('1 more setting in the text: labels').waitFor();
  await page.locator('[data-test=apply-settings]').click();
  await page.getByText('The settings of gate were applied.').waitFor();
  await dialog().waitFor({ state: 'detached' });
  const added = '  alarm black raise=6s;\n';
  expect(file()).toContain(added);
  expect(file().replace(added, '').replace('dvr @main 3d;', 'dvr @main 7d;')).toBe(before);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await until('the old text', () => file() === before, 30_000);
});

it('adds alarms for black, frozen and silent to selected streams with one button', async () => {
  const before = file();
  await page.getByLabel('Select gate').check();
  await page.locator('[data-test=watch-all]').click();
  await page.getByText('1 stream is now watched for a black or frozen picture and for silence.').waitFor();
  const added = '  alarm black;\n  alarm frozen;\n  alarm silence;\n';
  expect(file()).toContain(added);
  expect(file().replace(added, '')).toBe(before);
  await page.locator('[data-test=watch-all]').click();
  await page.getByText('Already watched.').waitFor();
});

it('shows which streams a change restarts, why a value is refused, and a confirmation before changes are lost', async () => {
  await page.goto(`${server.url}#/streams?name=gate&settings=outputs`);
  const length = dialog().getByRole('spinbutton', { name: 'Segment length' });
  await length.fill('4');
  await dialog().getByText('restarts 1 stream: gate').waitFor();
  await length.fill('400');
  await dialog().getByRole('alert').getByText('Enter a number from 0.5 to 60.').waitFor();
  expect(await page.locator('[data-test=apply-settings]').isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.locator('[data-test=confirm]').click();
  await dialog().waitFor({ state: 'detached' });
  expect(file()).not.toContain('segment_duration');
  expect(errors).toEqual([]);
});
