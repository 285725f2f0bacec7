import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Bridge } from '../../src-preload/contract/index.ts';
import { DesktopApp } from '../helpers/desktop-app.ts';
import { freePort } from '../helpers/free-port.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { until } from '../helpers/until.ts';

// Runs with a stand-in for Electron: tests/helpers/electron-stand-in/README.md describes what that proves.

/** Objects that the preload script adds to the page. */
declare const bridge: Bridge;

/** Application of one group of tests. Each test continues the previous test, and the last test ends the application. */
let app: DesktopApp;
let port: number;

describe('the desktop application without a sandbox, with a stream', () => {
  beforeAll(async () => {
    port = await freePort();
    app = await DesktopApp.start(`http 127.0.0.1:${port};\nstream clip { input file://${markedClip()}; }\n`, [
      '--no-sandbox',
    ]);
  });
  afterAll(() => app.dispose());

  it('shows the desk with a content security policy, and blocks navigation', async () => {
    const page = await app.desk();
    expect(await page.evaluate(() => bridge.call('server.info', {}))).toMatchObject({ value: { no_sandbox: true } });
    await page.waitForSelector('[data-test=no-sandbox]');
    const policy = await page.evaluate<string | null>(
      "fetch(location.href).then((page) => page.headers.get('content-security-policy'))",
    );
    expect(policy).toContain("script-src 'self'");
    await expect
      .poll(() => page.evaluate<number>("document.querySelector('#app').childElementCount"))
      .toBeGreaterThan(0);

    const address = page.url();
    await page.evaluate("location.href = 'https://example.org/'");
    await page.evaluate("void open('https://example.org/')");
    await expect.poll(() => page.context().pages().length).toBe(1);
    expect(page.url()).toBe(address);
    expect(await page.evaluate(() => bridge.call('streams.list', {}))).toMatchObject({ ok: true });
  });

  const isPlayingIn = (page: Page): Promise<boolean> =>
    page.evaluate<boolean>(
      "[...document.querySelectorAll('video')].some((video) => video.currentTime > 1 && video.videoWidth > 0 && video.src.startsWith('blob:'))",
    );

  it('plays tiles by feeds of the server thread over a separate port, without HTTP', async () => {
    const page = await app.desk();
    const isPlaying = (): Promise<boolean> => isPlayingIn(page);
    await until('a picture in a tile', isPlaying, 30_000, () => app.printed);
    const loaded = await page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
    expect(loaded.filter((name) => /\.m3u8|\.m4s/.test(name))).toEqual([]);
    // After a reload, the page opens its feeds again.
    await page.reload();
    await until('a picture after that', isPlaying, 30_000, () => app.printed);
  });

  it('plays the wall in a second window at the same time', async () => {
    const page = await app.desk();
    await page.evaluate("location.hash = '#/system'");
    await page.evaluate("void open('#/wall')");
    const beside = await app.wall();
    expect(beside).not.toBe(page);
    await page.evaluate("location.hash = '#/wall'");
    for (const one of [beside, page])
      await until(
        'a picture',
        () => isPlayingIn(one),
        30_000,
        () => app.printed,
      );
    await beside.close();
    await expect.poll(() => page.context().pages().length).toBe(1);
    expect(await page.evaluate(() => bridge.call('streams.list', {}))).toMatchObject({ ok: true });
    expect(await isPlayingIn(page)).toBe(true);
  });

  it('decodes in processes of the main thread, restarts a crashed process, and ends the processes when the window is closed', async () => {
    const page = await app.desk();
    const isClipRunning = async (): Promise<boolean> => {
      const reply = await page.evaluate(() => bridge.call('streams.list', {}));
      return reply.ok && reply.value.streams.some(({ name, status }) => name === 'clip' && status === 'running');
    };
    await until('clip on air', isClipRunning, 30_000, () => app.printed);
    const picture = async (): Promise<Buffer | undefined> => {
      const response = await fetch(`http://127.0.0.1:${port}/clip/preview.jpg`);
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    };
    const first = await until('picture', picture, 30_000, () => app.printed);
    expect(first.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));

    const before = app.codecPids;
    expect(before.length).toBeGreaterThan(0);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await until('new codec process', () => app.codecPids.some((pid) => !before.includes(pid)), 30_000);
    const isNew = async (): Promise<boolean> => (await picture())?.equals(first) === false;
    await until('new picture after the crash', isNew, 30_000, () => app.printed);
    await until('clip on air again', isClipRunning, 30_000, () => app.printed);
    expect(app.printed).toContain('ended unexpectedly');

    await page.close();
    expect(await app.exitCode(), app.printed).toBe(0);
    expect(app.codecPids).toEqual([]);
  });
});

