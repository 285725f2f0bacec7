import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeNumbered, numberIn } from '../../helpers/numbered-media.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';

/** Programme of numbered pictures with a key frame every four seconds, recorded once at the speed of a camera. */
const SECONDS = 40;
const FRAME_MS = 40;
const SIZE = { width: 320, height: 180 };
/** Size of a picture at the pointer. */
const HOVER = { width: 160, height: 90 };
const WAIT_MS = 30_000;
/** Maximum distance of the pointer from a time at the largest scale, where a label is rounded to seconds. */
const AIM_MS = 2500;

const folder = mkdtempSync(join(tmpdir(), 'airdesk-hover-'));
let server: DeskServer;
let browser: Browser;
let page: Page;
/** Time of picture 0, epoch milliseconds. */
let zeroMs = 0;

beforeAll(async () => {
  const options = ['-g', '100', '-keyint_min', '100'];
  encodeNumbered(join(folder, 'programme.mp4'), { seconds: SECONDS, seed: 5, size: SIZE, options });
  [server, browser] = await Promise.all([
    DeskServer.start('dvr main { root archive; }\nstream cam { input publish://; segment_duration 4; dvr @main 1d; }'),
    startBrowser(),
  ]);
  const startMs = Date.now();
  const send = ['-v', 'error', '-nostdin', '-re', '-i', join(folder, 'programme.mp4'), '-map', '0', '-c', 'copy'];
  const target = ['-f', 'mpegts', '-method', 'POST', '-chunked_post', '1', `${server.url}cam/mpegts`];
  const encoder = spawn('ffmpeg', [...send, ...target], { stdio: 'ignore' });
  expect((await once(encoder, 'exit'))[0]).toBe(0);
  zeroMs = await timeOfZero(startMs);
  page = await browser.newPage({ viewport: { width: 1366, height: 768 }, locale: 'en-GB' });
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
  rmSync(folder, { recursive: true });
});

/** Time of picture 0 by a playlist of the archive, and the number in the first picture of its first segment. */
async function timeOfZero(startMs: number): Promise<number> {
  const address = `${server.url}cam/archive-${Math.floor(startMs / 1000) + 10}-12.m3u8`;
  const uriOf = (list: string): string | undefined => list.split('\n').find((line) => /^[^#\s]/.test(line));
  const find = async (): Promise<readonly [list: string, url: string] | undefined> => {
    const media = uriOf(await (await fetch(address)).text());
    const url = media === undefined ? '' : new URL(media, address).href;
    const list = url === '' ? '' : await (await fetch(url)).text();
    return list.includes('#EXT-X-ENDLIST') ? [list, url] : undefined;
  };
  const [list, url] = await until('the archive', find, WAIT_MS);
  const parts = [/EXT-X-MAP:URI="([^"]+)"/.exec(list)?.[1], uriOf(list)].map(async (uri) =>
    Buffer.from(await (await fetch(new URL(uri ?? '', url))).arrayBuffer()),
  );
  const number = numberOf(Buffer.concat(await Promise.all(parts)));
  expect(number).toBeDefined();
  return Date.parse(/PROGRAM-DATE-TIME:(\S+)/.exec(list)?.[1] ?? '') - (number ?? 0) * FRAME_MS;
}

