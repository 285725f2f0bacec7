import type { Browser, Locator, Page, Request, WebSocket } from 'playwright-core';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import { DeskServer } from './desk-server.ts';
import { startBrowser } from '../../helpers/start-browser.ts';

/** The part of a media element that the tests read inside the page. */
interface Media {
  readonly currentTime: number;
  readonly readyState: number;
  readonly paused: boolean;
}

const TWO_STREAMS =
  'stream one { input fake://?width=320&height=180&bitrate=200; title "First"; }\nstream two { input fake://?width=320&height=180&bitrate=200; }\n';
const WAIT_MS = 30_000;

let browser: Browser;
let page: Page;
/** Server with `TWO_STREAMS`; each test opens the desk again. */
let shared: DeskServer;
let complaints: string[];
/** Errors on the console of the page. */
let errors: string[];
/** Streams whose media is pushed to the desk, by number of the feed. */
let feeds: Map<number, string>;
/** Feed numbers of the frames since the list was emptied. */
let pushed: number[];
/** Media requested by HTTP. */
let requests: string[];

beforeAll(async () => {
  browser = await startBrowser();
  shared = await DeskServer.start(TWO_STREAMS);
});
afterAll(async () => {
  await browser.close();
  await shared.dispose();
});
afterEach(() => page.close());

async function open(server: DeskServer): Promise<void> {
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  complaints = [];
  errors = [];
  feeds = new Map();
  pushed = [];
  requests = [];
  page.on('request', (request: Request) => {
    if (/\.(m3u8|m4s|mp4)$/.test(new URL(request.url()).pathname)) requests.push(request.url());
  });
  page.on('websocket', readFeeds);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(server.url);
}

/** Records the messages about feeds on the WebSocket. */
function readFeeds(socket: WebSocket): void {
  socket.on('framesent', ({ payload }) => {
    const message = JSON.parse(payload.toString()) as { kind: string; feed: number; name: string };
    if (message.kind === 'feed-open') feeds.set(message.feed, message.name);
    if (message.kind === 'feed-close') feeds.delete(message.feed);
  });
  socket.on('framereceived', ({ payload }) => {
    if (typeof payload !== 'string') pushed.push(payload.readUInt32BE(4));
  });
}

const tile = (name: string): Locator => page.locator(`article[data-stream="${name}"]`);

/** Waits until a condition holds by polling. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await page.waitForTimeout(100);
  }
}

const media = (name: string): Promise<Media> =>
  tile(name)
    .locator('video')
    .evaluate((video: Media) => ({
      currentTime: video.currentTime,
      readyState: video.readyState,
      paused: video.paused,
    }));

/** Media source of a tile: a different one for each player. */
const sourceOf = (name: string): Promise<string> =>
  tile(name)
    .locator('video')
    .evaluate((video: { readonly currentSrc: string }) => video.currentSrc);

async function untilPlaying(name: string): Promise<void> {
  const before = (await media(name)).currentTime;
  await until(`${name} plays`, async () => {
    const { currentTime, readyState, paused } = await media(name);
    return !paused && readyState >= 3 && currentTime > before + 0.5;
  });
}

