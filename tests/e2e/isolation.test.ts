import { connect } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage } from '../helpers/player-page.ts';
import { startBrowser } from '../helpers/start-browser.ts';
import { starved } from '../helpers/starved.ts';

describe.concurrent('streams of one server', () => {
  let server: AirdeskProcess;
  let pages: PageServer;
  let browser: Browser;
  const encoders: EncoderProcess[] = [];

  function publish(...args: Parameters<typeof EncoderProcess.publish>): EncoderProcess {
    const encoder = EncoderProcess.publish(...args);
    encoders.push(encoder);
    return encoder;
  }

  beforeAll(async () => {
    server = await AirdeskProcess.start();
    pages = await PageServer.start();
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await pages.close();
    await Promise.all(encoders.map((encoder) => encoder.stop('SIGKILL')));
    expect(await server.stop()).toBe(0);
    await server.dispose();
  });

  it('continue when encoders of other streams crash, freeze or send garbage', async () => {
    publish({ url: `${server.rtmpUrl}/live/good` });
    const doomed = publish({ url: `${server.rtmpUrl}/live/doomed` });
    const frozen = publish({ url: `${server.rtmpUrl}/live/frozen` });
    const player = await PlayerPage.open(browser, pages, 'hlsjs', `${server.url}/live/good/index.m3u8`);
    await player.playing();
    await server.streamWhere('live/doomed', 'frames', ({ alive }) => alive);
    await server.streamWhere('live/frozen', 'frames', ({ alive }) => alive);
    await player.played(4000);
    await player.reset();
    // The player may have sent a request before the first segment existed.
    const { errors: before } = await player.report();

    await doomed.stop('SIGKILL');
    frozen.pause();
    await garbage(Number(new URL(server.rtmpUrl.replace('rtmp', 'http')).port));
    const random = await fetch(`${server.url}/live/noise/mpegts`, {
      method: 'POST',
      body: Buffer.alloc(300_000, 'no transport stream'),
    });
    expect(random.status).toBe(400);
    expect(await random.json()).toMatchObject({ error: 'ts_not_mpegts' });
    const refused = await fetch(`${server.url}/live/good/mpegts`, { method: 'POST', body: 'x' });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: 'publish_busy' });
    const nowhere = await fetch(`${server.url}/elsewhere/cam/mpegts`, { method: 'POST', body: 'x' });
    expect(nowhere.status).toBe(403);

    await server.streamWithProblem('live/doomed', 'publish_closed');
    await server.streamWhere('live/frozen', 'silence', ({ ts_delay: delay }) => delay !== null && delay > 5000);
    frozen.resume();
    await server.streamWhere('live/frozen', 'return', ({ ts_delay: delay }) => delay !== null && delay < 2000);

    const report = await player.played(2000);
    expect(starved(report)).toEqual([]);
    expect(report.errors).toEqual(before);
  });

  it.each([
    ['sound alone', 'audio', ['audio']],
    ['a picture alone', 'video', ['video']],
  ] as const)('can have %s', async (_name, tracks, contents) => {
    publish({ url: `${server.rtmpUrl}/live/only-${tracks}` }, { tracks });
    const state = await server.streamWhere(`live/only-${tracks}`, 'tracks', ({ media_info: info }) => info !== null);
    expect(state.media_info?.tracks.map(({ content }) => content)).toEqual(contents);
    const playlist = await server.text(`/live/only-${tracks}/index.m3u8`);
    expect(playlist).toContain('#EXT-X-STREAM-INF');
    expect(await server.text(`/live/only-${tracks}/index.ts.m3u8`)).toContain('.ts');
  });
});

/** Connects a client that sends garbage to the RTMP port; resolves when the server has closed the connection. */
function garbage(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(Buffer.alloc(8192, 0xff));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve();
    });
    socket.resume();
  });
}
