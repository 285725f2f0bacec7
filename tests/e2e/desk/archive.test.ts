import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkSums } from '../../helpers/check-sums.ts';
import { decodedFrames } from '../../helpers/decoded-frames.ts';
import { differenceOf, greyIn, greyOf } from '../../helpers/desk/grey-picture.ts';
import { startBrowser } from '../../helpers/start-browser.ts';
import { until } from '../../helpers/until.ts';
import { writeArchive } from '../../helpers/written-archive.ts';
import { DeskServer } from './desk-server.ts';
import { shootDesk } from './desk-shot.ts';
import { DeskTrace } from './desk-trace.ts';

/** Recording of an hour with a gap of half a minute; its pictures contain their number. */
const MINUTE = 60_000;
const FRAME_MS = 200;
const SIZE = { width: 160, height: 90 };
/** The gap begins and ends in the same minute, so two blocks have the same name but for its suffix. */
const START = Math.floor((Date.now() - 90 * MINUTE) / MINUTE) * MINUTE + 15_000;
/**
 * Names of seven further streams, recorded for some minutes: with `gate` and `yard` they are nine, the maximum on one
 * timeline.
 */
const MORE = Array.from({ length: 7 }, (_, at) => `cam${at + 1}`);
const GAP = { from: START + 20 * MINUTE, to: START + 20.5 * MINUTE };
let server: DeskServer;
let browser: Browser;
let page: Page;
let trace: DeskTrace;
const errors: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([
    DeskServer.start('dvr main { root archive; }\nvod clips { storage clips; }'),
    startBrowser(),
  ]);
  const root = join(server.folder, 'data/archive');
  await writeArchive(root, 'gate', START, 20 * 60);
  await writeArchive(root, 'gate', GAP.to, 39.5 * 60);
  for (const name of [...MORE, 'sizes']) {
    const lines = name === 'sizes' ? [360, 180, 90] : 180;
    await writeArchive(root, name, START, [{ seconds: 6 * 60, lines }]);
  }
  await writeArchive(root, 'yard', START, 12 * 60);
  // A stream that is recorded during the gap.
  await writeArchive(root, 'side', GAP.from - MINUTE, 3 * 60);
  for (const name of ['gate', 'yard', 'side', ...MORE, 'sizes'])
    await server.put(name, { inputs: [{ url: 'publish://' }], dvr: { root: '@main', expiration: 604_800 } });
  await fetch(`${server.url}streamer/api-v4/dvr/rebuild-index`, { method: 'POST' });
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.on('pageerror', (error) => errors.push(error.message));
  trace = new DeskTrace(page);
});
afterAll(async () => {
  await browser.close();
  await server.dispose();
});

const shot = (name: string): Promise<void> => shootDesk(page, name);
const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const isReady = async (): Promise<boolean> =>
  page.evaluate<boolean>(
    `[...document.querySelectorAll('figure')].every((one) => one.dataset.state === 'ready' && !one.querySelector('video').seeking)`,
  );
/** Picture of a player, as grey pixels. */
const videoOf = (at: number): string => `document.querySelectorAll('figure video')[${at}]`;
const grey = async (): Promise<Uint8Array> => greyOf(page, videoOf(0), SIZE);
/** Types a time, and waits for its picture. */
async function goTo(ms: number): Promise<void> {
  const entry = page.locator('[data-test=time]');
  await entry.fill(new Date(ms).toISOString());
  await entry.press('Enter');
  const isShown = async (): Promise<boolean> => (await isReady()) && Math.abs((await shownAt()) - ms) < FRAME_MS;
  // The time code changes at once, and the player starts to seek when the page is drawn again.
  const isThere = async (): Promise<boolean> => {
    if (!(await isShown())) return false;
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    return isShown();
  };
  await until('the picture', isThere, 20_000, async () => `${new Date(ms).toISOString()} ${await trace.state()}`);
}
/** Time in the time code, on the displayed day. */
async function shownAt(): Promise<number> {
  const [day, code = ''] = await page.evaluate<[string, string]>(
    `[document.querySelector('.day').textContent, document.querySelector('[data-test=time]').value]`,
  );
  return Date.parse(`${day}T${code.slice(0, 8)}Z`) + Number(code.slice(9)) * FRAME_MS;
}
const codeOf = (ms: number): string =>
  `${new Date(ms).toISOString().slice(11, 19)}:0${Math.floor((ms % 1000) / FRAME_MS)}`;
