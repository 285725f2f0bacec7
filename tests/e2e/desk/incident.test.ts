import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeColourClip } from '../../helpers/colour-clip.ts';
import { isPictureDrawn, watchPictures } from '../../helpers/desk/drawn-picture.ts';
import { differenceOf, greyOf } from '../../helpers/desk/grey-picture.ts';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { freePort } from '../../helpers/free-port.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { vlcPictures } from '../../helpers/vlc-pictures.ts';
import { DeskServer } from './desk-server.ts';
import { shootDesk } from './desk-shot.ts';
import { DeskTrace } from './desk-trace.ts';

// An evening with incidents, recorded from real encoders: a break with a clip, a switch from the main input to the
// reserve, then the loss of the reserve too with an alarm and a gap, until the main input is back. Then an operator
// finds and exports the switch.

const LIMIT_MS = 30_000;
const FRAME_MS = 40;
/** Size of the grey picture in which pictures are compared. */
const SIZE = { width: 160, height: 90 };
let server: DeskServer;
let browser: Browser;
let page: Page;
let trace: DeskTrace;
let mainUrl: string;
/** Time at which the reserve went on air. */
let switchedMs = 0;
const encoders: EncoderProcess[] = [];
const errors: string[] = [];
const startedMs = Date.now();
/** Folder with the clip, and with the answer that admits viewers and gives them the clip. */
const ads = mkdtempSync(join(tmpdir(), 'airdesk-desk-incident-'));

beforeAll(async () => {
  makeColourClip(join(ads, 'spot.mp4'), 3);
  const midroll = { v: 1, midroll: ['ads/spot.mp4'], midroll_insert_by: 'splicing' };
  writeFileSync(join(ads, 'answer.json'), JSON.stringify({ ad_inject: midroll }));
  // Over TCP, so that a busy machine loses nothing.
  mainUrl = `http://127.0.0.1:${await freePort()}`;
  [server, browser] = await Promise.all([
    DeskServer.start(`dvr main { root archive; }
vod clips { storage clips; }
vod ads { storage ${ads}; }
stream gate {
  input ts${mainUrl} priority=1 frames_timeout=1;
  input publish:// priority=2;
  segment_duration 1;
  dvr @main 1d;
  on_play ${ads}/answer.json;
  loudness_log true;
  alarm no_input critical raise=3s clear=1s;
}`),
    startBrowser(),
  ]);
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.setDefaultTimeout(LIMIT_MS);
  page.on('pageerror', (error) => errors.push(error.message));
  trace = new DeskTrace(page);
});
afterAll(async () => {
  await Promise.all([browser.close(), ...encoders.map((one) => one.stop('SIGKILL'))]);
  await server.dispose();
  rmSync(ads, { recursive: true });
});

const shot = (name: string): Promise<void> => shootDesk(page, name);
const isReady = (): Promise<boolean> =>
  page.evaluate<boolean>(
    `[...document.querySelectorAll('figure')].some((one) => one.dataset.state === 'ready' && !one.querySelector('video').seeking)`,
  );
