import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { makeTestCertificate } from '../../helpers/test-certificate.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';
import { shootDesk } from './desk-shot.ts';

// Checks every page of the desk and its dialogs with axe, in both themes and languages: contrast, names, roles, order. No button
// or column heading may be cut off, and the console must be free of errors.

const WAIT_MS = 30_000;
const FAKE = 'fake://?width=320&height=180&bitrate=200';
const PAGES = [
  'wall',
  'streams',
  'streams?name=cam',
  'streams?name=cam&settings=inputs',
  'streams?name=cam&settings=access',
  'streams?name=cam&settings=alarms',
  'archive',
  'alarms',
  'breaks',
  'clips',
  'sessions',
  'subscribers',
  'configuration?stream=cam',
  'log',
  'system',
];
/** Dialogs over a page, the keys that open them, and the content before. */
const DIALOGS: readonly (readonly [name: string, keys: string, path: string, ready: string])[] = [
  ['palette', 'Control+k', 'wall', 'article[data-stream=cam]'],
  ['keys', '?', 'wall', 'article[data-stream=cam]'],
  ['add stream', 'a', 'wall', 'article[data-stream=cam]'],
  ['keys of a page', '?', 'archive?stream=cam', 'figure[data-state=ready]'],
  ['add to a case', 'c', 'archive?stream=cam', 'figure[data-state=ready]'],
  ['cases', 'Shift+C', 'archive?stream=cam', 'figure[data-state=ready]'],
];

/** Buttons of a stream with a destination that open dialogs. */
const DESTINATION_BUTTONS = ['open-add', 'open-plan', 'open-log'];

const ADMIN = `Basic ${Buffer.from('boss:a long phrase').toString('base64')}`;

/** Occupies a port that the server is configured to open. */
let taken: Server;
let server: DeskServer;
let browser: Browser;

beforeAll(async () => {
  const [takenPort, httpsPort, deadPort] = await Promise.all([freePort(), freePort(), freePort()]);
  taken = createServer().listen(takenPort, '127.0.0.1');
  [server, browser] = await Promise.all([
    DeskServer.start(
      (url, folder) =>
        `rtmp 127.0.0.1:${takenPort};\nhttps 127.0.0.1:${httpsPort};\n${certificateLines(folder)}dvr main { root archive; }\ndvr tiny { root tiny; }\nvod clips { storage clips; }\n` +
        `edit_auth boss "a long phrase";\nview_auth guest look;\nwall_origins ${new URL(url).origin};\nevent_sink tower { url http://127.0.0.1:${deadPort}/events; }\n` +
        `stream cam { title "The gate"; input ${FAKE}; dvr @main 1d; }\nstream tape { input ${FAKE}; dvr @tiny 1d; on_play http://127.0.0.1:${deadPort}/auth; }\n` +
        `stream gone { input udp://127.0.0.1:${deadPort}; push rtmp://127.0.0.1:${deadPort}/live/key; }\nstream van { input publish://; }\n`,
      ['tiny', '1m'],
    ),
    startBrowser(),
  ]);
  // Leaves less than a mebibyte for recordings.
  writeFileSync(server.hostPath('data/tiny/fill'), Buffer.alloc(1_000_000));
  await addPerson('vera');
  // Viewer whose backend does not exist.
  await fetch(`${server.url}tape/index.m3u8`);
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
  taken.close();
});

/** Adds a viewer with a login of their own. */
async function addPerson(login: string): Promise<void> {
  const { status } = await fetch(`${server.url}mediaserver/api/v3/people`, {
    method: 'POST',
    headers: { authorization: ADMIN, 'content-type': 'application/json' },
    body: JSON.stringify({ login, full_name: 'Vera Example', role: 'viewer', password: 'correct horse' }),
  });
  expect(status).toBe(201);
}

/** Lines with a certificate that expires in three days. */
function certificateLines(folder: string): string {
  const { certificatePath, keyPath } = makeTestCertificate(folder, 'ending', 3);
  return `ssl_certificate ${certificatePath};\nssl_certificate_key ${keyPath};\n`;
}

/** Collects the errors of a page, its warnings about texts, and refused requests. */
function collectErrors(page: Page, found: string[]): void {
  page.on('pageerror', (error) => found.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' || text.includes('intlify'))
      found.push(`${page.url()}: ${text} ${message.location().url}`);
  });
}