/** Seeks by a click on the timeline; time until the browser shows another picture, in milliseconds. */
const clickAt = async (share: number): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
    const canvas = document.querySelector('.timeline canvas');
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const startMs = performance.now();
    document.querySelector('figure video').requestVideoFrameCallback(() => done(performance.now() - startMs));
    const place = { clientX: left + width * ${share}, clientY: top + height - 10, button: 0, pointerId: 7, bubbles: true };
    canvas.setPointerCapture = () => undefined;
    for (const type of ['pointerdown', 'pointerup']) canvas.dispatchEvent(new PointerEvent(type, place));
  })`);

it('seeks to a moment, and exports a clip with exactly the selected pictures', async () => {
  await page.goto(`${server.url}#/archive`);
  await page.locator('[data-test=zone]').click();
  await until('the archive', async () => (await page.locator('[data-test=stream] option').count()) === 12, 30_000);
  await page.locator('[data-test=stream]').selectOption('gate');
  await until('a picture', isReady, 20_000);
  await shot('archive');

  // The timeline shows an hour, so most clicks are far from the open position.
  const seeks: number[] = [];
  for (let count = 0; count < 15; count++) {
    seeks.push(await clickAt(0.03 + ((count * 0.37) % 0.6)));
    await until('the picture', isReady, 30_000);
  }
  const median = seeks.sort((a, b) => a - b)[7]!;
  expect(median, seeks.join()).toBeLessThan(600);

  // A gap is skipped.
  await page.locator('[data-test=time]').fill(new Date(GAP.from + 10_000).toISOString());
  await page.locator('[data-test=time]').press('Enter');
  await until('the picture after the gap', async () => Math.abs((await shownAt()) - GAP.to) <= 2 * FRAME_MS, 20_000);

  // A time typed during playback replaces the old value completely.
  const from = START + 7 * MINUTE + 3400;
  await page.keyboard.press('l');
  await page.locator('[data-test=time]').click();
  const currentTime = (): Promise<number> =>
    page.evaluate<number>(`document.querySelector('figure video').currentTime`);
  const before = await currentTime();
  await until('other pictures', async () => (await currentTime()) > before + 1, 20_000);
  await page.keyboard.type(new Date(from).toISOString());
  await page.keyboard.press('Enter');
  await page.keyboard.press('k');
  const isNear = async (): Promise<boolean> => Math.abs((await shownAt()) - from) < 5000;
  await until('the time that was typed', isNear, 30_000, async () => trace.state());

  // Selects seven pictures: the in point, and six steps to the out point.
  await goTo(from);
  const places = (): Promise<unknown[]> =>
    Promise.all(['in', 'out', 'note', 'exports'].map((name) => page.locator(`[data-test=${name}]`).boundingBox()));
  const placesBefore = await places();
  await page.keyboard.press('i');
  const first = await grey();
  for (let step = 1; step <= 6; step++) {
    const before = await shownAt();
    await page.keyboard.press('ArrowRight');
    await until('the next picture', async () => (await isReady()) && (await shownAt()) - before === FRAME_MS, 30_000);
  }
  await page.keyboard.press('o');
  const last = await grey();
  expect(differenceOf(first, last)).toBeGreaterThan(2);
  await page.getByText('1.4 s').waitFor();
  // Setting the points moves no button under the pointer.
  expect(await places()).toEqual(placesBefore);
  await shot('archive-selected');

  await page.keyboard.press('e');
  await page.locator('[data-test=place]').selectOption('vod:clips');
  await page.getByRole('textbox', { name: 'Name' }).fill('case/gate');
  await shot('archive-export');
  await page.locator('[data-test=start]').click();
  await page.locator('li[data-status=done]').waitFor({ timeout: 30_000 });
  await shot('archive-exports');
  const path = await page.locator('li[data-status=done] dt').innerText();
  expect(path).toMatch(/clips\/case\/gate\.mp4$/);
  const bytes = readFileSync(path);
  await page.getByText(createHash('sha256').update(bytes).digest('hex')).waitFor();
  expect(decodedFrames(bytes, 'mp4').video).toHaveLength(7);
  const scale = `scale=${SIZE.width}:${SIZE.height}:flags=area`;
  const args = ['-v', 'error', '-i', path, '-map', '0:v', '-vf', scale, '-pix_fmt', 'gray', '-f', 'rawvideo', '-'];
  const raw = execFileSync('ffmpeg', [...args.slice(0, -1), '-fps_mode', 'passthrough', '-']);
  const pixels = SIZE.width * SIZE.height;
  const pictures = Array.from({ length: 7 }, (_, at) => raw.subarray(at * pixels, (at + 1) * pixels));
  const nearest = (shown: Uint8Array): number => {
    const all = pictures.map((picture) => differenceOf(shown, picture));
    return all.indexOf(Math.min(...all));
  };
  expect([nearest(first), nearest(last)]).toEqual([0, 6]);
  expect(errors).toEqual([]);
}, 120_000);