/** Number in the first picture of a file; undefined if it shows none of the programme. */
function numberOf(input: Buffer): number | undefined {
  const scale = `scale=${HOVER.width}:${HOVER.height}`;
  const output = ['-frames:v', '1', '-vf', scale, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'];
  const file = join(folder, 'picture');
  writeFileSync(file, input);
  const found = numberIn(execFileSync('ffmpeg', ['-v', 'error', '-i', file, ...output]), HOVER);
  return found?.seed === 5 ? found.number : undefined;
}

/** Tooltip at the pointer: its texts, and the number of its picture; no number while there is no picture. */
interface Shown {
  readonly label: string;
  /** Note about the time of the picture, if it is another one. */
  readonly note: string | undefined;
  readonly number: number | undefined;
}

async function shown(): Promise<Shown> {
  const hover = page.locator('.hover');
  const read = async (): Promise<(string | undefined)[]> => [
    (await hover.locator('b').allTextContents())[0],
    (await hover.locator('[data-test=picture-time]').allTextContents())[0],
  ];
  const [label = '', note] = await read();
  if ((await hover.locator('i').count()) === 0) return { label, note, number: undefined };
  const number = numberOf(await hover.locator('i').screenshot());
  // The texts and the picture belong together only if they did not change meanwhile.
  const isSame = (await read()).join() === [label, note].join();
  return { label, note, number: isSame ? number : undefined };
}

/** Time of a time code, `HH:MM:SS` or `HH:MM:SS:FF`, on the day of the recording. */
function msOf(code: string): number {
  const [, clock = '', frames = '0'] = /(\d\d:\d\d:\d\d)(?::(\d\d))?/.exec(code) ?? [];
  return Date.parse(`${new Date(zeroMs).toISOString().slice(0, 10)}T${clock}Z`) + Number(frames) * FRAME_MS;
}

it('shows the picture of the time in its label at every scale, once the pointer rests', async () => {
  await page.goto(`${server.url}#/archive`);
  await page.locator('[data-test=zone]').click();
  await page.locator('.timeline canvas').waitFor({ timeout: WAIT_MS });
  const box = await page.locator('.timeline canvas').boundingBox();
  if (!box) throw new Error('there is no timeline');
  const [left, y] = [box.x + box.width * 0.2, box.y + box.height - 12];
  const width = box.width * 0.6;
  /** Time of the label at a position. */
  const timeAt = async (x: number): Promise<number> => {
    await page.mouse.move(x, y);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    return msOf((await page.locator('.hover b').textContent()) ?? '');
  };
  /** Moves the pointer to a time, by the labels at two other positions. */
  const pointAt = async (ms: number): Promise<void> => {
    const [from, to] = [await timeAt(left), await timeAt(left + width)];
    const x = left + ((ms - from) / (to - from)) * width;
    if (x > box.x && x < box.x + box.width) await page.mouse.move(x, y);
    else await page.getByRole('button', { name: 'All', exact: true }).click();
  };
  for (let zoom = 0; zoom < 5; zoom++) {
    for (const seconds of [13, 19, 27, 36]) {
      const targetMs = zeroMs + seconds * 1000;
      await pointAt(targetMs);
      let last: Shown | undefined;
      const find = async (): Promise<boolean> => {
        const before = last;
        last = await shown();
        // A busy browser draws a new picture later than its texts: two screenshots must show the same.
        if (Math.abs(msOf(last.label) - targetMs) <= AIM_MS)
          return last.number !== undefined && last.note === undefined && isDeepStrictEqual(last, before);
        // The timeline moved: it has just opened, or got the end of the recording.
        await pointAt(targetMs);
        return false;
      };
      await until('a picture', find, WAIT_MS, () => JSON.stringify([zoom, seconds, last]));
      const { label = '', number = 0 } = last ?? {};
      const pictureMs = zeroMs + number * FRAME_MS;
      // The label is a second or a picture, rounded down.
      const lengthMs = /\d\d:\d\d:\d\d:\d\d/.test(label) ? FRAME_MS : 1000;
      const found = `${label}: ${new Date(pictureMs).toISOString()}`;
      expect(pictureMs, found).toBeGreaterThanOrEqual(msOf(label) - FRAME_MS);
      expect(pictureMs, found).toBeLessThanOrEqual(msOf(label) + lengthMs + FRAME_MS);
    }
    // Zooms out around the recording.
    await pointAt(zeroMs + 20_000);
    for (let turn = 0; turn < 2; turn++) await page.mouse.wheel(0, 200);
  }
});