describe('the wall in a browser', () => {
  it('plays every stream near the live edge, with its data and audio meters, without violating the content security policy', async () => {
    await open(shared);
    await untilPlaying('one');
    await untilPlaying('two');
    await until('the facts of the stream are shown', async () => {
      const text = (await tile('one').textContent()) ?? '';
      return ['LIVE', 'First', '25 fps', '320×180', 'H.264', 'AAC stereo'].every((word) => text.includes(word));
    });
    await until('the latency is under two seconds', async () => {
      const seconds = Number(
        /LAT ([\d.]+) s/.exec((await tile('one').locator('.timing').textContent()) ?? '')?.[1] ?? Number.NaN,
      );
      return seconds > 0 && seconds < 2;
    });
    // The meters are green at the bottom: they show a level although the tile is muted.
    await until('the bars show a level', () =>
      tile('two')
        .locator('canvas:not(.still)')
        .evaluate(
          (canvas: {
            width: number;
            height: number;
            getContext(kind: '2d'): {
              getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray };
            };
          }) => {
            const { data } = canvas
              .getContext('2d')
              .getImageData(Math.round(canvas.width / 4), canvas.height - 6, 1, 1);
            return (data[1] ?? 0) > 150;
          },
        ),
    );
    expect(await tile('one').getByRole('button', { pressed: true }).count()).toBe(0);
    // All media came over the WebSocket of the desk, and the wall does not count as a viewer.
    expect(requests).toEqual([]);
    const sessions = await fetch(`${shared.url}mediaserver/api/v3/sessions`);
    expect(await sessions.json()).toMatchObject({ sessions: [] });
    expect(complaints).toEqual([]);
  });

  it('pauses hidden tiles while one tile is shown alone, and resumes them afterwards', async () => {
    await open(shared);
    await untilPlaying('one');
    await untilPlaying('two');
    await tile('one').dblclick();
    await until('the hidden tile is paused', async () => (await media('two')).paused);
    const kept = await sourceOf('two');
    await until('one feed is left', () => Promise.resolve([...feeds.values()].join() === 'one'));
    pushed = [];
    await until('it has received some parts', () => Promise.resolve(pushed.length > 8));
    expect(new Set(pushed)).toEqual(new Set(feeds.keys()));
    await page.keyboard.press('Escape');
    await untilPlaying('two');
    expect(await sourceOf('two')).toBe(kept);
    expect(await tile('two').locator('video').isVisible()).toBe(true);
  });

  it('keeps the players of tiles on another page without loading media, and resumes them', async () => {
    await open(shared);
    await untilPlaying('one');
    await page.keyboard.press('Shift+Digit1');
    const kept = await sourceOf('one');
    await page.keyboard.press('PageDown');
    await untilPlaying('two');
    await until('one feed is left', () => Promise.resolve([...feeds.values()].join() === 'two'));
    // A busy browser pauses the player a moment later.
    await until('the player of the page that was left is paused', async () => (await media('one')).paused);
    await page.keyboard.press('PageUp');
    await untilPlaying('one');
    expect(await sourceOf('one')).toBe(kept);
  });

  it('unmutes one tile at a time', async () => {
    await open(shared);
    await untilPlaying('two');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('s');
    await until(
      'the second tile is heard',
      async () => (await tile('two').getByRole('button', { pressed: true }).count()) === 1,
    );
    expect(await tile('one').getByRole('button', { pressed: true }).count()).toBe(0);
  });

  it('shows a lost connection, and resumes playback when the server is back', async () => {
    await open(shared);
    await untilPlaying('one');
    await shared.kill();
    await page.getByText('Connection lost').waitFor();
    expect(await page.locator('article').count()).toBe(2);
    await shared.run();
    await page.getByText('Connection lost').waitFor({ state: 'hidden' });
    await untilPlaying('one');
    // The next input has pictures of another size, which are shown in the same tile.
    await shared.put('two', { inputs: [{ url: 'fake://?width=640&height=360&bitrate=200' }] });
    await until('the server has the second input', async () => {
      const select = `${shared.url}mediaserver/api/v3/streams/two/inputs/1/select`;
      return (await fetch(select, { method: 'POST' })).ok;
    });
    await until('the other pictures are shown', () =>
      tile('two')
        .locator('video')
        .evaluate((video: { videoWidth: number }) => video.videoWidth === 640),
    );
    await untilPlaying('two');
    expect(requests).toEqual([]);
  });

  it('adds a stream, shows an error next to its field, and removes and restores the stream', async () => {
    await open(shared);
    await tile('one').waitFor();
    // Editing keys work once the server has confirmed the operator's rights.
    await page.getByTitle('Add stream (A)').waitFor();
    await page.keyboard.press('a');
    await page.locator('[data-test=address] input').fill('fake://?width=320&height=180');
    await page.locator('[data-test=name] input').fill('one');
    await page.locator('[data-test=add]').click();
    await page.locator('[data-test=name] [role=alert]', { hasText: 'Choose another name' }).waitFor();
    await page.locator('[data-test=name] input').fill('three');
    await page.locator('[data-test=add]').click();
    await until('the new tile is selected', async () => (await tile('three').getAttribute('aria-current')) === 'true');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await page.keyboard.press('Delete');
    await page.locator('[data-test=confirm]').click();
    await tile('three').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await tile('three').waitFor();
    expect(await page.locator('article').count()).toBe(3);
  });

  it('opens the log with the start of a stream, and from an event the stream', async () => {
    await open(shared);
    await page.getByRole('link', { name: 'Log' }).click();
    // Only visible rows are in the page, and a slow machine has logged more events since.
    await page.getByLabel('Text').fill('stream_opened');
    const started = page.locator('.rows .row', { hasText: 'started' }).first();
    await started.waitFor().catch(async (cause: unknown) => {
      throw new Error(`no start at ${page.url()}: ${await page.locator('body').innerText()} ${errors.join()}`, {
        cause,
      });
    });
    await started.click();
    const media = await page.locator('.rows [aria-selected=true] .media').textContent();
    await page.getByRole('link', { name: 'Show on the wall' }).click();
    await page.waitForURL((url) => url.hash === `#/wall?solo=${media}`);
    await page.reload();
    await page.locator(`article[data-stream="${media}"]`).waitFor();
    expect(await page.locator('article:visible').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('saves a wall with dragged tiles, and recalls it by its key on another desk', async () => {
    const places = async (): Promise<string> =>
      (await page.locator('article .name').allTextContents()).map((text) => text.trim()).join();
    await open(shared);
    await tile('two').waitFor();
    const before = await places();
    await page.locator('.cell').nth(0).dragTo(page.locator('.cell').nth(1));
    const swapped = before.replace(/^([^,]+),([^,]+)/, '$2,$1');
    expect(await places()).toBe(swapped);
    await page.getByRole('button', { name: 'All streams' }).click();
    await page.getByLabel('Name of this wall').fill('Gallery');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Gallery' }).waitFor();
    await page.close();
    await open(shared);
    await tile('two').waitFor();
    expect(await places()).toBe(before);
    await until('the key recalls the wall', async () => {
      await page.keyboard.press('F1');
      return (await places()) === swapped;
    });
    expect(page.url()).toContain('wall=Gallery');
    await page.getByRole('button', { name: 'Gallery' }).click();
    const [beside] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Open this wall in a new window' }).click(),
    ]);
    await beside.locator('article').first().waitFor();
    expect([beside.url(), await beside.locator('nav').count()]).toEqual([
      expect.stringContaining('#/wall?wall=Gallery&alone=1'),
      0,
    ]);
    await beside.close();

    // Labels of a production system appear on the tile, and the wall that the system recalls is shown.
    const api = `${shared.url}mediaserver/api/v3`;
    const send = (path: string, method: string, body: object): Promise<number> =>
      fetch(`${api}/${path}`, {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }).then(({ status }) => status);
    expect(await send('streams/two/label', 'PUT', { umd: ['CAM 2', 'Gate'], tally: 'red' })).toBe(200);
    await tile('two').getByText('CAM 2').waitFor();
    await tile('two').getByRole('img', { name: 'On air' }).waitFor();
    await page.getByRole('button', { name: 'Gallery' }).click();
    await page.getByRole('button', { name: 'All streams' }).click();
    expect(await send('walls/Gallery/recall', 'POST', {})).toBe(204);
    await page.waitForURL(/wall=Gallery/);
    expect(await send('walls/None/recall', 'POST', {})).toBe(404);
    expect(await send('streams/two/label', 'DELETE', {})).toBe(204);
    await tile('two').getByText('CAM 2').waitFor({ state: 'detached' });
  });

  it('shows the first steps if there are no streams, and pages if there are many', async () => {
    const server = await DeskServer.start('');
    try {
      await open(server);
      await page.getByText('No streams yet').waitFor();
      for (let n = 1; n <= 5; n++) await server.put(`cam${n}`, { inputs: [{ url: 'publish://' }] });
      await tile('cam5').waitFor();
      await page.keyboard.press('Shift+Digit2');
      await tile('cam5').waitFor({ state: 'hidden' });
      await page.keyboard.press('PageDown');
      await tile('cam5').waitFor();
      expect(await page.locator('article:visible').count()).toBe(1);
      expect(await tile('cam5').textContent()).toContain('WAITING');
    } finally {
      await server.dispose();
    }
  });
});
