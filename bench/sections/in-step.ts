import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { readBlockBox, readBlockBoxStart, writeBlockBox } from '../../src-main/dvr/block/block-box.ts';
import { encodeNumbered, READABLE_SIZE } from '../../tests/helpers/numbered-media.ts';
import { startBrowser } from '../../tests/helpers/start-browser.ts';
import { pause, type BenchContext } from '../context.ts';
import { percentile, type Row } from '../row.ts';

/** Number of streams, which is the maximum on one timeline. */
const STREAMS = 9;
const SECONDS = 45;
/** Duration of playback, in milliseconds. */
const PLAY_MS = 24_000;
/** Start of playback that is measured separately, because players wait for each other in it. */
const SETTLED_MS = 6000;
const WAIT_MS = 60_000;

/**
 * Plays nine recorded streams of 25 pictures per second in sync. Each picture shows its number. Measures the difference
 * between the highest and the lowest number that are shown at the same moment.
 */
export async function inStep(context: BenchContext): Promise<Row[]> {
  const folder = join(context.workFolder, 'in-step');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'programme.mp4');
  encodeNumbered(file, { seconds: SECONDS, seed: 1, size: READABLE_SIZE });
  const names = Array.from({ length: STREAMS }, (_, at) => `cam${at}`);
  const streams = names.map((name) => `stream ${name} { input publish://; dvr @main 1d; segment_duration 1; }`);
  const config = [`dvr main { root ${join(folder, 'archive')}; }`, ...streams].join('\n');
  const ours = await context.ours.start(config);
  const url = `http://127.0.0.1:${ours.httpPort}/`;
  const browser = await startBrowser();
  try {
    const startedMs = Date.now();
    const send = ['-v', 'error', '-nostdin', '-re', '-i', file, '-c', 'copy', '-f', 'mpegts', '-method', 'POST'];
    const encoder = spawn('ffmpeg', [...send, '-chunked_post', '1', `${url}${names[0]}/mpegts`], { stdio: 'ignore' });
    await once(encoder, 'exit');
    await shareArchive(url, join(folder, 'archive'), names);
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${url}#/archive?stream=${names.join()}&at=${new Date(startedMs + 8000).toISOString()}`);
    await areReady(page);
    await page.keyboard.press('l');
    const seen = await numbersOf(page, PLAY_MS);
    const differenceOf = (numbers: readonly number[]): number => Math.max(...numbers) - Math.min(...numbers);
    const within = (from: number): typeof seen => seen.filter(({ atMs }) => atMs >= from);
    const early = seen.filter(({ atMs }) => atMs < SETTLED_MS).map(({ numbers }) => differenceOf(numbers));
    const settled = within(SETTLED_MS).map(({ numbers }) => differenceOf(numbers));
    const drifts = within(SETTLED_MS).map(({ driftMs }) => driftMs);
    const row = (name: string, ours: number): Row => ({
      section: 'in-step',
      name,
      unit: 'pictures',
      ours,
      better: 'lower',
      target: 1,
    });
    const same = (differences: readonly number[]): Row => ({
      section: 'in-step',
      name: 'samples in which all show the same picture',
      unit: '%',
      better: 'higher',
      target: 95,
      ours: (100 * differences.filter((difference) => difference === 0).length) / differences.length,
    });
    return [
      row(`${STREAMS} streams of 25/s in the first ${SETTLED_MS / 1000} s: difference (95 %)`, percentile(early, 0.95)),
      same(early),
      {
        ...row('after that: difference (95 %)', percentile(settled, 0.95)),
        note: `median ${percentile(settled, 0.5)}, maximum ${Math.max(...settled)}, ${settled.length} samples; positions of the players differ by ${percentile(drifts, 0.5)} ms (median), ${percentile(drifts, 0.95)} ms (95 %)`,
      },
      same(settled),
    ];
  } finally {
    await browser.close();
    await ours.stop();
  }
}