/** Colours of the middle pixel of a player. */
const MIDDLE = `(() => {
  const context = document.createElement('canvas').getContext('2d');
  const video = document.querySelector('video');
  if (!video?.videoWidth) return [0, 0, 0];
  context.drawImage(video, 0, 0, 2, 2);
  return [...context.getImageData(1, 1, 1, 1).data].slice(0, 3);
})()`;
/** Number of pictures at each end of the export among which the expected picture is searched. */
const NEAR = 25;
/** Duration of the gap in milliseconds. The server notices the end of the encoder slightly later. */
const GAP_MS = 6000;
const send = (url: string): EncoderProcess => {
  const encoder = EncoderProcess.publish({ url, isEndless: true, isServing: url === mainUrl });
  encoders.push(encoder);
  return encoder;
};
/** Recorded duration in seconds. */
async function recordedSeconds(): Promise<number> {
  const text = await (await fetch(`${server.url}gate/v1/archive-${Math.floor(startedMs / 1000)}-now.m3u8`)).text();
  return [...text.matchAll(/#EXTINF:([0-9.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}
async function recordedMore(seconds: number): Promise<void> {
  const before = await recordedSeconds();
  await until(
    `${seconds} s more`,
    async () => (await recordedSeconds()) >= before + seconds,
    LIMIT_MS,
    () => server.printed,
  );
}
/** Start of the recording after a moment, in epoch milliseconds; undefined until it is listed. */
async function recordedAgain(afterMs: number): Promise<number | undefined> {
  const answer = await fetch(`${server.url}streamer/api/v3/streams/gate/dvr/ranges`);
  const { ranges } = (await answer.json()) as { readonly ranges: readonly { readonly from: number }[] };
  return ranges.map(({ from }) => from * 1000).find((ms) => ms > afterMs);
}
/** Time in the time code, on the displayed day. */
async function shownAt(): Promise<number> {
  const [day, code = ''] = await page.evaluate<[string, string]>(
    `[document.querySelector('.day').textContent, document.querySelector('[data-test=time]').value]`,
  );
  return Date.parse(`${day}T${code.slice(0, 8)}Z`) + Number(code.slice(9)) * FRAME_MS;
}
/** Picture of the desk as grey pixels. @param image expression that returns the drawn element */
const grey = (image = `document.querySelector('figure video')`): Promise<Uint8Array> => greyOf(page, image, SIZE);
const greyOfPng = (png: Buffer): Promise<Uint8Array> =>
  grey(
    `createImageBitmap(new Blob([Uint8Array.from(atob('${png.toString('base64')}'), (one) => one.charCodeAt(0))], { type: 'image/png' }))`,
  );

/** Row of the log about the switch to the reserve: only there the previous input is input 1. */
const switchRow = (): Locator => page.getByRole('row', { name: /switched from input 1/ });

it('the server records a break, a switch of inputs, an alarm and a gap', async () => {
  const main = send(mainUrl);
  await page.goto(`${server.url}#/breaks`);
  await until('the recording', async () => (await recordedSeconds()) >= 1, LIMIT_MS);
  const reserve = send(`${server.url}gate/mpegts`);
  await recordedMore(2);
  const viewer = await browser.newPage({ viewport: { width: 426, height: 240 } });
  await viewer.goto(`${server.url}gate/embed.html?token=viewer`);
  const middle = (): Promise<number[]> => viewer.evaluate<number[]>(MIDDLE);
  await until('the programme', async () => (await middle()).some((part) => part > 0), LIMIT_MS);
  // The operator starts the break, and ends it after the viewer got the clip.
  await page.getByRole('button', { name: 'Start a break' }).click();
  await page.locator('tr.running').waitFor();
  const isClip = async (): Promise<boolean> => {
    const [red = 0, green = 0, blue = 0] = await middle();
    return red > 200 && green < 60 && blue > 200;
  };
  await until('the clip', isClip, LIMIT_MS, () => server.printed);
  await page.getByRole('button', { name: 'End break' }).click();
  await page.locator('tr.ended', { hasText: '1 viewer' }).click();
  // On a slow machine the break lasts so long that the clip is repeated.
  await page
    .getByRole('row', { name: /ads\/spot\.mp4 (sent in full, 3 s|.* of 3 s sent) splice point/ })
    .first()
    .waitFor();
  await until('the programme again', async () => !(await isClip()), LIMIT_MS);
  await shot('incident-break');
  await viewer.close();
  await recordedMore(3);
  await page.goto(`${server.url}#/log`);
  await main.stop('SIGKILL');
  await switchRow().waitFor();
  await recordedMore(4);
  await page.goto(`${server.url}#/alarms`);
  await reserve.stop('SIGKILL');
  const goneMs = Date.now();
  await page.getByText('No input').first().waitFor();
  await until('a gap', () => Date.now() - goneMs >= GAP_MS, LIMIT_MS);
  await shot('incident-alarm');
  // Restores the main input.
  send(mainUrl);
  await until(
    'the recording after the gap',
    () => recordedAgain(goneMs),
    LIMIT_MS,
    () => server.printed,
  );
  await recordedMore(4);
}, 120_000);

it('the row of the log leads to the picture of the switch and to all events around it', async () => {
  await page.goto(`${server.url}#/log`);
  await page.getByLabel('Text').fill('input_switched');
  await switchRow().click();
  const row = page.locator('aside.details time, aside.details dd');
  switchedMs = Date.parse((await row.allInnerTexts()).join(' ').match(/\d{4}-[\d-]+T[\d:.]+Z/)?.[0] ?? '');
  await shot('incident-log');
  await page.getByRole('link', { name: 'Show in the archive' }).click();
  await page.locator('[data-test=zone]').click();
  await until('the picture', isReady, LIMIT_MS, () => trace.state());
  expect(Math.abs((await shownAt()) - switchedMs)).toBeLessThan(1500);
  await shot('incident-archive');

  // The list contains all events, with links to their times.
  await page.locator('[data-test=marks]').click();
  const marks = page.getByRole('dialog');
  await marks.getByText('No input').first().waitFor();
  await marks.getByText('Break', { exact: false }).first().waitFor();
  await marks.getByText('End of the break').waitFor();
  await shot('incident-marks');
  await marks.locator('[data-test=go]', { hasText: 'No input' }).first().click();
  await marks.waitFor({ state: 'detached' });
  // Nothing is recorded during the gap, so the first picture after the gap is shown.
  const againMs = (await recordedAgain(switchedMs + 2000)) ?? 0;
  const isAfterGap = async (): Promise<boolean> => (await isReady()) && Math.abs((await shownAt()) - againMs) < 1500;
  const details = async (): Promise<string> => `${new Date(againMs).toISOString()} ${await trace.state()}`;
  await until('the picture after the gap', isAfterGap, LIMIT_MS, details);
  expect(errors).toEqual([]);
}, 60_000);

it('the export of the time around the switch starts and ends at exactly the selected pictures in VLC', async () => {
  // Selects a range from the main input before the switch to the reserve after the switch.
  const [first, last] = [await pictureAt(switchedMs - 3000, 'i'), await pictureAt(switchedMs + 1500, 'o')];
  await page.keyboard.press('e');
  await page.locator('[data-test=place]').selectOption('vod:clips');
  await page.getByRole('textbox', { name: 'Name' }).fill('switch');
  await page.locator('[data-test=start]').click();
  const done = page.locator('li[data-status=done]');
  await done.or(page.locator('li[data-status=failed]')).waitFor();
  await shot('incident-export');
  const path = await done.locator('dt').innerText();
  await page.getByText(createHash('sha256').update(readFileSync(path)).digest('hex')).waitFor();
  const shown = await Promise.all((await vlcPictures(path)).map((png) => greyOfPng(png)));
  // The 4.5 seconds include the time without input before the switch.
  expect(shown.length).toBeGreaterThan(60);
  // Both encoders send the same pictures, at different times, so each expected picture is searched only near its end of the
  // export. VLC sometimes shows a picture twice.
  const [begin, end] = [shown.slice(0, NEAR), shown.slice(-NEAR)];
  const differences = (all: readonly Uint8Array[], expected: Uint8Array): number[] =>
    all.map((one) => differenceOf(one, expected));
  const [toFirst, toLast] = [differences(begin, first), differences(end, last)];
  expect(toFirst.indexOf(Math.min(...toFirst)), toFirst.map(Math.round).join()).toBe(0);
  expect(toLast.lastIndexOf(Math.min(...toLast)), toLast.map(Math.round).join()).toBe(NEAR - 1);
  expect(errors).toEqual([]);
}, 90_000);

/** Goes to a time by its time code, and presses a key at its picture. */
async function pictureAt(ms: number, key: string): Promise<Uint8Array> {
  await watchPictures(page);
  const entry = page.locator('[data-test=time]');
  await entry.fill(new Date(ms).toISOString());
  await entry.press('Enter');
  // The shown picture may start up to one frame before the time, and its time code is rounded down to a frame.
  const isThere = async (): Promise<boolean> =>
    (await isReady()) && Math.abs((await shownAt()) - ms) <= 2 * FRAME_MS && (await isPictureDrawn(page, FRAME_MS));
  await until('the picture', isThere, LIMIT_MS, async () => `${new Date(ms).toISOString()} ${await trace.state()}`);
  await page.keyboard.press(key);
  return grey();
}
