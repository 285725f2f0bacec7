import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { BrowserWindows } from '../helpers/browser-windows.ts';
import { ClipFiles } from '../helpers/clip-files.ts';
import { gstSeeks } from '../helpers/gst-seeks.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage, type PlayerName } from '../helpers/player-page.ts';

// Files of a VOD location in real players: playback from the start, and seeks to the end and back.

const PLAYERS: readonly (readonly [PlayerName, string])[] = [
  ['hlsjs', 'index.m3u8'],
  ['hlsjs', 'index.ts.m3u8'],
  ['shaka', 'index.m3u8'],
  ['shaka', 'index.mpd'],
  ['dashjs', 'index.mpd'],
];
const SECONDS = 20;
const LIMIT_MS = 60_000;
/** Large files are opened by their key frames. */
const LARGE = ['large.mkv', 'large.ts'] as const;
const FORMS = ['plain.mp4', 'fragments.mp4', ...LARGE] as const;
const RATE = ['-b:v', '8M', '-maxrate', '8M', '-bufsize', '8M', '-x264-params', 'nal-hrd=cbr'];
const PICTURE = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-bf', '2', '-pix_fmt', 'yuv420p'];

const clips = new ClipFiles();
let server: AirdeskProcess;
let pages: PageServer;
let browser: BrowserWindows;

beforeAll(async () => {
  clips.add('plain.mp4', { seconds: SECONDS });
  clips.add('fragments.mp4', { seconds: SECONDS, muxer: ['-movflags', '+frag_keyframe+empty_moov+default_base_moof'] });
  for (const name of LARGE) clips.add(name, { seconds: SECONDS, muxer: [...PICTURE, ...RATE] });
  pages = await PageServer.start();
  [server, browser] = await Promise.all([
    AirdeskProcess.start(`vod clips { storage ${clips.folder}; segment_duration 4; }`),
    BrowserWindows.start(pages),
  ]);
});

afterAll(async () => {
  await browser.close();
  await pages.close();
  await server.dispose();
  clips.close();
});

async function playAndSeek(player: PlayerName, address: string): Promise<void> {
  const page = await PlayerPage.open(browser.for(player), pages, player, `${server.url}/${address}`);
  const seek = async (seconds: number): Promise<void> => {
    // A slow page may have played to the end, where a player pauses.
    const go = `{ const video = document.querySelector('video'); video.currentTime = ${seconds}; void video.play(); }`;
    await page.page.evaluate(go);
    const at = `pictures at ${seconds} s`;
    const isThere = (time: number): boolean => time > seconds + 0.2 && time < seconds + 5;
    await page.reportWhere(at, ({ currentTime }) => isThere(currentTime), LIMIT_MS);
  };
  const { currentTime } = await page.playing(LIMIT_MS);
  expect([page.name, currentTime < 5]).toEqual([page.name, true]);
  const lengthSeconds = await page.page.evaluate<number>('document.querySelector("video").duration');
  expect(Math.abs(lengthSeconds - SECONDS), `${page.name} lasts ${lengthSeconds} s`).toBeLessThan(0.2);
  await seek(15);
  // If Shaka seeks back while it appends pictures, it removes them only after the append. As soon as it has audio of
  // the new position, it mistakes the old pictures for media after a gap, and jumps to them.
  if (player === 'shaka') {
    const isLoaded = ([, end]: readonly [number, number]): boolean => end > SECONDS - 0.3;
    await page.reportWhere('all up to the end', ({ buffered }) => buffered.some(isLoaded), LIMIT_MS);
  }
  await seek(2);
  expect([page.name, (await page.report()).errors]).toEqual([page.name, []]);
  await page.page.close();
}

it.each(FORMS)('plays %s from the start in every player, and seeks in both directions', async (name) => {
  await Promise.all(PLAYERS.map(async ([player, form]) => playAndSeek(player, `clips/${name}/${form}`)));
});

it.each(FORMS)('GStreamer seeks in %s in both directions', async (name) => {
  const times = [15, 2, 11];
  await Promise.all(
    ['index.m3u8', 'index.ts.m3u8', 'index.mpd'].map(async (form) => {
      const shown = await gstSeeks(`${server.url}/clips/${name}/${form}`, times);
      for (const [index, { seconds, lines }] of shown.entries()) {
        expect([form, lines]).toEqual([form, 90]);
        expect(Math.abs(seconds - (times[index] ?? 0)), `${form} at ${times[index]} s`).toBeLessThan(0.1);
      }
    }),
  );
});
