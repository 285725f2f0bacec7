import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';

// The desk in a window of 1920×1080 at a zoom of 200 %, and on a monitor of 3840×2160 pixels: controls must be in the window, and
// canvases, which have no `rem`, must grow with the other texts.

const WAIT_MS = 30_000;
const PASSWORD = 'a long phrase';

let server: DeskServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([
    DeskServer.start(
      `edit_auth boss "${PASSWORD}";\nview_auth guest "another phrase";\ndvr main { root archive; }\n` +
        `stream cam { input fake://?width=320&height=180&bitrate=200; dvr @main 1d; }\n`,
    ),
    startBrowser(),
  ]);
  const { status } = await fetch(`${server.url}mediaserver/api/v3/people`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`boss:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ login: 'vera', full_name: 'Vera Example', role: 'viewer', password: 'correct horse' }),
  });
  expect(status).toBe(201);
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

async function logIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(server.url);
  await page.locator('input[autocomplete=username]').fill('boss');
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('nav a').first().waitFor();
  return page;
}

/** Texts of elements that are partly outside the window. */
const outside = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => {
      const { width, right, bottom } = one.getBoundingClientRect();
      return width > 0 && (right > innerWidth + 1 || bottom > innerHeight + 1);
    }).map((one) => one.textContent.trim() || one.tagName)`,
  );

describe('a zoom of 200 %', () => {
  let page: Page;
  beforeAll(async () => {
    const viewport = { width: 960, height: 540 };
    page = await logIn(await browser.newContext({ viewport, deviceScaleFactor: 2, locale: 'de-AT' }));
  });
  afterAll(() => page.context().close());

  it('shows all entries of the rail', async () => {
    await page.goto(`${server.url}#/streams`);
    await page.locator('main').getByText('cam', { exact: true }).first().waitFor();
    expect(await page.locator('nav.rail .module:visible').count()).toBeGreaterThan(12);
    expect(await outside(page, 'nav.rail .module')).toEqual([]);
  });

  it('shows all actions of a person', async () => {
    await page.goto(`${server.url}#/people`);
    await page.locator('[data-test=person]').waitFor();
    expect(await outside(page, '[data-test=person] button')).toEqual([]);
  });

  it('shows the recordings on the timeline without scrolling', async () => {
    await page.goto(`${server.url}#/archive?stream=cam`);
    await page.locator('figure[data-state=ready]').waitFor();
    expect(await outside(page, '.archive-timeline canvas')).toEqual([]);
  });
});

describe('a monitor of 3840×2160 pixels', () => {
  /** Records the height of each text on a canvas, in CSS pixels. */
  const RECORD = `window.drawn = []; const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (...texts) {
      if (texts[0]) window.drawn.push(parseFloat(/([\\d.]+)px/.exec(this.font)[1]) * this.getTransform().a / devicePixelRatio);
      return draw.apply(this, texts);
    }`;
  it.each([
    ['the timeline', 'archive?stream=cam', 'figure[data-state=ready]'],
    ['graphs', 'streams?name=cam', 'main figure canvas'],
  ])('has larger texts on %s', async (_name, path, ready) => {
    const context = await browser.newContext({ viewport: { width: 3840, height: 2160 } });
    await context.addInitScript(RECORD);
    const page = await logIn(context);
    await page.goto(`${server.url}#/${path}`);
    await page.locator(ready).first().waitFor();
    await until('texts', () => page.evaluate<boolean>('window.drawn.length > 3'), WAIT_MS);
    expect(Math.min(...(await page.evaluate<number[]>('window.drawn')))).toBeGreaterThan(16);
    await context.close();
  });

  it('has larger texts on the pages of the help', async () => {
    const page = await browser.newPage({ viewport: { width: 3840, height: 2160 } });
    await page.goto(`${server.url}-/docs/`);
    await page.locator('main h1').waitFor();
    expect(await page.evaluate<number>('parseFloat(getComputedStyle(document.body).fontSize)')).toBeGreaterThan(20);
    await page.close();
  });
});