/** Page of the desk with a theme and a language, with full rights unless another login is named. */
async function openPage(
  theme: string,
  locale: string,
  login = { name: 'boss', password: 'a long phrase' },
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1024, height: 768 },
    reducedMotion: 'reduce',
    locale,
  });
  await context.addInitScript(`localStorage.setItem('airdesk-theme', '${theme}')`);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(server.url);
  await page.locator('[data-test=server-name]').getByText(hostname()).waitFor();
  await logIn(page, login);
  await page.locator('nav').first().waitFor();
  return page;
}

/** Logs in by keyboard alone. */
async function logIn(
  page: Page,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<void> {
  await page.locator('input[autocomplete=username]:focus').waitFor();
  await page.keyboard.insertText(name);
  await page.keyboard.press('Tab');
  await page.keyboard.insertText(password);
  await page.keyboard.press('Enter');
}

/** All rules in the dark theme; in the light theme only the rule that depends on colours. */
const RULES = {
  dark: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] },
  light: { type: 'rule', values: ['color-contrast'] },
} as const;

/** Serious findings of axe: the rule, and the first places. */
async function faults(page: Page, rules: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  // Waits until fading elements are fully visible.
  await page.evaluate(
    'new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done))))',
  );
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'], runOnly: ${JSON.stringify(rules)} })
    .then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 4).map(({ target, any }) => target.join(' ') + ' ' + (any[0]?.message ?? '')).join(' | ')))`);
}

/** Texts of buttons, navigation links and column headings that are cut off. */
const CUT = `[...document.querySelectorAll('button, button *, nav a span, th, h1, h2, label, [role=columnheader]')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible' && one.clientWidth > 1)
  .map((one) => one.textContent.trim()).filter((words) => words !== '')`;

it.each([
  ['dark', 'en-US', 'en'],
  ['light', 'de-AT', 'de'],
] as const)('every page of the desk passes axe in the %s theme, %s', async (theme, locale, language) => {
  const page = await openPage(theme, locale);
  const found: string[] = [];
  collectErrors(page, found);
  for (const path of PAGES) {
    await page.goto(`${server.url}#/${path}`);
    await page.locator('main').waitFor();
    if (path === 'wall') await page.locator('article[data-stream=cam] video').waitFor();
    if (path.includes('settings=')) await page.locator('[data-test=apply-settings]').waitFor();
    if (path.includes('configuration?')) await page.locator('[data-test=section-general]').waitFor();
    // Several parts of a page may load at the same time.
    const loading = page.locator('main [role=status]').getByText(/^(Loading|Lädt|.* (wird|werden) geladen)/);
    await until('the loaded page', async () => (await loading.filter({ visible: true }).count()) === 0, WAIT_MS);
    for (const fault of await faults(page, RULES[theme])) found.push(`${path}: ${fault}`);
    for (const text of await page.evaluate<string[]>(CUT)) found.push(`${path}: ${text} is cut off`);
    await shootDesk(page, `${language}-${path.replace('?', '-')}`);
    // At a zoom of 200 %, the text of the configuration scrolls.
    if (!path.includes('configuration?')) continue;
    await page.setViewportSize({ width: 683, height: 384 });
    for (const fault of await faults(page, RULES[theme])) found.push(`${path} at 200 %: ${fault}`);
    await page.setViewportSize({ width: 1024, height: 768 });
  }
  for (const [name, keys, path, ready] of DIALOGS) {
    await page.goto(`${server.url}#/${path}`);
    await page.locator(ready).waitFor();
    await page.keyboard.press(keys);
    await page.getByRole('dialog').waitFor();
    for (const fault of await faults(page, RULES[theme])) found.push(`${name}: ${fault}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.goto(`${server.url}#/streams?name=gone`);
  for (const button of DESTINATION_BUTTONS) {
    await page.locator(`[data-test=${button}]`).click();
    await page.getByRole('dialog').waitFor();
    for (const fault of await faults(page, RULES[theme])) found.push(`${button}: ${fault}`);
    for (const text of await page.evaluate<string[]>(CUT)) found.push(`${button}: ${text} is cut off`);
    await shootDesk(page, `${language}-${button}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(found).toEqual([]);
  expect(await page.evaluate('[document.documentElement.dataset.theme, document.documentElement.lang]')).toEqual([
    theme,
    language,
  ]);
  await page.context().close();
});

it.each([
  ['dark', 'en-US', 'en'],
  ['light', 'de-AT', 'de'],
] as const)('the page and the dialogs about people pass axe in the %s theme, %s', async (theme, locale, language) => {
  const found: string[] = [];
  const check = async (page: Page, name: string): Promise<void> => {
    for (const fault of await faults(page, RULES[theme])) found.push(`${name}: ${fault}`);
    for (const words of await page.evaluate<string[]>(CUT)) found.push(`${name}: ${words} is cut`);
    await shootDesk(page, `${language}-${name}`);
  };
  const boss = await openPage(theme, locale);
  collectErrors(boss, found);
  await boss.goto(`${server.url}#/people`);
  await boss.locator('[data-test=session]').first().waitFor();
  await check(boss, 'people');
  await boss.locator('[data-test=add-person]').click();
  await boss.getByRole('dialog').waitFor();
  await check(boss, 'add-person');
  await boss.context().close();
  const vera = await openPage(theme, locale, { name: 'vera', password: 'correct horse' });
  collectErrors(vera, found);
  await vera.locator('[data-test=who]').click();
  await vera.locator('[data-test=own-password]').waitFor();
  await check(vera, 'preferences');
  await vera.locator('[data-test=own-password]').click();
  await vera.locator('[data-test=next-password]').waitFor();
  await check(vera, 'own-password');
  await vera.context().close();
  expect(found).toEqual([]);
});

it('a desk with a login saves the logs as files', async () => {
  const page = await openPage('dark', 'en-US');
  for (const [path, button, start] of [
    ['breaks?view=as_run', 'CSV', 'id,sent_at,stream,'],
    ['breaks?view=as_run', 'Key', '-----BEGIN PUBLIC KEY-----'],
    ['alarms?view=history', 'CSV', 'id,'],
  ] as const) {
    await page.goto(`${server.url}#/${path}`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.files').getByRole('button', { name: button, exact: true }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8')).toMatch(new RegExp(`^${start}`));
  }
  await page.context().close();
});

/**
 * Labels of controls that change the server or affect running streams. Every login may export a selection, so that
 * label is excluded.
 */
const ACTIONS =
  /^(Add|Remove|Restart|Delete|Save (wall|as)|Apply|Acknowledge|Shelve|End|Ban|Lock|Note|Export\b(?! the selection)|Start|Insert|Upload|Resend|Disconnect|Send|Conform|Select|Put on air|Restore|Block|Reload|First steps)/i;

it('a read-only login sees no control for changes, and does not count as a viewer', async () => {
  const page = await openPage('dark', 'en-US', { name: 'guest', password: 'look' });
  const found: string[] = [];
  collectErrors(page, found);
  const cells = [
    { x: 0, y: 0, w: 1, h: 1, tile: { kind: 'meters', stream: 'cam' }, overlays: [] },
    { x: 1, y: 0, w: 1, h: 1, tile: { kind: 'next' }, overlays: [] },
  ];
  await page.addInitScript(
    `localStorage.setItem('airdesk.wall.layout', '${JSON.stringify({ columns: 2, rows: 1, cells })}')`,
  );
  await page.reload();
  for (const path of PAGES) {
    await page.goto(`${server.url}#/${path}`);
    await page.locator('main').waitFor();
    if (path === 'wall')
      await until(
        'levels',
        () => page.evaluate<boolean>("document.querySelector('.meters-only video')?.currentTime > 0"),
        WAIT_MS,
      );
    const labels = await page.evaluate<string[]>(
      "[...document.querySelectorAll('button, select[aria-label], input[type=file], input[type=checkbox]')].map((one) => (one.getAttribute('aria-label') || one.title || one.textContent || one.type).trim())",
    );
    for (const label of labels) if (ACTIONS.test(label)) found.push(`${path}: ${label}`);
  }
  expect(found).toEqual([]);
  const sessions = await fetch(`${server.url}mediaserver/api/v3/sessions`, {
    headers: { authorization: ADMIN },
  });
  expect(await sessions.json()).toMatchObject({ sessions: [] });
  await page.context().close();
});

it.each([
  ['dark', 'en-US', /Wrong user or password/, 'en'],
  ['light', 'de-AT', /Benutzer oder Passwort ist falsch/, 'de'],
] as const)('the login page logs people in and out in the %s theme, %s', async (theme, locale, wrong, language) => {
  const page = await openPage(theme, locale, { name: 'guest', password: 'look' });
  const found: string[] = [];
  collectErrors(page, found);
  // A link that needs more rights leads to the login page, and afterwards back to the page.
  await page.goto(`${server.url}#/streams`);
  await page.locator('[data-test=view-only]').click();
  await logIn(page, { name: 'boss', password: 'a wrong phrase' });
  await page.locator('.problem').getByText(wrong).waitFor();
  await page.locator('input[type=password]:focus').waitFor();
  for (const fault of await faults(page, RULES[theme])) found.push(`login: ${fault}`);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  for (const text of await page.evaluate<string[]>(CUT)) found.push(`login: ${text} is cut off`);
  await shootDesk(page, `${language}-login`);
  await page.keyboard.insertText('a long phrase');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/streams$/);
  await page.locator('[data-test=who]').getByText('boss').click();
  await page.locator('[data-test=log-out]').click();
  await page.locator('input[autocomplete=username]:focus').waitFor();
  // Removes the messages of the browser about the wrong login, and about pictures requested while a login ended.
  const others = found.filter((text) => !text.includes('401') && !/403 .*\/preview\.jpg/.test(text));
  expect(others, others.join('\n')).toEqual([]);
  await page.context().close();
});

