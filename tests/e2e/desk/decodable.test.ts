import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFiles } from '../../helpers/made-media.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';
import { startBrowser } from '../../helpers/start-browser.ts';

/** Codecs of streams: two whose audio and one whose video the browser cannot play. */
const PUBLISHED = {
  ac3: ['-c:v', 'libx264', '-c:a', 'ac3'],
  mp2: ['-c:v', 'libx264', '-c:a', 'mp2'],
  hevc: ['-c:v', 'libx265', '-x265-params', 'log-level=none:keyint=25:bframes=0', '-c:a', 'aac'],
} as const;
const WAIT_MS = 40_000;

let browser: Browser;
let server: DeskServer;
const encoders: ChildProcess[] = [];

/** Publishes a four-second file in an endless loop. */
function publish(name: string, codecs: readonly string[]): void {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=440'];
  const coding = [...codecs, '-preset', 'ultrafast', '-g', '25', '-ar', '48000', '-threads', '1'];
  const file = join(server.folder, `${name}.ts`);
  makeFiles(server.folder, [...picture, '-t', '4', ...coding, `${name}.ts`]);
  const sending = ['-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'mpegts', '-method', 'POST'];
  const args = ['-v', 'error', '-nostdin', ...sending, `${server.url}${name}/mpegts`];
  encoders.push(spawn('ffmpeg', args, { stdio: 'ignore' }));
}

beforeAll(async () => {
  const streams = Object.keys(PUBLISHED).map((name) => `stream ${name} { input publish://; }`);
  [server, browser] = await Promise.all([
    DeskServer.start(`${streams.join('\n')}\nstream test { input fake://?width=320&height=180; }\n`),
    startBrowser(),
  ]);
  for (const [name, codecs] of Object.entries(PUBLISHED)) publish(name, codecs);
});

afterAll(async () => {
  for (const encoder of encoders) {
    const ended = once(encoder, 'exit');
    if (encoder.exitCode === null && encoder.kill('SIGKILL')) await ended;
  }
  await browser.close();
  await server.dispose();
});

async function open(path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 800, height: 450 } });
  await page.goto(`${server.url}${path}`);
  return page;
}

/** Waits until an expression in the page is true. */
const untilTrue = (page: Page, what: string, expression: string): Promise<unknown> =>
  until(
    what,
    () => page.evaluate<boolean>(expression),
    WAIT_MS,
    () => what,
  );

const PLAYS = (element: string): string =>
  `(() => { const v = document.querySelector('${element}'); return v && v.currentTime > 1 && v.videoHeight > 0; })()`;
const SHOWN = (element: string): string => `document.querySelector('${element}')?.naturalWidth > 0`;
const NOTES = [
  ['ac3', 'audio: AC-3 cannot be decoded here'],
  ['mp2', 'audio: MP2 cannot be decoded here'],
  ['hevc', 'H.265 cannot be decoded here: one picture per second'],
] as const;

describe('a stream of which the browser decodes only video or only audio', () => {
  it('shows its video or stills on the wall, with a note about the missing part', async () => {
    const page = await open('');
    for (const [name, note] of NOTES) {
      const tile = `article[data-stream="${name}"]`;
      await untilTrue(page, `${name} has a picture`, name === 'hevc' ? SHOWN(`${tile} img`) : PLAYS(`${tile} video`));
      await page.locator(`${tile} [data-test=missing]`, { hasText: note }).waitFor();
    }
    await page.close();
  });

  it.each(NOTES)('shows its video or stills in the embedded page, with a note: %s', async (name, note) => {
    const page = await open(`${name}/embed.html`);
    await untilTrue(page, 'picture', name === 'hevc' ? SHOWN('#stills') : PLAYS('#video'));
    await page.locator('#missing', { hasText: note }).waitFor();
    await page.locator('#message').waitFor({ state: 'hidden' });
    await page.close();
  });
});

describe('the embedded page', () => {
  it('plays at most three seconds behind live, shows the delay, and has no seek bar', async () => {
    const page = await open('test/embed.html');
    await untilTrue(page, 'picture', PLAYS('#video'));
    await untilTrue(page, 'play on', "document.querySelector('#video').currentTime > 8");
    await untilTrue(page, 'badge', "/LIVE −[\\d.]+ s/.test(document.querySelector('#live').textContent)");
    // On a busy machine, playback starts more than three seconds behind the live edge and then catches up.
    const buffered =
      "(() => { const v = document.querySelector('#video'); return v.buffered.end(v.buffered.length - 1) - v.currentTime; })()";
    await untilTrue(page, 'less than three seconds in the buffer', `${buffered} < 3`);
    const badge = "Number(/LIVE −([\\d.]+) s/.exec(document.querySelector('#live').textContent)?.[1])";
    await untilTrue(page, 'a badge that says so', `${badge} > 0 && ${badge} < 3.5`);
    expect(await page.evaluate("document.querySelector('#video').controls")).toBe(false);
    await page.close();
  });

  it('shows a message if there is no stream with this name', async () => {
    const page = await open('test/embed.html');
    await page.route('**/test/index.m3u8*', (route) =>
      route.fulfill({ status: 404, contentType: 'application/json', body: '{"error":"stream_not_found"}' }),
    );
    await page.reload();
    await page.locator('#message', { hasText: 'There is no stream with this name' }).waitFor();
    await page.close();
  });
});
