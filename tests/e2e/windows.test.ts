import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ListWindow } from '../helpers/list-window.ts';
import { BrowserWindows } from '../helpers/browser-windows.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage, type PlayerName, type PlayerReport } from '../helpers/player-page.ts';
import { restarted, fileWindow, growingLists, RecordedMedia, stitchedWindow } from '../helpers/recorded-media.ts';
import { starved } from '../helpers/starved.ts';
import { until } from '../helpers/until.ts';
import { WindowServer } from '../helpers/window-server.ts';

// Windows that are not live, in the players of live streams: a file, two joined sources, and a recording in progress.

// Shaka starts without a buffer (`rebufferingGoal` 0), and stalls if the machine is slower than the media, so it waits
// for a second of media here.
const SHAKA = { streaming: { rebufferingGoal: 1 } };
const PLAYERS: readonly (readonly [PlayerName, string, object])[] = [
  ['hlsjs', 'index.m3u8', {}],
  ['hlsjs', 'index.ts.m3u8', {}],
  ['shaka', 'index.m3u8', SHAKA],
  ['shaka', 'index.ts.m3u8', SHAKA],
  ['dashjs', 'index.mpd', {}],
  ['shaka', 'index.mpd', SHAKA],
];
const FILE_SECONDS = 20;
const REORDERED_SECONDS = 6.72;
const CLIP_SEGMENTS = 1;
const JOINT_SECONDS = 4;
const GROWS_EVERY_MS = 2000;
/** Duration played before and after the position where two sources join, in seconds. */
const BESIDE_SECONDS = 1.5;

const run = promisify(execFile);

let main: RecordedMedia;
let clip: RecordedMedia;
let long: RecordedMedia;
let reordered: RecordedMedia;
let server: WindowServer;
let pages: PageServer;
let browser: BrowserWindows;

beforeAll(async () => {
  main = new RecordedMedia(FILE_SECONDS);
  clip = new RecordedMedia(4, { width: 320, height: 180 });
  long = new RecordedMedia(80);
  reordered = new RecordedMedia(REORDERED_SECONDS, { bFrames: 2 });
  server = await WindowServer.start();
  server.serve('file', fileWindow(main));
  server.serve('reordered', fileWindow(reordered));
  server.serve('stitched', stitchedWindow(main, clip, JOINT_SECONDS / 2, CLIP_SEGMENTS));
  pages = await PageServer.start();
  browser = await BrowserWindows.start(pages);
});

afterAll(async () => {
  await browser.close();
  await pages.close();
  await server.close();
  main.close();
  clip.close();
  long.close();
  reordered.close();
});

/** Plays from one position to another, in seconds of the media. */
async function playTo(page: PlayerPage, seconds: number): Promise<PlayerReport> {
  return page.reportWhere(`${seconds} s`, ({ currentTime }) => currentTime >= seconds, 60_000);
}

/** Serves a recording that started 20 s ago and grows in real time; returns a function that ends it. */
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

/** Runs a test in all players in parallel; a failure names the player. */
async function inAllPlayers(name: string, watch: (page: PlayerPage) => Promise<void>): Promise<void> {
  await Promise.all(
    PLAYERS.map(async ([player, address, options]) => {
      const page = await PlayerPage.open(
        browser.for(player),
        pages,
        player,
        `${server.url}/${name}/${address}`,
        options,
      );
      await watch(page);
      expect((await page.report()).errors, page.name).toEqual([]);
      await page.page.close();
    }),
  );
}

