import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { BrowserWindows } from '../helpers/browser-windows.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage, type PlayerName } from '../helpers/player-page.ts';
import { until } from '../helpers/until.ts';

// What was recorded, in real players: over a hole behind which the encoder came back with another picture, and from live back and to live again.

const run = promisify(execFile);
const PLAYERS: readonly (readonly [PlayerName, string])[] = [
  ['hlsjs', 'm3u8'],
  ['shaka', 'mpd'],
  ['dashjs', 'mpd'],
];
/** What is recorded before the hole and behind it, at least, in seconds. */
const BEFORE_SECONDS = 5;
const BEHIND_SECONDS = 6;

let server: AirdeskProcess;
let pages: PageServer;
let browser: BrowserWindows;
let encoder: EncoderProcess | undefined;

beforeAll(async () => {
  pages = await PageServer.start();
  [server, browser] = await Promise.all([
    AirdeskProcess.start(
      'dvr main { root archive; disk one; }\nstream cam { input publish://; segment_duration 1; segment_count 3; dvr @main 7d; }',
    ),
    BrowserWindows.start(pages),
  ]);
});

afterAll(async () => {
  await browser.close();
  await pages.close();
  await encoder?.stop();
  await server.dispose();
});

/** The recorded seconds of a time; 0 while there are none. */
async function secondsOf(address: string): Promise<number> {
  const text = await (await fetch(`${server.url}/cam/v1/${address}.m3u8`)).text();
  return [...text.matchAll(/#EXTINF:([0-9.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}

async function publishFor(height: 240 | 360, address: string, seconds: number): Promise<void> {
  encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/static/cam`, isEndless: true }, { height });
  await until(
    `${seconds} s of ${address}`,
    async () => (await secondsOf(address)) >= seconds,
    60_000,
    () => server.printed,
  );
}

/** Waits until the picture has so many lines. */
async function shown(page: PlayerPage, lines: number): Promise<void> {
  const isShown = `document.querySelector("video").videoHeight === ${lines}`;
  await until(
    `${lines} lines in ${page.name}`,
    () => page.page.evaluate<boolean>(isShown),
    60_000,
    () => page.printed,
  );
}

/** Plays a recorded time from just before the hole until the other picture is there and moves. */
async function playOver(player: PlayerName, address: string, seconds: number): Promise<void> {
  const page = await PlayerPage.open(browser.for(player), pages, player, `${server.url}/cam/${address}`);
  await page.playing(60_000);
  await page.page.evaluate(`document.querySelector("video").currentTime = ${seconds}`);
  await shown(page, 360);
  const over = await page.report();
  await page.reportWhere('movement behind', ({ currentTime }) => currentTime > over.currentTime + 0.5, 60_000);
  // And back.
  await page.page.evaluate('document.querySelector("video").currentTime = 1');
  await shown(page, 240);
  expect((await page.report()).errors, page.name).toEqual([]);
  await page.page.close();
}

/** Goes back from live, and to live again. */
async function playBack(player: PlayerName, address: string): Promise<void> {
  const page = await PlayerPage.open(browser.for(player), pages, player, `${server.url}/cam/${address}`);
  const live = await page.playing(60_000);
  const back = live.currentTime - 6;
  await page.page.evaluate(`document.querySelector("video").currentTime = ${back}`);
  const there = await page.reportWhere(
    'what was',
    ({ currentTime }) => currentTime > back + 1 && currentTime < live.currentTime + 30,
    60_000,
  );
  expect(there.currentTime).toBeGreaterThan(back);
  const edge =
    '(() => { const { seekable } = document.querySelector("video"); return seekable.end(seekable.length - 1); })()';
  await page.page.evaluate(`document.querySelector("video").currentTime = ${edge} - 3`);
  await page.reportWhere('live', ({ currentTime }) => currentTime > there.currentTime + 2, 60_000);
  expect((await page.report()).errors, page.name).toEqual([]);
  await page.page.close();
}

it('plays over a hole and another picture, and goes back from live, in every player', async () => {
  const from = Math.floor(Date.now() / 1000);
  await publishFor(240, `archive-${from}-now`, BEFORE_SECONDS);
  await encoder?.stop();
  const before = await secondsOf(`archive-${from}-now`);
  await publishFor(360, `archive-${from}-now`, before + BEHIND_SECONDS);
  const to = Math.floor(Date.now() / 1000) - 1;
  const archive = `archive-${from}-${to - from}`;
  const isWhole = async (): Promise<boolean> =>
    (await (await fetch(`${server.url}/cam/v1/${archive}.m3u8`)).text()).includes('#EXT-X-ENDLIST');
  await until('the end of the playlist', isWhole, 60_000, () => server.printed);
  const [complaints] = await Promise.all([
    // What ffmpeg cannot decode it says. It knows one format a playlist.
    Promise.all(
      ['m3u8', 'ts.m3u8', 'ts', 'mpd'].map(async (end) =>
        run('ffmpeg', [
          '-v',
          'error',
          '-i',
          `${server.url}/cam/archive-${from}-${BEFORE_SECONDS}.${end}`,
          '-f',
          'null',
          '-',
        ]),
      ),
    ),
    ...PLAYERS.map(async ([player, end]) => playOver(player, `${archive}.${end}`, Math.max(0, before - 2))),
    playBack('hlsjs', 'rewind-600.m3u8'),
    playBack('shaka', 'index.mpd?dvr=600'),
  ]);
  for (const { stderr } of complaints) expect(stderr).toBe('');
  const picture = await fetch(`${server.url}/cam/${from + 2}-preview.jpg`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect((await fetch(`${server.url}/cam/${from - 9000}.jpg`)).status).toBe(404);
  const file = await run('ffprobe', [
    ...['-v', 'error', '-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'],
    `${server.url}/cam/${archive}.mp4`,
  ]);
  // One file has one format: it ends at the other picture.
  expect(Number(file.stdout.split('\n')[0])).toBeGreaterThan(BEFORE_SECONDS * 20);
}, 240_000);