it('sets in and out points at the requested pictures, even if the browser displays them late', async () => {
  // A busy browser reports late which picture it has drawn.
  const slow = `(() => {
    const own = HTMLVideoElement.prototype.requestVideoFrameCallback;
    HTMLVideoElement.prototype.requestVideoFrameCallback = function (run) {
      return own.call(this, (...args) => setTimeout(() => run(...args), 700));
    };
    return () => (HTMLVideoElement.prototype.requestVideoFrameCallback = own);
  })`;
  await page.keyboard.press('Escape');
  await page.locator('[role=dialog]').waitFor({ state: 'detached' });
  await page.keyboard.press('x');
  await page.evaluate(`window.restoreCallbacks = ${slow}()`);
  const entry = page.locator('[data-test=time]');
  // Steps near the position, where pictures are loaded, and far away. No key waits for a picture.
  for (const at of [START + 7 * MINUTE + 8000, START + 35 * MINUTE + 3400, START + 7 * MINUTE + 2000]) {
    await entry.fill(new Date(at).toISOString());
    await entry.press('Enter');
    await page.keyboard.press('i');
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('o');
    const [from, to] = [at, at + 4 * FRAME_MS].map((ms) => codeOf(ms));
    await page.getByText(`${from} – ${to} · 1.0 s`).waitFor({ timeout: 10_000 });
    await until('the last picture', async () => (await isReady()) && (await shownAt()) === at + 4 * FRAME_MS, 20_000);
  }
  await page.evaluate('window.restoreCallbacks()');
  expect(errors).toEqual([]);
}, 60_000);

it('saves a note and a lock, jumps to them, and undoes their removal', async () => {
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await page.getByRole('textbox', { name: 'Note' }).fill('Who is that?');
  await page.keyboard.press('Enter');
  await page.locator('[data-test=lock]').click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('case 12');
  await page.keyboard.press('Enter');
  await page.getByText('gate: this range is locked').waitFor();
  // The page has the focus while the dialog is still closing.
  await goTo(START + 9 * MINUTE);
  await page.keyboard.press('ArrowUp');
  await until('the note', async () => (await shownAt()) < START + 8 * MINUTE, 30_000);
  await page.locator('[data-test=marks]').click();
  await page.getByText('Who is that?').waitFor();
  await shot('archive-marks');
  await page.locator('li', { hasText: 'Who is that?' }).locator('[data-test=remove-mark]').click();
  await press('Undo');
  await page.getByText('Who is that?').waitFor();
  await page.keyboard.press('Escape');
  expect(errors).toEqual([]);
});

