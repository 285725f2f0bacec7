import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../helpers/start-browser.ts';
import { freePort } from '../../helpers/free-port.ts';
import { until } from '../../helpers/until.ts';
import { DeskServer } from './desk-server.ts';

const WAIT_MS = 40_000;
const FAKE = 'fake://?width=320&height=180&bitrate=200';
/** Red of an alarm, white of the selection, as [red, green, blue]. */
const RED = [211, 38, 43];
const WHITE = [255, 255, 255];

let browser: Browser;
let page: Page;
let server: DeskServer;

beforeAll(async () => {
  const [rtmp, silent] = await Promise.all([freePort(), freePort()]);
  const started = DeskServer.start(
    `rtmp 127.0.0.1:${rtmp};\n# the road\nstream road { input udp://127.0.0.1:${silent} priority=1 source_timeout=3; input ${FAKE} priority=2; }\n` +
      `stream enc1 { input publish://; password s3cret; }\nstream van { input publish://; alarm no_input critical raise=1s; }\n`,
  );
  [server, browser] = await Promise.all([started, startBrowser()]);
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await Promise.all([
    page.goto(server.url),
    publish(`rtmp://127.0.0.1:${rtmp}/static/enc1?password=wrong`),
    publish(`rtmp://127.0.0.1:${rtmp}/static/van`),
  ]);
});

afterAll(async () => {
  await browser.close();
  await server.dispose();
});

/** Publishes two seconds of video; resolves when the encoder has ended. */
async function publish(url: string): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-t', '2', '-c:v', 'libx264', '-g', '25'];
  await once(
    spawn('ffmpeg', ['-v', 'quiet', '-nostdin', '-re', ...picture, '-f', 'flv', url], { stdio: 'ignore' }),
    'exit',
  );
}

const tile = (name: string): Locator => page.locator(`article[data-stream="${name}"]`);

/** Colour at a place of a tile, in pixels from the upper edge in its middle. */
async function colour(name: string, fromTop: number): Promise<number[]> {
  const box = await tile(name).boundingBox();
  if (!box) throw new Error(`${name} is not shown`);
  const clip = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y) + fromTop, width: 1, height: 1 };
  const png = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate<number[]>(`(async () => {
    const picture = new Image();
    picture.src = 'data:image/png;base64,${png}';
    await picture.decode();
    const context = document.createElement('canvas').getContext('2d');
    context.drawImage(picture, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  })()`);
}

/** Names of controls that are out of sight or overlap other controls. */
const CLASHES = `(() => {
  // A page scrolls: a control out of sight overlaps nothing.
  const inSight = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const page = one.closest('main')?.getBoundingClientRect();
    return { left, right, top: Math.max(top, page?.top ?? top), bottom: Math.min(bottom, page?.bottom ?? bottom) };
  };
  const controls = [...document.querySelectorAll('button, a[href]')]
    .filter((one) => !one.closest('.toasts'))
    .map((one) => ({ name: one.title || one.textContent, box: inSight(one) }))
    .filter(({ box }) => box.right > box.left && box.bottom > box.top);
  const isOver = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
  const outside = controls.filter(({ box }) => box.left < 0 || box.right > innerWidth).map(({ name }) => name);
  const over = controls.flatMap((a, index) =>
    controls.slice(index + 1).filter((b) => isOver(a.box, b.box)).map((b) => a.name + ' and ' + b.name));
  return [...wide, ...outside, ...over];
})()`;

/** Texts and buttons of the tile of a lost stream that are cut off, or covered by the text of the alarm. */
const HIDDEN_TEXTS = `(() => {
  const tile = document.querySelector('article[data-stream=van]');
  const box = (one) => one.getBoundingClientRect();
  const [picture, sign] = ['.picture', '.alarm .symbol'].map((part) => box(tile.querySelector(part)));
  const words = [...tile.querySelectorAll('.caption > *')].filter((one) => box(one).width > 0);
  return [...words, ...tile.querySelectorAll('.actions button')]
    .filter((one) => {
      const { left, right, top, bottom } = box(one);
      const isCut = left < picture.left || right > picture.right || top < picture.top || bottom > picture.bottom;
      return isCut || (top < sign.bottom - 1 && left < sign.right && right > sign.left) || one.scrollWidth > one.clientWidth + 1;
    })
    .map((one) => one.title || one.textContent)
    .concat(words.length === 0 ? ['nothing'] : []);
})()`;

