import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import type { Browser, Cookie, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeColourClip } from '../../helpers/colour-clip.ts';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';

// Checks that every page shows the real state, as the HTTP APIs state it: while the server is suspended, after it resumes,
// after a viewer left during a clip, after an encoder was killed, and after a restart.

const WAIT_MS = 40_000;
const PAGES = [
  'wall',
  'streams',
  'alarms',
  'archive',
  'sessions',
  'system',
  'breaks',
  'clips',
  'log',
  'subscribers',
  'configuration',
  'people',
] as const;
const CLIP_SECONDS = 12;
const API = 'mediaserver/api/v3';
const PORTALS = 'tv-management/api/v1';
const BOSS = { name: 'boss', password: 'a long phrase' };

let server: DeskServer;
let browser: Browser;
/** Encoder of `cam`, which is killed, and of `road`, which sends until the server ends. */
let encoder: EncoderProcess;
let roadEncoder: EncoderProcess;
/** Folder of the location with the clip, and with the answer that gives the clip to viewers of `road`. */
const ads = mkdtempSync(join(tmpdir(), 'airdesk-desk-state-'));
let subscriberPath = '';
/** Time at which the encoder of `cam` was killed, in epoch milliseconds. */
let killedMs = 0;
const pages = new Map<string, Page>();
const errors: string[] = [];

beforeAll(async () => {
  makeColourClip(join(ads, 'spot.mp4'), CLIP_SECONDS);
  const midroll = { v: 1, midroll: ['ads/spot.mp4'], midroll_insert_by: 'splicing' };
  writeFileSync(join(ads, 'answer.json'), JSON.stringify({ ad_inject: midroll }));
  [server, browser] = await Promise.all([
    DeskServer.start(
      `edit_auth ${BOSS.name} "${BOSS.password}";\nview_auth guest look;\ndvr main { root archive; }\nvod ads { storage ${ads}; }\n` +
        'stream cam { title "Gate"; input publish://; dvr @main 1d; alarm no_input critical raise=3s; }\n' +
        `stream road { input publish://; segment_duration 1; dvr @main 1d; on_play ${ads}/answer.json; }\n`,
    ),
    startBrowser(),
  ]);
  encoder = send('cam');
  roadEncoder = send('road');
  await addSubscriber('Ana Berg');
  await request('POST', `${API}/people`, { login: 'vera', role: 'viewer', password: 'correct horse' });
  const cookies: Cookie[] = [];
  for (const name of PAGES) {
    // Pages of one context would share six connections.
    const page = await browser.newPage({ viewport: { width: 1024, height: 700 }, locale: 'en-GB' });
    page.on('pageerror', (error) => errors.push(`${name}: ${String(error)}`));
    if (cookies.length > 0) await page.context().addCookies(cookies);
    await page.goto(`${server.url}#/${name}`);
    if (cookies.length === 0) {
      await logIn(page);
      cookies.push(...(await page.context().cookies()));
    }
    pages.set(name, page);
  }
});
afterAll(async () => {
  await browser.close();
  await Promise.all([encoder, roadEncoder].map((one) => one.stop('SIGKILL')));
  await server.dispose();
  rmSync(ads, { recursive: true });
});

const send = (stream: string): EncoderProcess =>
  EncoderProcess.publish({ url: `${server.url}${stream}/mpegts`, isEndless: true });

async function logIn(page: Page): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(BOSS.name);
  await page.locator('input[autocomplete=current-password]').fill(BOSS.password);
  await page.keyboard.press('Enter');
  await page.locator('nav').first().waitFor();
}