describe('the desktop application started by a double click on a configuration', () => {
  afterEach(() => app.dispose());

  const streamsOf = (page: Page): Promise<readonly string[]> =>
    page.evaluate(async () => {
      const reply = await bridge.call('streams.list', {});
      return reply.ok ? reply.value.streams.map(({ name }) => name) : [];
    });

  it('runs the opened configuration', async () => {
    port = await freePort();
    const configuration = `http 127.0.0.1:${port};\nstream own { input fake://; }\n`;
    app = await DesktopApp.start(configuration, [], configuration.replace('own', 'opened'));
    expect(await streamsOf(await app.desk())).toEqual(['opened']);
    expect(app.printed).not.toContain('cannot run');
  });

  it.each([
    ['names a file that is not allowed', 'stream opened { input file:///etc/hostname; }', 'path_not_allowed'],
    ['has a mistake', 'stream {', 'config_syntax'],
  ])('runs its own configuration and shows the reason if the opened configuration %s', async (_what, opened, code) => {
    port = await freePort();
    const configuration = `http 127.0.0.1:${port};\nstream own { input fake://; }\n`;
    app = await DesktopApp.start(configuration, [], `http 127.0.0.1:${port};\n${opened}\n`);
    expect(await streamsOf(await app.desk())).toEqual(['own']);
    expect(app.printed).toMatch(
      new RegExp(`dialog: The server cannot run the configuration .*Studio\\.airdesk\\.\\n.*\\(${code}\\)`),
    );
  });
});

describe('the desktop application whose port is in use', () => {
  let other: Server;
  beforeAll(async () => {
    port = await freePort();
    other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    app = await DesktopApp.start(`http 127.0.0.1:${port};\n`, ['--lang=de']);
  });
  afterAll(() => app.dispose());

  it('shows that the port is in use, and starts the server when the port is free', async () => {
    await app.pageWithText('port_in_use');
    await app.pageWithText('Der Server läuft nicht');
    other.close();
    const page = await app.desk();
    expect(await page.evaluate(() => bridge.call('streams.list', {}))).toMatchObject({
      ok: true,
      value: { streams: [] },
    });
  });

  it('rejects invalid messages of the desk', async () => {
    const page = await app.desk();
    // Bypasses the types, like a compromised page would.
    const call = (name: string, input: unknown): Promise<unknown> =>
      page.evaluate(
        ([calledName, calledInput]) => bridge.call(calledName as 'streams.remove', calledInput as { name: string }),
        [name, input] as const,
      );
    expect(await call('no.such.call', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await call('streams.remove', { name: '../etc' })).toMatchObject({
      ok: false,
      error: { code: 'bad_request' },
    });
    expect(await call('streams.remove', { name: 'nobody' })).toMatchObject({
      ok: false,
      error: { code: 'stream_not_found' },
    });
  });

  it('transfers calls and events between the desk and the server', async () => {
    const page = await app.desk();

    expect(await page.evaluate(() => Object.keys(bridge).toSorted())).toEqual(['call', 'on', 'openFeeds']);
    const info = await page.evaluate(() => bridge.call('server.info', {}));
    expect(info.ok && info.value.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
    expect(info.ok && info.value.no_sandbox).toBeUndefined();

    const snapshot = await page.evaluate(() => new Promise((resolve) => bridge.on('streams', resolve)));
    expect(snapshot).toEqual({ is_snapshot: true, changed: [], removed: [] });

    const added = page.evaluate(
      () =>
        new Promise((resolve) => {
          bridge.on('streams', (message) => {
            if (message.changed.some((stream) => stream.name === 'cam1'))
              resolve(message.changed.map((stream) => [stream.name, stream.status]));
          });
        }),
    );
    expect(
      await page.evaluate(() => bridge.call('streams.add', { name: 'cam1', input_url: 'publish://' })),
    ).toMatchObject({ ok: true, value: { name: 'cam1' } });
    expect(await added).toEqual([['cam1', 'waiting']]);
  });

  it('ends with exit code 0 when the system shuts down', async () => {
    app.terminate();
    expect(await app.exitCode(), app.printed).toBe(0);
  });
});
