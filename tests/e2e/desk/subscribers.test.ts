import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../helpers/start-browser.ts';
import { DeskServer } from './desk-server.ts';
import { shootDesk } from './desk-shot.ts';

let server: DeskServer;
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([DeskServer.start('stream cam { input fake://; }'), startBrowser()]);
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.on('pageerror', (error) => errors.push(error.message));
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

const shot = (name: string): Promise<void> => shootDesk(page, name);
const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

it('lets an operator add, attach, block, unblock and find a subscriber, verify a code, and issue a key', async () => {
  await page.goto(`${server.url}#/subscribers`);
  await page.getByText('No portals yet').waitFor();
  await shot('empty');
  await page.getByLabel('Portal name').fill('North');
  await page.keyboard.press('Enter');

  await press('Packages');
  await page.getByText('No packages yet').waitFor();
  await press('Add package');
  await page.getByLabel('Name').fill('News');
  await page.getByLabel('Streams').fill('cam\nsport/');
  await shot('package-form');
  await press('Save');
  await page.getByRole('cell', { name: 'cam, sport/' }).waitFor();

  await press('Subscribers');
  await page.getByText('No subscribers yet').waitFor();
  for (const [name, phone] of [
    ['Ana Berg', '5550101'],
    ['Bo Lind', '5550102'],
  ] as const) {
    await press('Add subscriber');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Country code').fill('44');
    await page.getByLabel('Phone number').fill(phone);
    await press('Save');
    await page.getByRole('complementary', { name }).waitFor();
  }
  await page.getByRole('button', { name: 'Ana Berg' }).click();
  const card = page.getByRole('complementary', { name: 'Ana Berg' });
  await card.getByLabel('Add package').fill('News');
  await page.keyboard.press('Enter');
  await card.getByText('package added to subscriber').waitFor();
  await card.getByLabel('Device').fill('phone');
  await card.getByRole('button', { name: 'New token' }).click();
  await card.getByText('Token (shown only once)').waitFor();
  await card.getByRole('button', { name: 'Close' }).last().click();
  await card.getByRole('button', { name: 'Revoke phone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await card.getByText('No tokens. A token is needed').waitFor();
  await card.getByLabel('Reason').fill('not paid');
  await card.getByRole('button', { name: 'Block', exact: true }).click();
  await card.getByText('blocked “not paid”').or(card.getByText('“not paid”')).first().waitFor();
  await shot('subscribers-card');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await card.getByText('may watch', { exact: true }).waitFor();

  await page.getByLabel('Search').fill('5550102');
  await page.getByRole('button', { name: 'Ana Berg' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Bo Lind' }).waitFor();

  await press('Operations');
  await page.getByRole('cell', { name: 'blocked', exact: true }).waitFor();
  await press('Verify the log');
  await page.getByText(/^6 records match the chain. Nothing is signed yet/).waitFor();
  await shot('log');
  // The address of the page contains the filters.
  await page.getByRole('search').getByRole('combobox').selectOption('blocked');
  await page.getByRole('cell', { name: 'Bo Lind' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('cell', { name: 'blocked', exact: true }).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(1);
  await page.locator('tbody button').press('Enter');
  await press('Only this subscriber');
  await page.getByRole('button', { name: 'Subscriber: Ana Berg' }).waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), press('Export')]);
  expect(await readFile(await file.path(), 'utf8')).toMatch(
    /^operationId,.*\r\n[^\r]*disableSubscriber.*not paid.*\r\n$/,
  );
  await shot('log-filter');
  await page.getByRole('button', { name: 'Subscriber: Ana Berg' }).click();
  await page.getByRole('search').getByRole('combobox').selectOption('all');
  // Changes by other desks appear automatically.
  const other = await browser.newPage();
  await other.goto(page.url().replace('part=log', 'part=packages'));
  await other.getByRole('button', { name: 'Delete', exact: true }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await other
    .getByText(/Subscribers still have the package/)
    .first()
    .waitFor();
  await other.getByRole('button', { name: 'Add package' }).click();
  await other.getByLabel('Name').fill('Films');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await other.close();
  await page.getByRole('cell', { name: 'Films' }).waitFor();

  await press('Keys and webhooks');
  await page.getByLabel('Purpose').fill('billing');
  await press('New key');
  const secret = await page.locator('.issued code').innerText();
  const read = (key: string): Promise<number> =>
    fetch(`${server.url}tv-management/api/v1/subscribers`, { headers: { 'x-auth-token': key } }).then(
      ({ status }) => status,
    );
  expect(await read(secret)).toBe(200);
  await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1:9/a');
  await press('New webhook');
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('cell', { name: 'nothing to send yet' }).waitFor();
  await press('Deliveries');
  await page.getByText('No attempts since the server started').waitFor();
  await press('Send test');
  await page.getByText(/^The test failed/).waitFor();
  await page.getByLabel('From').fill('2020-01-01');
  await press('Resend a period');
  await page.getByRole('dialog', { name: /^Resend \d+ operations/ }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await shot('access');
  await press('Disable');
  await page.getByRole('cell', { name: 'disabled' }).waitFor();
  await press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No webhooks yet. Operations are not sent anywhere.').waitFor();
  await press('Revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('No keys yet. A billing system needs one.').waitFor();
  expect(await read(secret)).toBe(401);
  expect(errors).toEqual([]);
});

it('imports a list of subscribers after a preview, and finds them by customer number', async () => {
  await press('Subscribers');
  await page.getByLabel('Search').fill('');
  await press('Import …');
  const list = 'Name;Country code;Phone number;Customer number\nCy Example;44;5550103;C-3\nDi Example;44;x;C-4';
  const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: '1 invalid' }).waitFor();
  await page.getByText('“x” has characters that are not digits.').waitFor();
  await shot('import');
  await press('Write 1 row');
  await page.getByText(/^1 row written\./).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByLabel('Search').fill('C-3');
  await page.getByRole('row', { name: /Cy Example C-3 \+44 5550103/ }).waitFor();
  expect(errors).toEqual([]);
});

it('removes dialogs and their backdrops completely, even if they open and close quickly', async () => {
  await press('Keys and webhooks');
  await page.getByLabel('Purpose').fill('billing');
  await press('New key');
  const revoke = page.getByRole('button', { name: 'Revoke', exact: true });
  await revoke.waitFor();
  // A repeated key, or two desks at the same time, make changes faster than a mouse.
  await page.evaluate(`(async () => {
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const button = (where, words) => [...document.querySelectorAll(where)].find(({ textContent }) => textContent.trim() === words);
    for (const pauseMs of [36, 44, 52, 40, 48]) {
      for (const openMs of [260, 5]) {
        button('main button', 'Revoke').click();
        await pause(openMs);
        button('[role=dialog] footer button', 'Cancel')?.click();
        await pause(pauseMs);
      }
    }
  })()`);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await revoke.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('No keys yet. A billing system needs one.').waitFor();
});

it('shows the same subscriber again after a reload, and on a phone', async () => {
  await press('Subscribers');
  await page.getByRole('button', { name: 'Bo Lind' }).click();
  await page.getByRole('complementary', { name: 'Bo Lind' }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const card = page.getByRole('complementary', { name: 'Bo Lind' });
  await card.getByText('+44 5550102').waitFor();
  await shot('phone-card');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await card.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Ana Berg' }).waitFor();
  await shot('phone');
});