describe('windows that are not live', () => {
  it('play a file from its start to its end', () =>
    inAllPlayers('file', async (page) => {
      const first = await page.playing(60_000);
      expect(first.currentTime, page.name).toBeLessThan(FILE_SECONDS / 2);
      expect(await durationOf(page), page.name).toBeCloseTo(FILE_SECONDS, 0);
      await seek(page, FILE_SECONDS - 1);
      const video = 'document.querySelector("video")';
      await until(
        `the end in ${page.name}`,
        () => page.page.evaluate<boolean>(`${video}.ended`),
        60_000,
        () => page.printed,
      );
    }));

  it('play two joined sources across both joints', () =>
    inAllPlayers('stitched', async (page) => {
      await page.playing(60_000);
      await seek(page, JOINT_SECONDS - BESIDE_SECONDS);
      const report = await playTo(page, JOINT_SECONDS + CLIP_SEGMENTS * 2 + BESIDE_SECONDS);
      expect(starved(report), page.name).toEqual([]);
      // The clip has another picture size: this size shows that the clip was played before the first source continued.
      expect(report.sizes, page.name).toEqual(['160x90', '320x180']);
      expect(await page.page.evaluate('document.querySelector("video").videoWidth'), page.name).toBe(160);
      expect(await durationOf(page), page.name).toBeCloseTo(FILE_SECONDS + CLIP_SEGMENTS * 2, 0);
    }));

  it('play a recording in progress, newly recorded media, and its start again', async () => {
    const stop = record('event');
    await inAllPlayers('event', async (page) => {
      const before = await page.playing(60_000);
      // Plays beyond the end known at the start of playback.
      const end = Math.max(0, ...before.buffered.map(([, to]) => to));
      await seek(page, end - 0.5);
      await playTo(page, end + 0.5);
      const start = await page.page.evaluate<number>('document.querySelector("video").seekable.start(0)');
      await seek(page, start + 1);
      const isAtStart = ({ currentTime, readyState }: PlayerReport): boolean =>
        currentTime < start + 8 && currentTime > start + 1.5 && readyState >= 3;
      await page.reportWhere('the start', isAtStart, 60_000);
    });
    stop();
  });

  it('start in hls.js after a recording in another format if the live stream has only parts of its first segment', async () => {
    const startMs = Date.now() - 20_000;
    const window = new ListWindow(restarted(main, clip, startMs, 0));
    server.serve('restarted', window);
    const page = await PlayerPage.open(browser, pages, 'hlsjs', `${server.url}/restarted/index.m3u8`);
    const hasStarted = 'performance.getEntriesByType("resource").some(({ name }) => name.endsWith(".m4s"))';
    await until(
      'a segment',
      () => page.page.evaluate<boolean>(hasStarted),
      30_000,
      () => page.printed,
    );
    window.grow(restarted(main, clip, startMs, 1));
    await page.reportWhere('live pictures', ({ sizes }) => sizes.includes('320x180'), 30_000);
    expect((await page.report()).errors).toEqual([]);
    await page.page.close();
  });

  it('play as MP4 in a video element: a file, two formats, and a recording in progress', async () => {
    const stop = record('event');
    const played = [
      ['file', FILE_SECONDS],
      ['stitched', FILE_SECONDS + CLIP_SEGMENTS * 2],
      ['event', undefined],
    ] as const;
    await Promise.all(
      played.map(async ([name, seconds]) => {
        const page = await browser.newPage();
        await page.setContent(`<video muted autoplay src="${server.url}/${name}/index.mp4"></video>`);
        const video = <T>(expression: string): Promise<T> =>
          page.evaluate(`(() => { const video = document.querySelector('video'); return ${expression}; })()`);
        await page.waitForFunction('document.querySelector("video").currentTime > 0.5', undefined, { timeout: 60_000 });
        // A complete recording has a duration and an index, so a player can seek forward and backward.
        if (seconds !== undefined) {
          expect(await video<number>('video.duration'), name).toBeCloseTo(seconds, 0);
          await video('video.pause()');
          const inClip = [JOINT_SECONDS, JOINT_SECONDS + 1.2].map((at) => at + 0.5);
          const [early = 0, late = 0] = inClip;
          for (const at of [seconds - 1.5, early, 1, late, 11.9, early, late, 8.6, 7.1, late, seconds - 1]) {
            await video(`video.currentTime = ${at}`);
            // A decoder of one format fails on pictures of the other format.
            const wide = name === 'stitched' && inClip.includes(at) ? 320 : 160;
            const isShown = `(({ seeking, error, videoWidth }) => error || (!seeking && videoWidth === ${wide}))(document.querySelector("video"))`;
            await page.waitForFunction(isShown, undefined, { timeout: 60_000 });
            expect(await video('video.error && video.error.message'), `${name} at ${at}`).toBe(null);
          }
          await video('video.play()');
        } else await video('video.playbackRate = 8');
        const wait = seconds === undefined ? 'currentTime > 21' : 'ended';
        await page.waitForFunction(`document.querySelector("video").${wait}`, undefined, { timeout: 60_000 });
        expect(await video('video.error && video.error.message'), name).toBe(null);
        expect(await video('`${video.videoWidth}x${video.videoHeight}`'), name).toBe('160x90');
        if (seconds !== undefined) expect(await video<number>('video.currentTime')).toBeCloseTo(seconds, 0);
        await page.close();
      }),
    );
    stop();
  });

  it('show the exact duration of an MP4 with reordered pictures', async () => {
    const page = await browser.newPage();
    await page.setContent(`<video muted src="${server.url}/reordered/index.mp4"></video>`);
    await page.waitForFunction('document.querySelector("video").readyState > 0', undefined, { timeout: 60_000 });
    expect(await page.evaluate('document.querySelector("video").duration')).toBeCloseTo(REORDERED_SECONDS, 3);
    await page.close();
  });

  it('serve every picture and audio frame to ffmpeg in HLS with MPEG-TS', async () => {
    const counts = async (name: string): Promise<number[]> => {
      const shown = ['-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
      const { stdout } = await run('ffprobe', ['-v', 'error', ...shown, `${server.url}/${name}/index.ts.m3u8`]);
      return stdout.trim().split(/\s+/).map(Number).slice(0, 2);
    };
    const [file, stitched] = await Promise.all([counts('file'), counts('stitched')]);
    expect(file[0]).toBe(FILE_SECONDS * 25);
    expect(stitched[0]).toBe((FILE_SECONDS + CLIP_SEGMENTS * 2) * 25);
    for (const [, sounds = 0] of [file, stitched]) expect(sounds).toBeGreaterThan(FILE_SECONDS * 40);
  });
});
