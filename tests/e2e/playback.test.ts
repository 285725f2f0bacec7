import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage, type PlayerName } from '../helpers/player-page.ts';
import { startBrowser } from '../helpers/start-browser.ts';
import { starved } from '../helpers/starved.ts';
import { until } from '../helpers/until.ts';

/** Duration for which the players must play without a stall. */
const WATCH_MS = 60_000;
/**
 * Maximum offset of audio and video: larger offsets are noticeable (ITU-R BT.1359); the measurement adds a frame or
 * two.
 */
const MAX_OFFSET_MS = 120;
/** Maximum latency: 1.5 to 2.5 s on an idle machine; a busy machine needs more. */
const MAX_LATENCY_MS = 5000;

const DASHJS = { streaming: { delay: { applyServiceDescription: true } } };
const PLAYERS: readonly (readonly [PlayerName, string, object])[] = [
  // Catches up after a stall of the machine before the measurement, like the tiles of the wall.
  ['hlsjs', 'index.m3u8', { liveSyncOnStallIncrease: 0, maxLiveSyncPlaybackRate: 1.06 }],
  ['shaka', 'index.m3u8', {}],
  ['dashjs', 'index.mpd', DASHJS],
  ['shaka', 'index.mpd', {}],
];

describe('players of a published stream', () => {
  let server: AirdeskProcess;
  let pages: PageServer;
  let browser: Browser;
  let encoder: EncoderProcess;

  beforeAll(async () => {
    server = await AirdeskProcess.start();
    encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/live/cam` }, { bFrames: 2 });
    pages = await PageServer.start();
    browser = await startBrowser();
    await server.streamWhere('live/cam', 'frames', ({ alive }) => alive);
  });

  afterAll(async () => {
    await browser.close();
    await pages.close();
    await encoder.stop();
    expect(await server.stop()).toBe(0);
    await server.dispose();
  });

  it('play for a minute without a stall, with synchronous audio and near the live edge', async () => {
    const opened = await Promise.all(
      PLAYERS.map(([player, file, options]) =>
        PlayerPage.open(browser, pages, player, `${server.url}/live/cam/${file}`, options),
      ),
    );
    await Promise.all(opened.map((page) => page.listen()));
    await Promise.all(opened.map((page) => page.playing(40_000)));
    // Ignores the startup. Afterwards no player may stall.
    await Promise.all(opened.map((page) => page.played(8000)));
    await Promise.all(opened.map((page) => page.reset()));
    const reports = await Promise.all(opened.map((page) => page.played(WATCH_MS)));
    for (const [index, report] of reports.entries()) {
      const name = opened[index]?.name ?? '';
      process.stdout.write(
        `${name}: ${report.latencyMs?.toFixed(0)} ms behind, sound ${report.avOffsetMs?.toFixed(0)} ms off, ${report.droppedFrames} frames dropped\n`,
      );
      expect(report.errors, name).toEqual([]);
      expect(starved(report), name).toEqual([]);
      // 25 frames per second, minus frames dropped by a busy machine.
      expect(report.frames, name).toBeGreaterThan((WATCH_MS / 1000) * 20);
      expect(report.beeps, name).toBeGreaterThan(WATCH_MS / 2000);
      expect(Math.abs(report.avOffsetMs ?? Infinity), name).toBeLessThan(MAX_OFFSET_MS);
      // Not every player catches up after a stall of the machine.
      const stalledMs = report.machineStalls.reduce((sum, { ms }) => sum + ms, 0);
      expect(report.latencyMs, name).toBeLessThan(MAX_LATENCY_MS + stalledMs);
    }
    await Promise.all(opened.map(({ page }) => page.close()));
  });

  // The test mostly waits, so other tests run at the same time.
  it.concurrent(
    'that wait for a stream play from its first part, at their intended distance from the live edge',
    async () => {
      const address = `${server.url}/live/late/index.m3u8`;
      const manifest = { retryParameters: { maxAttempts: 100, baseDelay: 200, backoffFactor: 1 } };
      const opened = await Promise.all([
        PlayerPage.open(browser, pages, 'hlsjs', address, { retryMs: 200 }),
        PlayerPage.open(browser, pages, 'shaka', address, { manifest }),
        // The player does not know parts yet, so it waits for the first segment.
        PlayerPage.open(browser, pages, 'shaka', address, { manifest, streaming: { lowLatencyMode: false } }),
      ]);
      const late = EncoderProcess.publish({ url: `${server.rtmpUrl}/live/late` });
      try {
        const [hls, ...shakas] = opened;
        const findDistance = async (): Promise<void> => {
          await hls.playing(40_000);
          const distance = 'probe.player.object.latency - probe.player.object.targetLatency';
          await until('distance', async () => (await hls.page.evaluate<number>(distance)) > -0.15, 40_000);
          await hls.page.close();
        };
        await Promise.all([findDistance(), ...shakas.map((shaka) => shaka.playing(40_000))]);
        for (const shaka of shakas) expect((await shaka.report()).errors).toEqual([]);
      } finally {
        await late.stop();
        await Promise.all(opened.map(({ page }) => page.close()));
      }
    },
  );

  it.concurrent('continue when the encoder returns with another picture size', async () => {
    const page = await PlayerPage.open(browser, pages, 'hlsjs', `${server.url}/live/cam/index.m3u8`);
    const before = await page.playing();
    await encoder.stop('SIGKILL');
    encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/live/cam` }, { height: 360 });
    const after = await page.reportWhere(
      'larger picture',
      ({ sizes }) => sizes.some((size) => size.endsWith('x360')),
      40_000,
    );
    expect(after.currentTime).toBeGreaterThan(before.currentTime);
    await page.page.close();
  });

  it.concurrent('play in the embedded page without external resources', async () => {
    const page = await browser.newPage();
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('blob:')) outside.push(request.url());
    });
    await page.goto(`${server.url}/live/cam/embed.html`);
    const isPlaying =
      'document.querySelector("video").currentTime > 1 && document.querySelector("video").videoHeight > 0';
    await until('picture in the page', () => page.evaluate<boolean>(isPlaying), 30_000);
    expect(outside).toEqual([]);
    await page.close();
  });
});