it('collects pictures and clips of two streams in a case, and exports a folder with descriptions and hashes', async () => {
  await page.goto(`${server.url}#/archive?stream=gate,yard&at=${new Date(START + 11 * MINUTE).toISOString()}`);
  await until('both pictures', async () => (await page.locator('figure').count()) === 2 && (await isReady()), 20_000);
  const caseChoice = page.locator('[data-test=into]');
  // Picture of both streams, in a new case.
  await page.keyboard.press('x');
  await page.keyboard.press('c');
  await caseChoice.selectOption('');
  await page.getByRole('textbox', { name: 'Title' }).fill('Goal / or not?');
  const description = page.getByRole('textbox', { name: 'Description' });
  await description.fill('before the goal');
  await shot('archive-case-add');
  await description.press('Enter');
  await page.getByText('Added to the case Goal / or not?').waitFor();
  await page.locator('[role=dialog]').waitFor({ state: 'detached' });
  // Adds five pictures of one stream.
  await page.keyboard.press('i');
  for (let step = 0; step < 4; step++) {
    const before = await shownAt();
    await page.keyboard.press('ArrowRight');
    await until('the next picture', async () => (await isReady()) && (await shownAt()) - before === FRAME_MS, 30_000);
  }
  await page.keyboard.press('o');
  await page.keyboard.press('c');
  await page.getByRole('checkbox', { name: 'gate' }).uncheck();
  await page.keyboard.press('Enter');
  await page.locator('[role=dialog]').waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+C');
  await page.locator('[data-test=case]', { hasText: 'Goal / or not?' }).click();
  await until('its items', async () => (await page.locator('[data-test=item]').count()) === 3, 30_000);
  // Moves the clip to the first position.
  for (const at of [2, 1]) await page.locator('[data-test=up]').nth(at).click();
  await page.locator('[data-test=item][data-kind=clip]').first().waitFor();
  await until(
    'the clip first',
    async () => (await page.locator('[data-test=item]').first().getAttribute('data-kind')) === 'clip',
    30_000,
  );
  await page.locator('[data-test=take-out]').nth(2).click();
  await until('the remaining items', async () => (await page.locator('[data-test=item]').count()) === 2, 30_000);
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await until('the restored item', async () => (await page.locator('[data-test=item]').count()) === 3, 30_000);
  await page.locator('[data-test=case-place]').selectOption('vod:clips');
  await page.getByRole('textbox', { name: 'Folder' }).fill('referee/goal');
  await page.locator('[data-test=export-case]').click();
  await page.locator('li[data-status=done]').waitFor({ timeout: 60_000 });
  await page.locator('[data-test=files]').click();
  await shot('archive-case');
  const folder = await page.locator('[data-test=folder] .selectable').innerText();
  expect(folder).toMatch(/clips\/referee\/goal$/);
  expect(checkSums(folder)).toHaveLength(4);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    readonly case: { readonly title: string };
    readonly items: readonly {
      readonly kind: string;
      readonly stream: string;
      readonly text: string;
      readonly files: readonly { readonly name: string; readonly sha256: string }[];
    }[];
  };
  expect(manifest.case.title).toBe('Goal / or not?');
  expect(manifest.items.map(({ kind, stream, text }) => [kind, stream, text])).toEqual([
    ['clip', 'yard', ''],
    ['still', 'gate', 'before the goal'],
    ['still', 'yard', 'before the goal'],
  ]);
  for (const { files } of manifest.items)
    for (const { name, sha256 } of files)
      expect(sha256).toBe(
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      );
  const clip = readFileSync(join(folder, manifest.items[0]?.files[0]?.name ?? ''));
  expect(decodedFrames(clip, 'mp4').video).toHaveLength(5);
  await page.keyboard.press('Escape');
  await page.locator('[role=dialog]').waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
}, 120_000);

it('stays at a moment that one of two streams has recorded, and plays through the gap of the other', async () => {
  await page.goto('about:blank');
  await page.goto(`${server.url}#/archive?stream=gate,side&at=${new Date(GAP.from + 5 * FRAME_MS + 1).toISOString()}`);
  if ((await page.locator('[data-test=zone]').innerText()) !== 'UTC') await page.locator('[data-test=zone]').click();
  const message = page.locator('figure[data-name=gate] .gap');
  const time = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
  const text = async (): Promise<string> => ((await message.count()) > 0 ? message.innerText() : '');
  const isGap = async (): Promise<boolean> =>
    (await text()).startsWith('Not recorded ') && (await text()).endsWith(`–${time(GAP.to)}`);
  await until('the gap', isGap, 20_000, text);
  const isOtherReady = async (): Promise<boolean> =>
    (await page.locator('figure[data-name=side]').getAttribute('data-state')) === 'ready';
  await until('the other picture', isOtherReady, 20_000);
  expect(await shownAt()).toBe(GAP.from + 5 * FRAME_MS);
  await shot('archive-gap');

  /** Plays until a moment, and returns the greatest jump of the time code between two samples. */
  const play = async (toMs: number): Promise<number> => {
    let [last, jump] = [await shownAt(), 0];
    const isThere = async (): Promise<boolean> => {
      const now = await shownAt();
      jump = Math.max(jump, Math.abs(now - last));
      last = now;
      return now >= toMs;
    };
    await until('the moment', isThere, 60_000, async () => trace.state());
    return jump;
  };
  const isPaused = async (name: string): Promise<boolean> =>
    page.evaluate<boolean>(`document.querySelector('figure[data-name=${name}] video').paused`);
  // Into the gap with the first stream, and on with the other.
  const intoMs = GAP.from - 10_000;
  await page.locator('[data-test=time]').fill(new Date(intoMs).toISOString());
  await page.locator('[data-test=time]').press('Enter');
  await until('both pictures', async () => (await isReady()) && (await shownAt()) === intoMs, 20_000);
  expect(await text()).toBe('');
  await page.keyboard.press('l');
  expect(await play(GAP.from + 3000)).toBeLessThan(10_000);
  expect([await isGap(), await isPaused('gate'), await isPaused('side')]).toEqual([true, true, false]);
  // At the end of the gap, the first stream joins.
  await page.locator('[data-test=time]').fill(new Date(GAP.to - 3000).toISOString());
  await page.locator('[data-test=time]').press('Enter');
  await play(GAP.to + 2000);
  await until('both play', async () => !(await isPaused('gate')) && !(await isPaused('side')), 20_000);
  expect(await text()).toBe('');
  await page.keyboard.press('k');
  expect(errors).toEqual([]);
}, 120_000);