describe('the wall', () => {
  it('shows in a tile that a reserve is on air, and why', async () => {
    const lamp = tile('road').locator('[data-test=input-lamp]');
    await lamp.filter({ hasText: '2/2 RESERVE' }).waitFor({ timeout: WAIT_MS });
    await tile('road').dblclick();
    await tile('road').getByText('The input sent no frames in time').first().waitFor({ timeout: WAIT_MS });
    await page.keyboard.press('Escape');
  });

  it('shows that an encoder was refused, above the message that the stream waits for an encoder', async () => {
    await tile('enc1').getByText('Encoder refused').first().waitFor({ timeout: WAIT_MS });
    const text = (await tile('enc1').textContent()) ?? '';
    expect(text).toMatch(/Encoder refused.*password for publishing is missing or wrong.*Waiting for an encoder/);
    expect(text).toContain('REFUSED');
  });

  it('draws the frame of an alarm inside the frame of the selection', async () => {
    await tile('van').getByText('Signal lost').waitFor({ timeout: WAIT_MS });
    await tile('van').locator('.alarm .symbol').waitFor({ timeout: WAIT_MS });
    await tile('road').click();
    expect(await colour('van', 1)).toEqual(RED);
    await tile('van').click();
    await until('selection', async () => (await tile('van').getAttribute('aria-current')) === 'true', WAIT_MS);
    expect(await colour('van', 1)).toEqual(RED);
    expect(await colour('van', -2)).toEqual(WHITE);
  });

  it('shows an alarm and its duration in the smallest tile without cut or overlapping text', async () => {
    await page.setViewportSize({ width: 640, height: 360 });
    for (const keys of ['Shift+Digit2', 'Shift+Digit4']) {
      await page.keyboard.press(keys);
      await tile('van').locator('.alarm .symbol').waitFor();
      expect(await page.evaluate<readonly string[]>(HIDDEN_TEXTS)).toEqual([]);
    }
    await page.keyboard.press('Shift+Digit0');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('restores a removed stream with its exact text and its place', async () => {
    const path = join(server.folder, 'airdesk.conf');
    const before = readFileSync(path, 'utf8');
    const places = (): Promise<(string | null)[]> =>
      page
        .locator('article')
        .evaluateAll((tiles: readonly { getAttribute(name: string): string | null }[]) =>
          tiles.map((one) => one.getAttribute('data-stream')),
        );
    const wall = await places();
    await tile('enc1').click();
    await page.keyboard.press('Delete');
    await page.locator('[data-test=confirm]').click();
    await tile('enc1').waitFor({ state: 'detached' });
    expect(readFileSync(path, 'utf8')).not.toContain('enc1');
    await page.getByRole('button', { name: 'Undo' }).click();
    await tile('enc1').waitFor();
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(await places()).toEqual(wall);
  });

  it('reports that the configuration file changed, compares the versions, and reloads the file', async () => {
    const path = join(server.folder, 'airdesk.conf');
    writeFileSync(path, `${readFileSync(path, 'utf8')}stream added { input ${FAKE}; }\n`);
    await page.locator('[data-test=file-newer]').waitFor({ timeout: WAIT_MS });
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('+ stream added').waitFor();
    await page.locator('[data-test=read-compared]').click();
    await tile('added').waitFor();
    await page.locator('[data-test=file-newer]').waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it.each([
    [390, 844, 1],
    [1280, 800, 2],
  ])('shows every control without overlaps at %i by %i', async (width, height, columns) => {
    await page.setViewportSize({ width, height });
    const lefts = (): Promise<number> =>
      page.evaluate<number>(
        "new Set([...document.querySelectorAll('article')].map((one) => Math.round(one.getBoundingClientRect().left))).size",
      );
    await until(`${columns} columns`, async () => (await lefts()) === columns, WAIT_MS);
    expect(await page.evaluate<string[]>(CLASHES)).toEqual([]);
    // One line of text.
    const bar = await page.locator('header.top-bar').boundingBox();
    expect(bar?.height).toBeLessThan(48);
  });
});
