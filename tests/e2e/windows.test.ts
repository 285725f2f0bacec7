import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ListWindow } from '../helpers/list-window.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage, startBrowser, type PlayerName, type PlayerReport } from '../helpers/player-page.ts';
import { fileWindow, growingLists, RecordedMedia, stitchedWindow } from '../helpers/recorded-media.ts';
import { starved } from '../helpers/starved.ts';
import { WindowServer } from '../helpers/window-server.ts';

// Windows that are not live, in the players that show live ones: a file, two sources in one, and a recording that goes on.

const PLAYERS: readonly (readonly [PlayerName, string])[] = [
  ['hlsjs', 'index.m3u8'],
  ['shaka', 'index.m3u8'],
  ['dashjs', 'index.mpd'],
  ['shaka', 'index.mpd'],
];
const FILE_SECONDS = 20;
const CLIP_SEGMENTS = 2;
const JOINT_SECONDS = 4;
const GROWS_EVERY_MS = 2000;

let main: RecordedMedia;
let clip: RecordedMedia;
let long: RecordedMedia;
let server: WindowServer;
let pages: PageServer;
let browser: Browser;

beforeAll(async () => {
  main = new RecordedMedia(FILE_SECONDS);
  clip = new RecordedMedia(6, { width: 320, height: 180 });
  long = new RecordedMedia(100);
  server = await WindowServer.start();
  server.serve('file', fileWindow(main));
  server.serve('stitched', stitchedWindow(main, clip, JOINT_SECONDS / 2, CLIP_SEGMENTS));
  pages = await PageServer.start();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  await pages.close();
  await server.close();
  main.close();
  clip.close();
  long.close();
});

/** Plays from a position until it has come to another one, in seconds of the media. */
async function playTo(page: PlayerPage, seconds: number): Promise<PlayerReport> {
  return page.reportWhere(`${seconds} s`, ({ currentTime }) => currentTime >= seconds, 60_000);
}

/** Serves a recording that was begun 20 s ago and gets a segment whenever one is over; returns the end of that. */
function record(name: string): () => void {
  const startMs = Date.now() - 10 * GROWS_EVERY_MS;
  let segments = 10;
  const window = new ListWindow(growingLists(long, startMs, segments));
  server.serve(name, window);
  const growing = setInterval(() => {
    window.grow(growingLists(long, startMs, ++segments));
  }, GROWS_EVERY_MS);
  return () => {
    clearInterval(growing);
  };
}

async function durationOf(page: PlayerPage): Promise<number> {
  return page.page.evaluate<number>('document.querySelector("video").duration');
}

async function seek(page: PlayerPage, seconds: number): Promise<void> {
  await page.page.evaluate(`document.querySelector("video").currentTime = ${seconds}`);
}

/** Does the same with each player, all beside each other; what fails names the player. */
async function inAllPlayers(name: string, watch: (page: PlayerPage) => Promise<void>): Promise<void> {
  await Promise.all(
    PLAYERS.map(async ([player, address]) => {
      const page = await PlayerPage.open(browser, pages, player, `${server.url}/${name}/${address}`);
      await watch(page);
      expect((await page.report()).errors, page.name).toEqual([]);
      await page.page.close();
    }),
  );
}

describe('windows that are not live', () => {
  it('play from the start of a file to its end', () =>
    inAllPlayers('file', async (page) => {
      const first = await page.playing(60_000);
      expect(first.currentTime, page.name).toBeLessThan(FILE_SECONDS / 2);
      expect(await durationOf(page), page.name).toBeCloseTo(FILE_SECONDS, 0);
      await seek(page, FILE_SECONDS - 3);
      await page.page.waitForFunction('document.querySelector("video").ended', undefined, { timeout: 60_000 });
    }));

  it('play two sources across both joints', () =>
    inAllPlayers('stitched', async (page) => {
      await page.playing(60_000);
      const report = await playTo(page, JOINT_SECONDS + CLIP_SEGMENTS * 2 + 2);
      expect(starved(report), page.name).toEqual([]);
      // The clip has another picture size: it was shown, and the first source after it again.
      expect(report.sizes, page.name).toEqual(['160x90', '320x180']);
      expect(await page.page.evaluate('document.querySelector("video").videoWidth'), page.name).toBe(160);
      expect(await durationOf(page), page.name).toBeCloseTo(FILE_SECONDS + CLIP_SEGMENTS * 2, 0);
    }));

  it('play a recording that goes on, what was recorded meanwhile, and its start again', async () => {
    const stop = record('event');
    await inAllPlayers('event', async (page) => {
      const before = await page.playing(60_000);
      // Farther than there was anything when it began to play.
      const end = Math.max(0, ...before.buffered.map(([, to]) => to));
      await playTo(page, end + 2);
      const start = await page.page.evaluate<number>('document.querySelector("video").seekable.start(0)');
      await seek(page, start + 1);
      const isAtStart = ({ currentTime, readyState }: PlayerReport): boolean =>
        currentTime < start + 8 && currentTime > start + 1.5 && readyState >= 3;
      await page.reportWhere('the start', isAtStart, 60_000);
    });
    stop();
  });

  it('play as one MP4 in a video element: a file, its format as long as it lasts, and a recording that goes on', async () => {
    const stop = record('event');
    await Promise.all(
      [
        ['file', FILE_SECONDS, '160x90'],
        ['stitched', JOINT_SECONDS, '160x90'],
        ['event', undefined, '160x90'],
      ].map(async ([name, seconds, size]) => {
        const page = await browser.newPage();
        await page.setContent(`<video muted autoplay src="${server.url}/${name}/index.mp4"></video>`);
        const video = <T>(expression: string): Promise<T> =>
          page.evaluate(`(() => { const video = document.querySelector('video'); return ${expression}; })()`);
        const wait = `document.querySelector('video').${seconds === undefined ? 'currentTime > 22' : 'ended'}`;
        await page.waitForFunction(wait, undefined, { timeout: 60_000 });
        expect(await video('video.error && video.error.message'), `${name}`).toBe(null);
        expect(await video('`${video.videoWidth}x${video.videoHeight}`'), `${name}`).toBe(size);
        if (typeof seconds === 'number') expect(await video<number>('video.currentTime')).toBeCloseTo(seconds, 0);
        await page.close();
      }),
    );
    stop();
  });
});
