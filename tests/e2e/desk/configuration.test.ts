import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';
import { shootDesk } from './desk-shot.ts';

const LIMIT_MS = 60_000;
const CONFIG = `# The studio
stream cam1 {
  # by the door
  input fake://?width=320&height=180&bitrate=300;
  title "Camera 1";
}
stream gate { input publish://; password s3cretpw; }
`;
let server: DeskServer;
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([DeskServer.start(CONFIG), startBrowser()]);
  page = await openDesk();
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

async function openDesk(): Promise<Page> {
  const opened = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  opened.setDefaultTimeout(LIMIT_MS);
  opened.on('pageerror', (error) => errors.push(error.message));
  await opened.goto(`${server.url}#/configuration`);
  await editorOf(opened).waitFor();
  return opened;
}

const shot = (name: string): Promise<void> => shootDesk(page, name);

const file = (): string => readFileSync(join(server.folder, 'airdesk.conf'), 'utf8');
const editorOf = (where: Page): Locator => where.getByRole('textbox', { name: 'Configuration text' });
const press = (name: string, where = page): Promise<void> => where.getByRole('button', { name, exact: true }).click();
const inForce = async (): Promise<string> =>
  (await fetch(`${server.url}mediaserver/api/v3/config`, { headers: { accept: 'text/plain' } })).text();

/** Puts the cursor after a word of the text, like a mouse click, and types. */
async function typeAfter(word: string, text: string, where = page): Promise<void> {
  const line = where.locator('.cm-line', { hasText: word }).first();
  await line.click();
  await where.keyboard.press('End');
  await where.keyboard.type(text);
}

it('shows errors with their position, help and completions, and hides secrets', async () => {
  await until('the text', async () => (await editorOf(page).innerText()).includes('by the door'), LIMIT_MS);
  expect(await editorOf(page).innerText()).not.toContain('s3cretpw');
  await typeAfter('title "Camera 1"', '\nsegment_dur');
  const proposal = page.locator('.cm-tooltip-autocomplete li', { hasText: 'segment_duration' });
  await proposal.waitFor();
  await shot('config-completion');
  await proposal.click();
  await page.keyboard.type('never;');
  await page.getByRole('list', { name: 'Errors and warnings' }).getByText('line 7, column').waitFor();
  expect(await page.locator('[data-test=apply]').isDisabled()).toBe(true);
  await page.locator('.cm-line', { hasText: 'segment_duration' }).getByText('segment_duration').hover();
  await page.locator('.config-help').getByText('Minimum length of a segment').waitFor();
  await shot('config-mistake');
  await page.keyboard.press('Escape');
});

it('applies changes after a preview, and undoes them by a button', async () => {
  for (const _ of 'never;') await page.keyboard.press('Backspace');
  await page.keyboard.type('4;');
  await page.getByText('restarts 1 stream: cam1').waitFor();
  await press('Changes');
  await page.locator('.cm-changedLine').waitFor();
  await shot('config-changes');
  await press('Apply');
  await page.getByText('The configuration was applied.').waitFor();
  expect(file()).toContain('# by the door');
  expect(file()).toContain('  segment_duration 4;\n');
  expect(file()).toContain('password s3cretpw;');
  await press('Undo');
  await until('the old text', () => !file().includes('segment_duration 4'), LIMIT_MS);
});

it('writes values of the form into the text, and shows values of the text in the form', async () => {
  await press('Text');
  await page.locator('.cm-line', { hasText: 'by the door' }).click();
  const form = page.getByRole('region', { name: 'Form' });
  const title = form.getByRole('textbox', { name: 'Title' });
  await until('the title', async () => (await title.inputValue()) === 'Camera 1', LIMIT_MS);
  await title.fill('Door');
  await page.locator('.cm-line', { hasText: 'title Door;' }).waitFor();
  await form.getByRole('switch', { name: 'Enabled' }).uncheck();
  await page.locator('.cm-line', { hasText: 'disabled;' }).waitFor();
  await shot('config-form');
  await press('Discard');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await until('the title', async () => (await title.inputValue()) === 'Camera 1', LIMIT_MS);
});

it('reverts a trial when its window is closed, and shows a countdown on every desk', async () => {
  const other = await openDesk();
  await typeAfter('title "Camera 1"', ' # tried', other);
  await other.getByLabel('seconds').fill('3');
  await press('Apply for', other);
  await until('the trial', async () => (await inForce()).includes('# tried'), LIMIT_MS);
  await page.reload();
  await page.getByText('It is reverted in').waitFor();
  expect(await inForce()).toContain('# tried');
  await other.close();
  await until('the end of the trial', async () => !(await inForce()).includes('# tried'), LIMIT_MS);
  expect(file()).not.toContain('# tried');
});

it('shows a second person the changes of others, and merges both edits', async () => {
  await page.goto(`${server.url}#/configuration?view=text`);
  // The next heartbeat updates the displayed text.
  await until('the old text', async () => !(await editorOf(page).innerText()).includes('# tried'), LIMIT_MS);
  await typeAfter('# The studio', ', second floor');
  await server.put('cam1', { title: 'Camera one' });
  await page.getByRole('alert').getByText('The configuration was changed while').waitFor();
  expect(await page.locator('[data-test=apply]').isDisabled()).toBe(true);
  await shot('config-changed-meanwhile');
  await press('Merge the other changes');
  await press('Apply');
  await until('both changes', () => file().includes('second floor') && file().includes('Camera one'), LIMIT_MS);
});

/** Counts the clicks of an operator, from the wall until an old configuration is in force. */
it('restores an old configuration with four clicks', async () => {
  await page.goto(`${server.url}#/wall`);
  const steps = [
    () => page.getByRole('link', { name: 'Config' }).click(),
    () => press('History'),
    () => page.getByRole('row', { name: 'desk', exact: false }).nth(2).getByRole('button', { name: 'Restore' }).click(),
    () => page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click(),
  ];
  for (const step of steps) await step();
  await page.getByText('is in force again').waitFor();
  expect(steps).toHaveLength(4);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await shot('config-history');
  expect(errors).toEqual([]);
});
