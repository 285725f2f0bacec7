import { kill } from 'node:process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';

// Checks that every page shows the real state: while the server is suspended, after it resumes, after an encoder was
// killed, and after a restart.

const WAIT_MS = 40_000;
const PAGES = ['wall', 'streams', 'alarms', 'archive', 'sessions', 'system'] as const;

let server: DeskServer;
let browser: Browser;
let encoder: EncoderProcess;
const pages = new Map<string, Page>();
const errors: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([
    DeskServer.start(
      'dvr main { root archive; }\nstream cam { input publish://; dvr @main 1d; alarm no_input critical raise=3s; }\n',
    ),
    startBrowser(),
  ]);
  encoder = send();
  for (const name of PAGES) {
    const page = await browser.newPage({ viewport: { width: 1024, height: 700 } });
    page.on('pageerror', (error) => errors.push(`${name}: ${String(error)}`));
    await page.goto(`${server.url}#/${name}`);
    pages.set(name, page);
  }
});
afterAll(async () => {
  await browser.close();
  await encoder.stop('SIGKILL');
  await server.dispose();
});

const send = (): EncoderProcess => EncoderProcess.publish({ url: `${server.url}cam/mpegts`, isEndless: true });
const pageOf = (name: (typeof PAGES)[number]): Page => pages.get(name) ?? expect.fail(`no page ${name}`);

/** Whether the table of streams shows the stream as live. */
const isRowLive = async (): Promise<boolean> =>
  /\bLive\b/.test(await pageOf('streams').getByRole('row', { name: 'cam' }).innerText());

/** Waits until each page has a text in its top bar. */
async function untilAllShow(text: RegExp): Promise<void> {
  for (const [name, page] of pages)
    await until(
      `${name}: ${text.source}`,
      async () => text.test(await page.locator('.top-bar .link').innerText()),
      WAIT_MS,
    );
}

/** Number of segments that the playlist of the stream has removed; grows while the stream is on air. */
async function mediaSequence(): Promise<number> {
  const answer = await fetch(`${server.url}cam/v1/index.m3u8`);
  return Number(/MEDIA-SEQUENCE:(\d+)/.exec(await answer.text())?.[1] ?? -1);
}

async function alarmsNow(): Promise<readonly { readonly alarm: string; readonly acknowledged_by: string | null }[]> {
  const answer = await fetch(`${server.url}mediaserver/api/v3/alarms`);
  // The answer has the documented type.
  return ((await answer.json()) as { readonly alarms: [] }).alarms.filter(({ alarm }) => alarm === 'no_input');
}

it('every page shows that the server does not answer, and no alarm is raised when the server resumes', async () => {
  await until('the stream', async () => (await mediaSequence()) > 0, WAIT_MS);
  await until('a live row', isRowLive, WAIT_MS);
  await untilAllShow(/^Connected$/);
  kill(server.pid, 'SIGSTOP');
  try {
    await untilAllShow(/^Stale/);
    // Values from before are marked as stale.
    for (const [, page] of pages) expect(await page.locator('main.stale, .stale').count()).toBeGreaterThan(0);
  } finally {
    kill(server.pid, 'SIGCONT');
  }
  await untilAllShow(/^Connected$/);
  const before = await mediaSequence();
  await until('five more segments', async () => (await mediaSequence()) >= before + 5, WAIT_MS);
  expect(await alarmsNow()).toEqual([]);
  await until('a live row', isRowLive, WAIT_MS);
});

it('the wall, the list of streams and the alarms show that an encoder was killed', async () => {
  await encoder.stop('SIGKILL');
  await pageOf('wall').locator('article[data-stream=cam]').getByText('Signal lost').waitFor({ timeout: WAIT_MS });
  await until('no live row', async () => !(await isRowLive()), WAIT_MS);
  await pageOf('alarms').getByText('No input').first().waitFor({ timeout: WAIT_MS });
  for (const [name, page] of pages)
    await until(
      `${name}: 0/1`,
      async () => (await page.locator('.top-bar .count[title]').innerText()).startsWith('0/1'),
      WAIT_MS,
    );
});

it('the acknowledgement of an alarm is kept over a restart, and the pages reconnect automatically', async () => {
  const alarms = pageOf('alarms');
  await alarms.getByRole('row', { name: 'No input' }).locator('[data-test=acknowledge]').click();
  await alarms.getByRole('textbox', { name: 'Note' }).fill('van is moving');
  await alarms.locator('[data-test=confirm]').click();
  await alarms.getByText('van is moving').waitFor();
  await server.kill();
  await untilAllShow(/^(Connecting|Stale)/);
  await server.run();
  await untilAllShow(/^Connected$/);
  await alarms.getByText('van is moving').waitFor();
  const [alarm, ...others] = await alarmsNow();
  expect([alarm?.acknowledged_by === null, others]).toEqual([false, []]);
  encoder = send();
  await until('a live row', isRowLive, WAIT_MS);
  await until('no alarm', async () => (await alarmsNow()).length === 0, WAIT_MS);
  expect(errors).toEqual([]);
});