it('keeps nine streams in sync to the picture', async () => {
  const names = ['gate', 'yard', ...MORE];
  await page.goto(`${server.url}#/archive?stream=${names.join()}&at=${new Date(START + 5 * MINUTE).toISOString()}`);
  const areReady = async (): Promise<boolean> => (await page.locator('figure').count()) === 9 && (await isReady());
  await until('nine pictures', areReady, 60_000);
  // Mean difference between each other picture and the first.
  const differences = `(async () => {
    const [first, ...others] = await Promise.all([${names.map((_, at) => greyIn(videoOf(at), SIZE)).join()}]);
    return others.map((other) => first.reduce((sum, value, at) => sum + Math.abs(value - other[at]), 0) / first.length);
  })()`;
  for (const one of await page.evaluate<number[]>(differences)) expect(one).toBeLessThan(1);
  await page.keyboard.press('l');
  const samples: number[][] = [];
  // In most samples, each player shows the picture of the first player; around a change of the picture it may differ.
  // Before, some players play faster to catch up.
  await until(
    'streams in sync',
    async () => {
      samples.push(await page.evaluate<number[]>(differences));
      const last = samples.slice(-20);
      return last.length === 20 && names.slice(1).every((_, at) => last.filter((one) => one[at]! < 1).length > 12);
    },
    40_000,
    () => samples.map((one) => one.map(Math.round).join(' ')).join('\n'),
  );
  // Only the audible player decodes audio. Another player that is selected becomes audible, and keeps its position.
  const playersWithAudio = (): Promise<number[]> =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('figure video')].flatMap((one, at) => one.webkitAudioDecodedByteCount > 0 ? [at] : [])`,
    );
  expect(await playersWithAudio()).toEqual([0]);
  const before = await shownAt();
  await page.locator('figure[data-name=yard] figcaption button').click();
  await until(
    'the audio of the other stream',
    async () => (await playersWithAudio()).includes(1) && (await areReady()),
    20_000,
  );
  expect(Math.abs((await shownAt()) - before)).toBeLessThan(20_000);
  await page.keyboard.press('k');
  await shot('archive-nine');
  // A stream with three renditions plays the rendition for its displayed size: among nine pictures, on a phone, and
  // alone.
  const lines = (): Promise<number> =>
    page.evaluate<number>(`document.querySelector('figure[data-name=sizes] video')?.videoHeight ?? 0`);
  const open = async (streams: readonly string[], minute: number): Promise<void> => {
    // A separate page, because loaded media stays when a picture becomes smaller.
    await page.goto('about:blank');
    await page.goto(
      `${server.url}#/archive?stream=${streams.join()}&at=${new Date(START + minute * MINUTE).toISOString()}`,
    );
  };
  const nine = [...names.slice(0, 8), 'sizes'];
  await open(nine, 4);
  await until('a small rendition', async () => (await areReady()) && (await lines()) === 180, 30_000);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(nine, 1);
  await until('the smallest rendition', async () => (await areReady()) && (await lines()) === 90, 30_000);
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(['sizes'], 3);
  await until('the largest rendition', async () => (await isReady()) && (await lines()) === 360, 30_000);
  expect(errors).toEqual([]);
}, 120_000);
