import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { BrowserWindows } from '../helpers/browser-windows.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { picturesBy } from '../helpers/peer-pictures.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage, type PlayerName } from '../helpers/player-page.ts';
import { undisturbed } from '../helpers/machine-stalls.ts';
import { until } from '../helpers/until.ts';
import { writeArchive } from '../helpers/written-archive.ts';

// Recorded media in browsers, ffmpeg and VLC: over a gap with a change of picture size, over a switch of inputs, and
// from live back to the archive and to live again.

const run = promisify(execFile);
const PLAYERS: readonly (readonly [PlayerName, string])[] = [
  ['hlsjs', 'm3u8'],
  ['shaka', 'mpd'],
  ['dashjs', 'mpd'],
];
const OTHER_FORMS: typeof PLAYERS = [
  ['hlsjs', 'ts.m3u8'],
  ['shaka', 'm3u8'],
];
/** Minimum recording before and after the gap, in seconds. */
const BEFORE_SECONDS = 5;
const AFTER_SECONDS = 6;
const HOUR_SECONDS = 3600;
/** Number of thumbnails that Shaka finds in an MPD. */
const THUMBNAILS =
  'probe.player.object.getAllThumbnails(probe.player.object.getImageTracks()[0].id).then((all) => all.length)';

let server: AirdeskProcess;
let pages: PageServer;
let browser: BrowserWindows;
let encoder: EncoderProcess | undefined;
/** Start of the recording of `cam` in epoch seconds. */
let recordedFrom = 0;
/** Played range of the recording of `cam`, and its duration before the gap in seconds. */
let recordedTime = '';
let secondsBeforeGap = 0;
/** Duration of the played range in seconds. */
let recordedSeconds = 0;
/** Recording over a switch of inputs, made while other tests play. */
let switched: ReturnType<typeof recordSwitch>;

beforeAll(async () => {
  pages = await PageServer.start();
  [server, browser] = await Promise.all([
    AirdeskProcess.start(
      'dvr main { root archive; disk one; }\nstream cam { input publish://; segment_duration 1; segment_count 3; dvr @main 7d; }\nstream two { input fake://; input fake://; segment_duration 1; segment_count 3; dvr @main 7d; }',
    ),
    BrowserWindows.start(pages),
  ]);
  switched = recordSwitch();
  // The test that awaits the promise reports the error.
  switched.catch(() => undefined);
});

afterAll(async () => {
  await browser.close();
  await pages.close();
  await encoder?.stop();
  await server.dispose();
});