/**
 * Copies the recording of the first stream to all streams, so that their pictures start at the same times. Otherwise two
 * different numbers at one moment could be correct.
 */
async function shareArchive(url: string, root: string, [first = '', ...others]: readonly string[]): Promise<void> {
  for (let waited = 0; ; waited += 200) {
    const answer = await fetch(`${url}streamer/api/v3/streams/${first}/dvr/ranges`);
    const { ranges = [] } = (await answer.json()) as { readonly ranges?: readonly { readonly duration: number }[] };
    if (ranges.reduce((sum, { duration }) => sum + duration, 0) > SECONDS - 3) break;
    if (waited > WAIT_MS) throw new Error('the recording did not start');
    await pause(200);
  }
  for (const path of readdirSync(join(root, first), { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.mp4')) continue;
    const block = readFileSync(join(root, first, path));
    for (const name of others) {
      mkdirSync(dirname(join(root, name, path)), { recursive: true });
      writeFileSync(join(root, name, path), renamed(block, first, name));
    }
  }
  await fetch(`${url}streamer/api-v4/dvr/rebuild-index`, { method: 'POST' });
}

/** Copies a block for another stream. Both names must have the same length. */
function renamed(block: Buffer, name: string, other: string): Buffer {
  const at = block.indexOf('uuid') - 4;
  const [before, after] = [block.subarray(0, at), at + (readBlockBoxStart(block.subarray(at))?.sizeBytes ?? 0)];
  const head = readBlockBox('head', block.subarray(at, after), before)?.toString() ?? '';
  const box = writeBlockBox('head', Buffer.from(head.replace(`"${name}"`, `"${other}"`)), before);
  return Buffer.concat([before, box, block.subarray(after)]);
}

async function areReady(page: Page): Promise<void> {
  const condition = `document.querySelectorAll('figure').length === ${STREAMS} && [...document.querySelectorAll('figure')].every((one) => one.dataset.state === 'ready' && !one.querySelector('video').seeking)`;
  for (let waited = 0; !(await page.evaluate<boolean>(condition)); waited += 200) {
    if (waited > WAIT_MS) throw new Error('the pictures were not shown');
    await pause(200);
  }
}

/** Numbers of the pictures shown at one moment. */
interface PictureNumbers {
  readonly atMs: number;
  readonly driftMs: number;
  readonly numbers: number[];
}

/**
 * Reads the numbers of the pictures that are shown at the same moment, about ten times per second. The interval is no
 * multiple of the duration of a picture, so that all phases of a picture are sampled.
 */
async function numbersOf(page: Page, durationMs: number): Promise<PictureNumbers[]> {
  return page.evaluate<PictureNumbers[]>(`new Promise((done) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [${READABLE_SIZE.width}, ${STREAMS}];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const readAll = (videos) => {
      // Draws one line of each picture. All are drawn before the first is read, because reading takes longer.
      videos.forEach((video, at) => context.drawImage(video, 0, 8, canvas.width, 1, 0, at, canvas.width, 1));
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const bit = (row, at) => (data[(row * canvas.width + at * 10 + 5) * 4] > 127 ? 2 ** at : 0);
      return videos.map((_, row) => Array.from({ length: 13 }, (_, at) => bit(row, at)).reduce((a, b) => a + b));
    };
    const [seen, startMs, videos] = [[], performance.now(), [...document.querySelectorAll('figure video')]];
    const sample = () => {
      const atMs = performance.now() - startMs;
      // Drift as displayed on the page.
      const driftMs = parseInt(document.querySelector('[data-test=drift]')?.textContent ?? '0') || 0;
      seen.push({ atMs, driftMs, numbers: readAll(videos) });
      if (atMs < ${durationMs}) setTimeout(sample, 60 + 80 * Math.random());
      else done(seen);
    };
    setTimeout(sample, 500);
  })`);
}
