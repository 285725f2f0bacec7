import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { freeUdpPort } from '../helpers/free-port.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage, type PlayerName } from '../helpers/player-page.ts';
import { startBrowser } from '../helpers/start-browser.ts';
import { SHORT_STALL_MS } from '../helpers/machine-stalls.ts';
import { starved } from '../helpers/starved.ts';
import { TsEncoder } from '../helpers/ts-encoder.ts';
import { until } from '../helpers/until.ts';

// The test checks the effect of a change, not the latency of players on a busy machine.
const PLAYERS: readonly (readonly [PlayerName, string, object])[] = [
  ['hlsjs', 'index.m3u8', {}],
  [
    'shaka',
    'index.mpd',
    {
      streaming: { lowLatencyMode: false },
      manifest: { defaultPresentationDelay: 6, dash: { ignoreSuggestedPresentationDelay: true } },
    },
  ],
  ['dashjs', 'index.mpd', {}],
];
/** Media played after the last change, in seconds: more than the media buffered before. */
const WATCH_SECONDS = 5;

/**
 * Records operations of a player that reset its buffers. Shaka calls `abort` at each Period and loses nothing, so
 * `abort` is not recorded.
 */
const WATCH_BUFFERS = `
  window.bufferResets = [];
  const change = SourceBuffer.prototype.changeType;
  SourceBuffer.prototype.changeType = function (...values) {
    window.bufferResets.push('changeType');
    return change.apply(this, values);
  };
  for (const name of ['addSourceBuffer', 'removeSourceBuffer']) {
    const original = MediaSource.prototype[name];
    MediaSource.prototype[name] = function (...values) {
      window.bufferResets.push(name);
      return original.apply(this, values);
    };
  }`;

let server: AirdeskProcess;
let pages: PageServer;
let browser: Browser;
let encoder: TsEncoder;
/** Pages with one of each player, which play in all tests. */
let opened: readonly PlayerPage[];

beforeAll(async () => {
  const port = await freeUdpPort();
  server = await AirdeskProcess.start(`stream prog { input udp://127.0.0.1:${port}; }`);
  encoder = new TsEncoder(port);
  pages = await PageServer.start();
  browser = await startBrowser();
  await server.streamWhere('prog', 'frames', ({ alive }) => alive);
  // dash.js plays only once the stream is longer than its distance from the live edge; the other players play earlier.
  await listed();
  opened = await Promise.all(PLAYERS.map(async ([player, file, options]) => open(player, file, options)));
  await Promise.all(opened.map((page) => page.playing(40_000)));
});

afterAll(async () => {
  await browser.close();
  await pages.close();
  await encoder.close();
  expect(await server.stop()).toBe(0);
  await server.dispose();
});

function open(...[player, file, options]: (typeof PLAYERS)[number]): Promise<PlayerPage> {
  return PlayerPage.open(browser, pages, player, `${server.url}/prog/${file}`, options);
}