/** Recorded seconds of a range; 0 while there are none. */
async function secondsOf(address: string, stream = 'cam'): Promise<number> {
  const text = await (await fetch(`${server.url}/${stream}/v1/${address}.m3u8`)).text();
  return [...text.matchAll(/#EXTINF:([0-9.]+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}

/** Start of the recorded part of a range in whole epoch seconds. */
async function startOf(address: string): Promise<number> {
  const text = await (await fetch(`${server.url}/cam/v1/${address}.m3u8`)).text();
  return Math.floor(Date.parse(/#EXT-X-PROGRAM-DATE-TIME:(\S+)/.exec(text)?.[1] ?? '') / 1000);
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

/** Records one input and then another; returns the recorded range, and its duration before the switch in seconds. */
async function recordSwitch(): Promise<{ readonly archive: string; readonly at: number }> {
  const from = Math.floor(Date.now() / 1000);
  await server.streamWhere('two', 'the first input', ({ alive }) => alive, 30_000);
  const seconds = async (): Promise<number> => secondsOf(`archive-${from}-now`, 'two');
  await until(
    'the first input',
    async () => (await seconds()) > 5,
    30_000,
    () => server.printed,
  );
  await server.call('streams.select_input', { name: 'two', input: 1 });
  const before = await seconds();
  await until(
    'the second input',
    async () => (await seconds()) > before + 6,
    30_000,
    () => server.printed,
  );
  const to = Math.floor(Date.now() / 1000) - 2;
  const archive = `archive-${from}-${to - from}`;
  const list = async (): Promise<string> => (await fetch(`${server.url}/two/v1/${archive}.m3u8`)).text();
  await until(
    'the end of the playlist',
    async () => (await list()).includes('#EXT-X-ENDLIST'),
    30_000,
    () => server.printed,
  );
  const text = await list();
  const cut = text.indexOf('#EXT-X-DISCONTINUITY\n');
  expect(cut).toBeGreaterThan(0);
  const at = [...text.slice(0, cut).matchAll(/#EXTINF:([0-9.]+)/g)].reduce(
    (sum, [, length]) => sum + Number(length),
    0,
  );
  return { archive, at };
}

/** Waits until the picture has the given number of lines. */
async function shown(page: PlayerPage, lines: number): Promise<void> {
  const isShown = `document.querySelector("video").videoHeight === ${lines}`;
  await until(
    `${lines} lines in ${page.name}`,
    () => page.page.evaluate<boolean>(isShown),
    60_000,
    () => page.printed,
  );
}

/** Plays a recorded range from just before the gap until the picture after the gap is shown and moves. */
async function playOver(player: PlayerName, address: string, seconds: number): Promise<void> {
  const page = await PlayerPage.open(browser.for(player), pages, player, `${server.url}/cam/${address}`);
  await page.playing(60_000);
  await page.page.evaluate(`document.querySelector("video").currentTime = ${seconds}`);
  await shown(page, 360);
  const over = await page.report();
  await page.reportWhere('movement after the gap', ({ currentTime }) => currentTime > over.currentTime + 0.5, 60_000);
  // Seeks back.
  await page.page.evaluate('document.querySelector("video").currentTime = 1');
  await shown(page, 240);
  expect((await page.report()).errors, page.name).toEqual([]);
  await page.page.close();
}

/**
 * Seeks from live into the archive, and to live again. After a stall of the machine, dash.js sometimes hangs after a
 * seek or before a gap.
 */
const playBack = async (...args: Parameters<typeof goBack>): Promise<void> => undisturbed(() => goBack(...args));

async function goBack(player: PlayerName, address: string, seconds = 6, stream = 'cam'): Promise<void> {
  const page = await PlayerPage.open(browser.for(player), pages, player, `${server.url}/${stream}/${address}`);
  try {
    const live = await page.playing(60_000);
    const back = live.currentTime - seconds;
    await page.page.evaluate(`document.querySelector("video").currentTime = ${back}`);
    const there = await page.reportWhere(
      'recorded pictures',
      ({ currentTime }) => currentTime > back + 1 && currentTime < (seconds > 60 ? back + 60 : live.currentTime + 30),
      60_000,
    );
    expect(there.currentTime).toBeGreaterThan(back);
    const edge =
      '(() => { const { seekable } = document.querySelector("video"); return seekable.end(seekable.length - 1); })()';
    await page.page.evaluate(`document.querySelector("video").currentTime = ${edge} - 3`);
    await page.reportWhere('live', ({ currentTime }) => currentTime > there.currentTime + 2, 60_000);
    expect((await page.report()).errors, page.name).toEqual([]);
  } finally {
    await page.page.close();
  }
}

// The recording of an hour is played while the gap is recorded.
it.concurrent(
  'plays the archive over a gap with a change of picture size, and from live back to the archive, in hls.js, Shaka and dash.js',
  async () => {
    const openedAt = Math.floor(Date.now() / 1000);
    await publishFor(240, `archive-${openedAt}-now`, BEFORE_SECONDS);
    // The encoder may have connected late, so the first recorded time is read from the playlist.
    const from = (recordedFrom = await startOf(`archive-${openedAt}-now`));
    await encoder?.stop();
    const before = await secondsOf(`archive-${from}-now`);
    await publishFor(360, `archive-${from}-now`, before + AFTER_SECONDS);
    const to = Math.floor(Date.now() / 1000) - 1;
    const archive = (recordedTime = `archive-${from}-${to - from}`);
    secondsBeforeGap = before;
    recordedSeconds = to - from;
    const isComplete = async (): Promise<boolean> =>
      (await (await fetch(`${server.url}/cam/v1/${archive}.m3u8`)).text()).includes('#EXT-X-ENDLIST');
    await until('the end of the playlist', isComplete, 60_000, () => server.printed);
    const [complaints] = await Promise.all([
      // ffmpeg reports anything it cannot decode. It supports one format per playlist.
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
      ...[...PLAYERS, ...OTHER_FORMS].map(async ([player, end]) =>
        playOver(player, `${archive}.${end}`, Math.max(0, before - 2)),
      ),
      playBack('hlsjs', 'rewind-600.m3u8'),
      playBack('shaka', 'index.mpd?dvr=600'),
      playBack('dashjs', 'rewind-600.mpd'),
    ]);
    for (const { stderr } of complaints) expect(stderr).toBe('');
    const picture = await fetch(`${server.url}/cam/${from + 2}-preview.jpg`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await fetch(`${server.url}/cam/${from - 9000}.jpg`)).status).toBe(404);
    const file = await run('ffprobe', [
      '-v',
      'error',
      '-count_packets',
      '-show_entries',
      'stream=nb_read_packets',
      '-of',
      'csv=p=0',
      `${server.url}/cam/${archive}.mp4`,
    ]);
    // An MP4 file has one format, so the file ends where the picture size changes.
    expect(Number(file.stdout.split('\n')[0])).toBeGreaterThan(BEFORE_SECONDS * 20);
  },
);

it.concurrent('seeks from live an hour back and to live again, in hls.js, Shaka and dash.js', async () => {
  await writeArchive(
    join(server.folder, 'data/archive/one'),
    'hour',
    Date.now() - (HOUR_SECONDS + 100) * 1000,
    HOUR_SECONDS + 90,
  );
  const added = await fetch(`${server.url}/streamer/api/v3/streams/hour`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      inputs: [{ url: 'fake://' }],
      segment_duration: 2,
      dvr: { root: '@main', expiration: 604_800 },
    }),
  });
  expect([added.status, added.ok ? '' : await added.text()]).toEqual([added.status, '']);
  await until(
    'an hour',
    async () => (await secondsOf(`rewind-${HOUR_SECONDS + 80}`, 'hour')) > HOUR_SECONDS + 20,
    60_000,
    () => server.printed,
  );
  await Promise.all([
    playBack('hlsjs', `rewind-${HOUR_SECONDS + 80}.m3u8`, HOUR_SECONDS, 'hour'),
    playBack('shaka', `index.mpd?dvr=${HOUR_SECONDS + 80}`, HOUR_SECONDS, 'hour'),
    playBack('dashjs', `rewind-${HOUR_SECONDS + 80}.mpd`, HOUR_SECONDS, 'hour'),
  ]);
});

it('lets ffmpeg and VLC seek before and after a gap with a change of picture size', async () => {
  // Lines of the first picture that ffmpeg shows after a seek.
  const linesAt = async (address: string, seconds: number): Promise<number> => {
    const from = ['-v', 'error', '-nostdin', '-ss', String(seconds), '-i', `${server.url}/cam/${address}`];
    const { stdout } = await run(
      'ffmpeg',
      [...from, '-map', '0:v', '-frames:v', '1', '-c:v', 'pgm', '-f', 'image2pipe', '-'],
      {
        encoding: 'latin1',
      },
    );
    return Number(/^P5\s\d+ (\d+)/.exec(stdout)?.[1]);
  };
  const [early, late] = [secondsBeforeGap - 3, secondsBeforeGap + 3];
  // ffmpeg plays only the longest Period of an MPD.
  const expected: readonly (readonly [address: string, seconds: number, lines: number])[] = [
    [`${recordedTime}.ts.m3u8`, early, 240],
    [`${recordedTime}.ts.m3u8`, late, 360],
    [`${recordedTime}.ts.m3u8?filter.tracks=v1`, late, 360],
    [`archive-${recordedFrom}-${BEFORE_SECONDS}.mpd`, 2, 240],
    [`${recordedTime}.mp4`, early, 240],
    // A file contains the time of the gap, which is longer on a busy machine.
    [`${recordedTime}.mp4`, recordedSeconds - 2, 360],
  ];
  const found = await Promise.all(
    expected.map(async ([address, seconds]) => [address, seconds, await linesAt(address, seconds)]),
  );
  expect(found).toEqual(expected);
  const address = `${server.url}/cam/${recordedTime}.ts.m3u8`;
  const [full, rest] = await Promise.all([picturesBy('vlc', address), picturesBy('vlc', address, late)]);
  // Up to two segments more than the rest.
  expect(rest).toBeGreaterThan(25);
  expect(rest).toBeLessThanOrEqual(full - (late - 2) * 25);
  const file = `${server.url}/cam/archive-${recordedFrom}-${BEFORE_SECONDS}.mp4`;
  const [all, some] = await Promise.all([picturesBy('vlc', file), picturesBy('vlc', file, 3)]);
  expect([some > 25, some < all - 25]).toEqual([true, true]);
});

it('plays the archive over a switch of inputs in hls.js, Shaka and dash.js', async () => {
  const { archive, at } = await switched;
  await Promise.all(
    PLAYERS.map(async ([player, end]) => {
      const page = await PlayerPage.open(
        browser.for(player),
        pages,
        player,
        `${server.url}/two/${archive}.${end}?thumbnails=2`,
      );
      await page.playing(60_000);
      await page.page.evaluate(`document.querySelector("video").currentTime = ${Math.max(0, at - 1.5)}`);
      await page.reportWhere('movement after the gap', ({ currentTime }) => currentTime > at + 1.5, 60_000);
      expect((await page.report()).errors, page.name).toEqual([]);
      // Must be one buffered range: dash.js jumps over gaps between ranges, and sometimes hangs.
      const isOneRange = `(({ buffered }) => Array.from(buffered, (_, at) => at).some((at) => buffered.start(at) < ${at} - 0.5 && buffered.end(at) > ${at} + 0.5))(document.querySelector('video'))`;
      if (player === 'dashjs') expect(await page.page.evaluate<boolean>(isOneRange), 'one range').toBe(true);
      if (player === 'shaka') expect(await page.page.evaluate<number>(THUMBNAILS), 'thumbnails').toBeGreaterThan(3);
      await page.page.close();
    }),
  );
});

it('plays the archive across a restart of the server in dash.js and Shaka', async () => {
  // The restart may take seconds, which are missing in the recording.
  const stopSeconds = Date.now() / 1000;
  await server.restart();
  await server.streamWhere('two', 'pictures again', ({ alive }) => alive, 30_000);
  const startSeconds = Date.now() / 1000;
  await Promise.all(
    (['dashjs', 'shaka'] as const).map(async (player) =>
      undisturbed(async () => {
        const page = await PlayerPage.open(browser.for(player), pages, player, `${server.url}/two/rewind-600.mpd`);
        try {
          await page.playing(60_000);
          await page.page.evaluate(`document.querySelector("video").currentTime = ${stopSeconds - 7}`);
          await page.reportWhere('the media before', ({ currentTime }) => currentTime < stopSeconds, 30_000);
          await page.reportWhere('the media after', ({ currentTime }) => currentTime > startSeconds + 2, 30_000);
          expect((await page.report()).errors, page.name).toEqual([]);
        } finally {
          await page.page.close();
        }
      }),
    ),
  );
});