/** Sends a request with the login of the configuration; returns the body of the answer. */
async function request<T>(method: string, path: string, body?: object, key?: string): Promise<T> {
  const authorization = `Basic ${Buffer.from(`${BOSS.name}:${BOSS.password}`).toString('base64')}`;
  const headers = { ...(key === undefined ? { authorization } : { 'x-auth-token': key }) };
  const reply = await fetch(`${server.url}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
  // The answer has the documented type.
  return (text === '' ? null : JSON.parse(text)) as T;
}

let portalKey = '';
/** Creates a portal with a subscriber. */
async function addSubscriber(name: string): Promise<void> {
  const { portalId } = await request<{ readonly portalId: string }>('POST', `${PORTALS}/portals`, { name: 'North' });
  const key = await request<{ readonly token: string }>('POST', `${PORTALS}/portals/${portalId}/keys`, { name: 'key' });
  portalKey = key.token;
  const subscriber = { name, phoneCountryCode: '44', phone: '5550101' };
  const path = `${PORTALS}/subscribers`;
  const { subscriberId } = await request<{ readonly subscriberId: string }>('POST', path, subscriber, portalKey);
  subscriberPath = `${path}/${subscriberId}`;
}

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

interface ShownAlarm {
  readonly name: string | null;
  readonly alarm: string;
  readonly acknowledged_by: string | null;
}
async function alarmsNow(): Promise<readonly ShownAlarm[]> {
  const { alarms } = await request<{ readonly alarms: readonly ShownAlarm[] }>('GET', `${API}/alarms`);
  return alarms.filter(({ name, alarm }) => name === 'cam' && alarm === 'no_input');
}

/** Texts of the visible rows of the log that match. */
const logRows = async (pattern: RegExp): Promise<string[]> =>
  (await pageOf('log').getByRole('row').allInnerTexts()).filter((text) => pattern.test(text));

/** Sent seconds of the clip, from the log of advertisements; undefined before the viewer got the clip. */
async function sentSeconds(): Promise<number | undefined> {
  const path = `${API}/ads/as_run?stream=road&path=ads/spot.mp4`;
  const { as_run: rows } = await request<{ readonly as_run: readonly { readonly sent: number }[] }>('GET', path);
  return rows.find(({ sent }) => sent > 0)?.sent;
}

const segments = new Set<string>();
/** Loads the next video segment of `road` that was not loaded before, like a player. */
async function loadSegment(): Promise<void> {
  const playlist = `${server.url}road/v1/index.m3u8?token=viewer`;
  const lines = (await (await fetch(playlist)).text()).split('\n');
  const next = lines.find((line) => line !== '' && !line.startsWith('#') && !segments.has(line));
  if (next === undefined) return;
  segments.add(next);
  await (await fetch(new URL(next, playlist))).arrayBuffer();
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

it('the page Breaks states how much of a clip was sent to a viewer who left', async () => {
  await until('a viewer of the stream', async () => (await loadSegment(), segments.size > 2), WAIT_MS);
  await request('POST', `${API}/streams/road/ads/splice_insert`, { duration: CLIP_SECONDS + 2 });
  await until(
    'two segments of the clip',
    async () => (await loadSegment(), ((await sentSeconds()) ?? 0) > 1),
    WAIT_MS,
    () => server.printed,
  );
  // The viewer loads nothing more.
  const clip = pageOf('breaks').getByRole('row', { name: 'ads/spot.mp4' });
  const shownSeconds = async (): Promise<number> =>
    Number(/([\d.]+) s of 12 s sent/.exec((await clip.allInnerTexts()).join())?.[1] ?? NaN);
  await until(
    'the sent time',
    async () => Math.abs((await shownSeconds()) - ((await sentSeconds()) ?? NaN)) < 0.06,
    WAIT_MS,
    async () => `${(await clip.allInnerTexts()).join()}, sent: ${await sentSeconds()}`,
  );
  expect(await shownSeconds()).toBeLessThan(CLIP_SECONDS);
  await pageOf('breaks')
    .getByRole('row', { name: /road .*1 clip, 1 in part, 1 viewer/ })
    .waitFor();
});

it('the pages follow changes by others over HTTP', async () => {
  await pageOf('clips').getByRole('row', { name: 'spot.mp4' }).waitFor();
  await pageOf('people').locator('[data-test=person]', { hasText: 'vera' }).getByText('Active').waitFor();
  await pageOf('subscribers')
    .getByRole('row', { name: /Ana Berg .*may watch/ })
    .waitFor();
  await request('PUT', `${API}/people/vera`, { is_disabled: true });
  await request('POST', `${subscriberPath}/disable`, { reason: 'not paid' }, portalKey);
  await request('PUT', `${API}/streams/cam`, { title: 'Main gate' });
  await pageOf('people').locator('[data-test=person]', { hasText: 'vera' }).getByText('Disabled').waitFor();
  await pageOf('subscribers')
    .getByRole('row', { name: /Ana Berg .*blocked/ })
    .waitFor();
  await pageOf('configuration').locator('.cm-content', { hasText: 'Main gate' }).waitFor();
});

it('the wall, the list of streams, the alarms and the log show that an encoder was killed', async () => {
  await encoder.stop('SIGKILL');
  killedMs = Date.now();
  await pageOf('wall').locator('article[data-stream=cam]').getByText('Signal lost').waitFor({ timeout: WAIT_MS });
  await until('no live row', async () => !(await isRowLive()), WAIT_MS);
  await pageOf('alarms').getByText('No input').first().waitFor({ timeout: WAIT_MS });
  for (const [name, page] of pages)
    await until(
      `${name}: 1/2`,
      async () => (await page.locator('.top-bar .count[title]').innerText()).startsWith('1/2'),
      WAIT_MS,
    );
  await until('the alarm in the log', async () => (await logRows(/Alarm on cam: No input/)).length === 1, WAIT_MS);
  const history = `${API}/alarm_history?name=cam&alarm=no_input`;
  const { alarm_history: raised } = await request<{ readonly alarm_history: readonly object[] }>('GET', history);
  expect(raised).toHaveLength(1);
});

it('the acknowledgement of an alarm is kept over a restart, and the pages reconnect automatically', async () => {
  const alarms = pageOf('alarms');
  await alarms.getByRole('row', { name: 'No input' }).locator('[data-test=acknowledge]').click();
  await alarms.getByRole('textbox', { name: 'Note' }).fill('van is moving');
  await alarms.locator('[data-test=confirm]').click();
  await alarms.getByText('van is moving').waitFor();
  await pageOf('log').getByLabel('Text').fill('server_started');
  await until('the first start in the log', async () => (await logRows(/Airdesk .* is ready/)).length === 1, WAIT_MS);
  await server.kill();
  await untilAllShow(/^(Connecting|Stale)/);
  copyFileSync(join(ads, 'spot.mp4'), join(ads, 'new.mp4'));
  const file = join(server.folder, 'airdesk.conf');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Main gate', 'Side gate'));
  await server.run();
  roadEncoder = send('road');
  await untilAllShow(/^Connected$/);
  await alarms.getByText('van is moving').waitFor();
  const [alarm, ...others] = await alarmsNow();
  expect([alarm?.acknowledged_by === null, others]).toEqual([false, []]);
  await until('the start in the log', async () => (await logRows(/Airdesk .* is ready/)).length === 2, WAIT_MS);
  await pageOf('clips').getByRole('row', { name: 'new.mp4' }).waitFor();
  await pageOf('configuration').locator('.cm-content', { hasText: 'Side gate' }).waitFor();
  await pageOf('people').locator('[data-test=person]', { hasText: 'vera' }).getByText('Disabled').waitFor();
  await pageOf('subscribers')
    .getByRole('row', { name: /Ana Berg .*blocked/ })
    .waitFor();
  await pageOf('breaks')
    .getByRole('row', { name: /ads\/spot.mp4 .* of 12 s sent/ })
    .waitFor();
  encoder = send('cam');
  await until('a live row', isRowLive, WAIT_MS);
  await until('no alarm', async () => (await alarmsNow()).length === 0, WAIT_MS);
  expect(errors).toEqual([]);
});

it('the page Archive shows the gap of a stream while another stream was recorded', async () => {
  const atMs = killedMs + 2000;
  const gap = await until(
    'the recording after the gap',
    async () => {
      const { ranges } = await request<{ readonly ranges: readonly RecordedRange[] }>(
        'GET',
        `${API}/streams/cam/dvr/ranges`,
      );
      const after = ranges.findIndex(({ from }) => from * 1000 > atMs);
      const [before, next] = [ranges[after - 1], ranges[after]];
      return before && next ? { from: (before.from + before.duration) * 1000, to: next.from * 1000 } : undefined;
    },
    WAIT_MS,
  );
  const page = pageOf('archive');
  await page.goto(`${server.url}#/archive?stream=road,cam&at=${new Date(atMs).toISOString()}`);
  await page.locator('[data-test=zone]').click();
  const text = await page
    .locator('figure[data-name=cam]')
    .getByText(/Not recorded [\d:]+–[\d:]+/)
    .innerText({ timeout: WAIT_MS });
  const shown = [...text.matchAll(/\d\d:\d\d:\d\d/g)].map(([time]) => Date.parse(`${dayOf(atMs)}T${time}Z`));
  // The API states starts and durations in whole seconds.
  for (const [index, ms] of [gap.from, gap.to].entries())
    expect(Math.abs((shown[index] ?? NaN) - ms)).toBeLessThan(2500);
  expect(await page.locator('figure[data-name=road] .gap').count()).toBe(0);
});

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

interface RecordedRange {
  readonly from: number;
  readonly duration: number;
}
