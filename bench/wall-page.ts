import type { Browser, Page } from 'playwright-core';

const START_MS = 120_000;

export interface WallPageOptions {
  readonly port: number;
  /** Content of the tiles. Default: as when the desk starts, video in as many tiles as the machine can play. */
  readonly pictures?: 'video' | 'stills';
  /** True if tiles use hls.js, as with a server without feeds. */
  readonly isHls?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Columns and rows of a page; default: chosen by the wall, at most four. */
  readonly side?: number;
}

/** Opens the wall of a server. */
export async function openWall(
  browser: Browser,
  { port, pictures, isHls, viewport, side }: WallPageOptions,
): Promise<Page> {
  // The content policy of the desk forbids the script with which Playwright waits.
  const page = await browser.newPage({ viewport: viewport ?? { width: 1280, height: 720 }, bypassCSP: true });
  if (pictures) await page.addInitScript(`localStorage.setItem('airdesk.wall.pictures', '${pictures}')`);
  if (side !== undefined) {
    const layout = JSON.stringify({ columns: side, rows: side, cells: [] });
    await page.addInitScript(`localStorage.setItem('airdesk.wall.layout', '${layout}')`);
  }
  if (isHls)
    await page.addInitScript(
      "const send = WebSocket.prototype.send; WebSocket.prototype.send = function (data) { if (!String(data).includes('feed-open')) send.call(this, data); else setTimeout(() => this.onmessage({ data: JSON.stringify({ kind: 'feed', feed: JSON.parse(data).feed, state: 'refused', error: { code: 'unavailable', message: '' } }) })); }",
    );
  await page.goto(`http://127.0.0.1:${port}/`);
  return page;
}

/** Waits until this number of tiles play. */
export async function untilPlaying(page: Page, tiles: number): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll('video')].filter((one) => one.currentTime > 0 && one.readyState >= 3 && !one.paused).length >= ${tiles}`,
    undefined,
    { timeout: START_MS },
  );
}

/** Waits until this number of tiles show playing video or stills. */
export async function untilShown(page: Page, tiles: number): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll('article[data-stream]')].filter((tile) => tile.querySelector('[data-test=stills]')?.naturalWidth > 0 || tile.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames > 0).length >= ${tiles}`,
    undefined,
    { timeout: START_MS },
  );
}

/** Starts to record the longest time for which each tile shows the same picture without a notice. */
export function watchFreezes(page: Page): Promise<void> {
  return page.evaluate(`(() => {
    const [seen, longest] = [new Map(), {}];
    window.freezes = longest;
    setInterval(() => {
      const now = performance.now();
      for (const tile of document.querySelectorAll('article[data-stream]')) {
        const [video, { stream }] = [tile.querySelector('video'), tile.dataset];
        // A notice or stills count as reported.
        const isExplained = !video || tile.querySelector('[data-test=stills], [data-test=note]') !== null;
        const quality = video?.getVideoPlaybackQuality();
        const shown = quality ? quality.totalVideoFrames - quality.droppedVideoFrames : 0;
        const last = seen.get(stream);
        // A tile without a first picture has not started, which is not a freeze.
        if (isExplained || shown === 0 || last?.shown !== shown) seen.set(stream, { shown, sinceMs: now });
        else longest[stream] = Math.max(longest[stream] ?? 0, now - last.sinceMs);
      }
    }, 100);
  })()`);
}

/** Maximum time for which each tile showed the same picture without a notice, in milliseconds. */
export function freezesOf(page: Page): Promise<Readonly<Record<string, number>>> {
  return page.evaluate<Record<string, number>>('window.freezes');
}

/** Waits until this number of tiles show stills. */
export async function untilStills(page: Page, tiles: number): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll('[data-test=stills]')].filter((one) => one.naturalWidth > 0).length >= ${tiles}`,
    undefined,
    { timeout: START_MS },
  );
}

/** State of the tiles at a moment. */
export interface TilesState {
  /** Position of each video in seconds, by stream. */
  readonly times: Readonly<Record<string, number>>;
  readonly stills: number;
}

/** Reads the state of the tiles. */
export function readTiles(page: Page): Promise<TilesState> {
  return page.evaluate<TilesState>(`(() => {
    const times = {};
    for (const tile of document.querySelectorAll('article[data-stream]')) {
      const video = tile.querySelector('video');
      if (!video || tile.querySelector('[data-test=stills]')) continue;
      times[tile.dataset.stream] = video.currentTime;
    }
    return { times, stills: document.querySelectorAll('[data-test=stills]').length };
  })()`);
}