const textOf = (file: string): Promise<string> => server.text(`/prog/${file}`);
/** Discontinuities of the MPEG-TS playlist so far. */
async function tsCuts(): Promise<number> {
  const text = await textOf('index.ts.m3u8');
  return (
    Number(/DISCONTINUITY-SEQUENCE:(.*)/.exec(text)?.[1] ?? 0) + (text.match(/#EXT-X-DISCONTINUITY\n/g) ?? []).length
  );
}
/** Playlists of the first video and audio track, once there are no gaps before their first segments. */
async function listed(): Promise<string[]> {
  return until(
    'playlists without gaps',
    async () => {
      const texts = await Promise.all(['v1', 'a1'].map((id) => textOf(`${id}/index.m3u8`)));
      return texts.some((text) => text.includes('#EXT-X-GAP')) ? undefined : texts;
    },
    20_000,
  );
}
/** Waits until a player has continued for a while, mostly without polling. */
async function playOn(page: PlayerPage): Promise<void> {
  const from = (await page.report()).currentTime;
  await page.played((WATCH_SECONDS - 0.5) * 1000);
  await page.reportWhere('more', ({ currentTime }) => currentTime > from + WATCH_SECONDS, 20_000);
}
const mapsOf = (playlist: string): string[] =>
  [...playlist.matchAll(/#EXT-X-MAP:URI="([^"]+)"/g)].map(([, uri = '']) => uri);

describe('a second audio track that starts and ends', () => {
  it('leaves video and the first audio track unchanged, in the playlists and in the players', async () => {
    const requested = opened.map(({ page }) => {
      const initRequests: string[] = [];
      page.on('request', (request) => {
        if (/\/v1\/init-/.test(request.url())) initRequests.push(request.url());
      });
      return initRequests;
    });
    await Promise.all(opened.map((page) => page.page.evaluate(WATCH_BUFFERS)));
    await Promise.all(opened.map((page) => page.reset()));
    const before = await listed();

    encoder.setSecondAudio(true);
    await until('the second audio track', async () => (await textOf('index.m3u8')).includes('a2/index.m3u8'), 30_000);
    const shaka = opened[1]?.page;
    const languages = 'probe.player.object.getVariantTracks().map(({ language }) => language)';
    const isOffered = async (): Promise<boolean> =>
      (await shaka?.evaluate<string[]>(languages))?.includes('de') === true;
    await until('the second audio track in the player', isOffered, 30_000);
    const [second = ''] = mapsOf(await textOf('a2/index.m3u8'));
    expect((await fetch(`${server.url}/prog/a2/${second}`)).status).toBe(200);

    // DASH players are switched to the other audio track while they play, and back to all tracks. A player cannot lose
    // all audio, so it keeps the current track.
    for (const [tracks, listedTracks] of [
      [['v1', 'a2'], 'v1 a2'],
      [['v1'], 'v1 a2'],
      [[], 'v1 a1 a2'],
    ] as const) {
      await requestTracks(tracks);
      await until('the requested tracks', async () => (await tracksOfDash()) === listedTracks, 30_000);
      if (tracks.length === 2) await Promise.all(opened.map(playOn));
    }

    encoder.setSecondAudio(false);
    await until(
      'the end of the second audio track',
      async () => !(await textOf('index.m3u8')).includes('a2/index.m3u8'),
      30_000,
    );
    expect((await fetch(`${server.url}/prog/a2/index.m3u8`)).status).toBe(404);
    const newestPeriod = async (): Promise<string> => {
      const mpd = await textOf('index.mpd');
      return mpd.slice(mpd.lastIndexOf('<Period'));
    };
    await until(
      'a Period without the second audio track',
      async () => !(await newestPeriod()).includes('id="a2"'),
      30_000,
    );

    await Promise.all(opened.map(playOn));
    for (const [index, page] of opened.entries()) {
      const report = await page.report();
      expect(report.errors, page.name).toEqual([]);
      expect(await page.page.evaluate('window.bufferResets'), page.name).toEqual([]);
      // dash.js seeks to stay near the live edge, pauses when the audio changes, and requests the init segment of each
      // Period again.
      if (PLAYERS[index]?.[0] === 'dashjs') continue;
      expect(starved(report), page.name).toEqual([]);
      expect(report.buffered, page.name).toHaveLength(1);
      // Shaka skips a tenth of a second after a stall of the machine.
      const stalled = report.machineStalls.filter(({ ms }) => ms >= SHORT_STALL_MS).length;
      expect(report.seeks, page.name).toBeLessThanOrEqual(stalled);
      expect(requested[index], page.name).toEqual([]);
    }
    const after = await listed();
    expect(after.map(mapsOf)).toEqual(before.map(mapsOf));
    expect(after.join('')).not.toContain('#EXT-X-DISCONTINUITY');
  });
});

describe('a second video rendition that starts and ends', () => {
  it('leaves the first rendition and the audio unchanged, in every player', async () => {
    const ts = await open('hlsjs', 'index.ts.m3u8', {});
    await ts.playing(40_000);
    const all = [...opened, ts];
    await Promise.all(all.map((page) => page.reset()));
    const before = await listed();
    const cuts = await tsCuts();

    encoder.setSecondVideo(true);
    await until('the second rendition', async () => (await textOf('index.m3u8')).includes('v2/index.m3u8'), 30_000);
    await until('the second rendition in DASH', async () => (await textOf('index.mpd')).includes('id="v2"'), 30_000);
    encoder.setSecondVideo(false);
    await until(
      'the end of the second rendition',
      async () => !(await textOf('index.m3u8')).includes('v2/index.m3u8'),
      30_000,
    );

    await Promise.all(all.map(playOn));
    for (const [index, page] of all.entries()) {
      const report = await page.report();
      expect(report.errors, page.name).toEqual([]);
      // On a busy machine, dash.js seeks to the live edge over a segment that it did not load.
      if (PLAYERS[index]?.[0] !== 'dashjs') expect(starved(report), page.name).toEqual([]);
      await page.page.close();
    }
    const after = await listed();
    expect(after.map(mapsOf)).toEqual(before.map(mapsOf));
    // MPEG-TS does not contain the other rendition, and nothing restarts.
    expect(after.join('')).not.toContain('#EXT-X-DISCONTINUITY');
    expect(await tsCuts()).toBe(cuts);
  });
});

/** Requests tracks for the DASH players, which have one session. */
async function requestTracks(tracks: readonly string[]): Promise<void> {
  const { sessions } = (await (await fetch(`${server.url}/streamer/api/v3/sessions`)).json()) as {
    readonly sessions: readonly { readonly id: string; readonly proto: string }[];
  };
  const { id = '' } = sessions.find(({ proto }) => proto === 'dash') ?? {};
  const request = { method: 'PUT', body: JSON.stringify({ tracks }) };
  expect((await fetch(`${server.url}/prog/sessions/${id}/request_tracks`, request)).status).toBe(204);
}

/** Tracks of the newest Period of the MPD. */
async function tracksOfDash(): Promise<string> {
  const mpd = await (await fetch(`${server.url}/prog/index.mpd`)).text();
  return [...mpd.slice(mpd.lastIndexOf('<Period')).matchAll(/<Representation id="([^"]+)"/g)]
    .map(([, id]) => id)
    .join(' ');
}