it('the alarms and the system page show faults of the server with their causes', async () => {
  const page = await openPage('dark', 'de-AT');
  await page.goto(`${server.url}#/alarms`);
  const waitForRow = async (...texts: readonly RegExp[]): Promise<void> => {
    let row = page.locator('tbody tr');
    for (const one of texts) row = row.filter({ hasText: one });
    await row.first().waitFor();
  };
  await waitForRow(/Server/, /EADDRINUSE/);
  await waitForRow(/tape/, /Aufzeichnung ist konfiguriert, aber/);
  await waitForRow(/Server/, /Zurzeit nicht aufgezeichnet: tape/);
  await waitForRow(/Server/, /Der Datenträger von .*tiny ist fast voll: 0 MiB frei/);
  await waitForRow(/Server/, /Das HTTPS-Zertifikat läuft am \d{4}-\d\d-\d\d ab/);
  await waitForRow(/Server/, /127\.0\.0\.1:\d+.* antwortet nicht/);
  await shootDesk(page, 'de-alarms-of-the-server');
  // Checks the wall too. A cell contains a page of the desk's own server, which is isolated from the desk like any
  // other page.
  const cells = [
    { x: 0, y: 0, w: 1, h: 1, tile: { kind: 'stream', stream: 'tape' }, overlays: [] },
    { x: 1, y: 0, w: 4, h: 5, tile: { kind: 'web', url: `${server.url}cam/embed.html` }, overlays: [] },
  ];
  await page.evaluate(
    `localStorage.setItem('airdesk.wall.layout', '${JSON.stringify({ columns: 5, rows: 5, cells })}')`,
  );
  await page.goto(`${server.url}#/wall`);
  await page.reload();
  const inside = page.frameLocator('iframe').locator('video');
  await until('the page', () => inside.evaluate((one: { currentTime: number }) => one.currentTime > 0), WAIT_MS);
  await page
    .locator('article[data-stream=tape]')
    .getByText(/Keine Aufzeichnung/)
    .first()
    .waitFor();
  // Even in a small tile of a wall with 25 tiles, the text of the alarm is complete and covers no figures.
  const tape = page.locator('article[data-stream=tape]');
  const [sign, timing] = await Promise.all([
    tape.locator('.symbol').boundingBox(),
    tape.locator('.timing').boundingBox(),
  ]);
  expect((sign?.y ?? 0) + (sign?.height ?? 0)).toBeLessThanOrEqual((timing?.y ?? 0) + 1);
  expect(
    await tape
      .locator('.symbol')
      .evaluate((one: { scrollWidth: number; clientWidth: number }) => one.scrollWidth <= one.clientWidth + 1),
  ).toBe(true);

  await page.context().close();
});
