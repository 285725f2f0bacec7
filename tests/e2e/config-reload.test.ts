import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { freePort } from '../helpers/free-port.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage } from '../helpers/player-page.ts';
import { startBrowser } from '../helpers/start-browser.ts';
import { starved } from '../helpers/starved.ts';
import { until } from '../helpers/until.ts';

const STREAMS =
  '# what stands here stays\nstream watched { input publish://; title "One"; }\nstream other { input publish://; }';

describe('a configuration that changes during playback', () => {
  let server: AirdeskProcess;
  let pages: PageServer;
  let browser: Browser;
  let encoder: EncoderProcess;
  let path = '';

  beforeAll(async () => {
    server = await AirdeskProcess.start(STREAMS);
    path = join(server.folder, 'airdesk.conf');
    encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/static/watched` });
    pages = await PageServer.start();
    browser = await startBrowser();
    await server.streamWhere('watched', 'frames', ({ alive }) => alive);
  });

  afterAll(async () => {
    await browser.close();
    await pages.close();
    await encoder.stop();
    expect(await server.stop()).toBe(0);
    await server.dispose();
  });

  /** Request to the API, and its reply. */
  async function api(
    method: string,
    address: string,
    body?: string | object,
  ): Promise<{ status: number; json: Record<string, unknown> }> {
    const isText = typeof body === 'string';
    const response = await fetch(`${server.url}/mediaserver/api${address}`, {
      method,
      ...(body === undefined
        ? {}
        : {
            body: isText ? body : JSON.stringify(body),
            headers: { 'content-type': isText ? 'text/plain' : 'application/json' },
          }),
    });
    // All replies of these addresses are JSON.
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  }

  async function reloadBySignal(logText: string): Promise<void> {
    process.kill(server.pid, 'SIGHUP');
    await until(
      `${logText} in the log`,
      () => (server.printed.includes(logText) ? true : undefined),
      30_000,
      () => server.printed,
    );
  }

  it('does not disturb a player by reloads that need no restart of its stream', async () => {
    const page = await PlayerPage.open(browser, pages, 'hlsjs', `${server.url}/watched/index.m3u8`);
    await page.playing(40_000);
    await page.played(3000);
    await page.reset();
    const before = await page.report();
    const started = (await server.stream('watched'))?.started_at;

    // Changes the title of the stream, another stream, and all listeners.
    expect(
      (await api('PUT', '/v3/config', { streams: { watched: { title: 'Two' }, other: { title: 'Other' } } })).status,
    ).toBe(200);
    expect(
      (await api('POST', '/modify_config', { streams: { third: { inputs: [{ url: 'publish://' }] } } })).status,
    ).toBe(200);
    expect(
      (await api('POST', '/config/stream_create', 'stream other { input publish://; segment_duration 2; }')).json,
    ).toEqual({ success: true });
    expect((await api('POST', '/config/stream_delete', 'third')).json).toEqual({ success: true });
    // Listeners are added and removed.
    const port = await freePort();
    const rtmpPort = await freePort();
    const text = await readFile(path, 'utf8');
    await writeFile(path, `${text}http 127.0.0.1:${port};\nrtmp 127.0.0.1:${rtmpPort};\n`);
    await reloadBySignal('summary="http; rtmp"');
    expect((await fetch(`http://127.0.0.1:${port}/watched/index.m3u8`)).status).toBe(200);
    await writeFile(path, text);
    expect((await api('POST', '/reload')).json).toBe(true);
    await until(
      'the end of the listener',
      () =>
        fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } }).then(
          () => undefined,
          () => true,
        ),
      30_000,
    );
    // An invalid file changes nothing, and an unconfirmed change is reverted.
    await writeFile(path, `${text}stream broken {\n`);
    expect(await api('POST', '/reload')).toMatchObject({
      status: 400,
      json: { error: 'config_syntax', line: expect.any(Number) as number },
    });
    await writeFile(path, text);
    expect((await api('POST', '/reload')).json).toBe(true);
    expect((await api('PUT', '/v3/config?confirm_within=1', { streams: { other: null } })).status).toBe(200);
    await until(
      'the end of the trial',
      async () => ((await api('GET', '/v3/config/stats')).json['pending'] === null ? true : undefined),
      30_000,
    );
    expect(await server.stream('other')).toBeDefined();

    // A busy machine decodes slower than the media arrives. The player must only continue and never run out of media.
    const report = await page.reportWhere(
      'eight more seconds',
      ({ currentTime }) => currentTime > before.currentTime + 8,
      60_000,
    );
    expect(report.errors).toEqual([]);
    expect(starved(report)).toEqual([]);
    expect(report.sizes).toEqual(before.sizes);
    const state = await server.stream('watched');
    expect([state?.title, state?.started_at, state?.retry_count]).toEqual(['Two', started, 0]);
    const kept = await readFile(path, 'utf8');
    expect(kept).toContain('# what stands here stays\nstream watched { input publish://; title Two; }\n');
    await page.page.close();
  });

  it('reverts an unconfirmed change at the next start', async () => {
    const { versions: before } = (await api('GET', '/v3/config/versions?limit=1')).json as {
      versions: { id: number }[];
    };
    expect(
      (await api('PUT', '/v3/config?confirm_within=600', { streams: { other: { title: 'On probation' } } })).status,
    ).toBe(200);
    expect((await api('PUT', '/v3/config', { streams: { other: { title: 'Another' } } })).json).toMatchObject({
      error: 'config_unconfirmed',
    });
    await server.restart();
    expect((await server.stream('other'))?.title).not.toBe('On probation');
    expect((await api('GET', `/v3/config/versions/${(before[0]?.id ?? 0) + 1}`)).json).toMatchObject({
      state: 'rolled_back',
      from_where: 'api 127.0.0.1',
      on_disk: false,
    });
  });
});
