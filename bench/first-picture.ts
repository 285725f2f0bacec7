import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Browser } from 'playwright-core';
import type { PageServer } from '../tests/helpers/page-server.ts';
import { PlayerPage, type PlayerName } from '../tests/helpers/player-page.ts';
import { FirstByteRelay } from './first-byte-relay.ts';
import { stopChild } from './replay.ts';
import type { Target } from './target.ts';

/** Retry interval of a viewer while the stream does not exist yet, in milliseconds. */
export const RETRY_MS = 100;
const TIMEOUT_MS = 30_000;

/** Measured start of a viewer. */
export interface FirstPicture {
  /** Seconds from the first byte of the encoder to the first picture. */
  readonly seconds: number;
  /** Stalls in the three seconds after that. */
  readonly stalls: number;
}

/** A viewer that waits for a stream and reports the time of its first picture. */
export interface Viewer {
  /** Resolves when the viewer has requested the stream. */
  open(address: string): Promise<void>;
  picture(): Promise<{ readonly atMs: number; readonly stalls: number }>;
  close(): Promise<void>;
}

/** Publishes a clip with ffmpeg while a viewer waits for it, and measures the time until the first picture. */
export async function firstPicture(
  server: Target,
  viewer: Viewer,
  flv: string,
  path: string,
  name: string,
): Promise<FirstPicture> {
  const relay = await FirstByteRelay.start(server.rtmpPort);
  await viewer.open(`http://127.0.0.1:${server.httpPort}${path}`);
  const url = `rtmp://127.0.0.1:${relay.port}/${server.app}/${name}`;
  const args = ['-v', 'error', '-nostdin', '-re', '-i', flv, '-c', 'copy', '-f', 'flv', url];
  const encoder = spawn('ffmpeg', args, { stdio: 'ignore' });
  try {
    const firstByteMs = await relay.firstByteMs;
    const { atMs, stalls } = await viewer.picture();
    return { seconds: (atMs - firstByteMs) / 1000, stalls };
  } finally {
    await viewer.close();
    await stopChild(encoder);
    relay.close();
  }
}

/** Player in Chromium that retries while the stream does not exist. */
export function pageViewer(browser: Browser, pages: PageServer, player: PlayerName, options: object): Viewer {
  let page: PlayerPage | undefined;
  const opened = (): PlayerPage => {
    if (!page) throw new Error('the page is not open');
    return page;
  };
  return {
    async open(address) {
      page = await PlayerPage.open(browser, pages, player, address, options);
    },
    async picture() {
      const { firstFrameMs = Number.NaN } = await opened().reportWhere(
        'picture',
        (report) => report.firstFrameMs !== undefined,
        TIMEOUT_MS,
      );
      const originMs = await opened().page.evaluate<number>('performance.timeOrigin');
      const { stalls } = await opened().played(3000);
      return { atMs: originMs + firstFrameMs, stalls: stalls.length };
    },
    async close() {
      await page?.page.close();
    },
  };
}

/** ffmpeg as a simple player. It is restarted until it has decoded one picture. */
export function ffmpegViewer(): Viewer {
  let child: ChildProcess | undefined;
  let isOpen = true;
  let found: Promise<number> | undefined;
  const watch = async (address: string): Promise<number> => {
    const endMs = performance.now() + TIMEOUT_MS;
    while (isOpen && performance.now() < endMs) {
      child = spawn('ffmpeg', ['-v', 'quiet', '-nostdin', '-i', address, '-frames:v', '1', '-f', 'null', '-'], {
        stdio: 'ignore',
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code === 0) return performance.timeOrigin + performance.now();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    throw new Error('ffmpeg had no picture in time');
  };
  return {
    open(address) {
      found = watch(address);
      found.catch(() => undefined);
      return Promise.resolve();
    },
    async picture() {
      if (!found) throw new Error('the viewer is not open');
      return { atMs: await found, stalls: 0 };
    },
    async close() {
      isOpen = false;
      if (child) await stopChild(child, 'SIGKILL');
    },
  };
}
