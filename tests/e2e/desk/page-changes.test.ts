import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';

// A shift changes pages hundreds of times: pages that were left must not stay in the memory of the browser.

const WAIT_MS = 30_000;
/** Changes of pages. A tile of the wall has about 240 nodes. */
const ROUNDS = 4;

let server: DeskServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([
    DeskServer.start('stream cam { input fake://?width=320&height=180&bitrate=200; }\n'),
    startBrowser(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

/** Number of nodes that the browser keeps, after its garbage collection. */
async function keptNodes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Memory.getDOMCounters')).nodes;
}

async function open(page: Page, path: string, ready: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${path}'`);
  await page.locator(ready).first().waitFor();
}

// An unknown address leads to the wall.
it.each(['wall', 'nothing'])('%s, once left, keeps no nodes', async (path) => {
  const page = await browser.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(server.url);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  const visit = async (): Promise<void> => {
    await open(page, path, 'article[data-stream=cam] video:not(.hidden)');
    // The audio of the tile is measured.
    await until(
      'levels',
      () => page.evaluate<boolean>("!document.querySelector('article[data-stream=cam] video').muted"),
      WAIT_MS,
    );
    await open(page, 'log', 'main');
  };
  await visit();
  let before = 0;
  await until(
    'a settled page',
    async () => {
      const nodes = await keptNodes(session);
      const isSettled = nodes === before;
      before = nodes;
      return isSettled;
    },
    WAIT_MS,
  );
  for (let round = 0; round < ROUNDS; round++) await visit();
  // The browser releases media after a while.
  await until('released pages', async () => (await keptNodes(session)) < before + 200, WAIT_MS);
  await page.close();
});
