import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { encodeNumbered, READABLE_SIZE } from '../../tests/helpers/numbered-media.ts';
import { startBrowser } from '../../tests/helpers/start-browser.ts';
import { pause, type BenchContext } from '../context.ts';
import { percentile, type Row } from '../row.ts';

/** As many as there may be on one timeline. */
const STREAMS = 9;
const SECONDS = 45;
/** So long it plays; judged is what comes after the first seconds, in which some wait for others. */
const PLAY_MS = 24_000;
const SETTLED_MS = 6000;
const WAIT_MS = 60_000;

/** Nine recorded streams of 25 pictures a second that play in step: how many pictures are between the first and the last, by the numbers in them. */
export async function inStep(context: BenchContext): Promise<Row[]> {
  const folder = join(context.workFolder, 'in-step');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'programme.mp4');
  encodeNumbered(file, { seconds: SECONDS, seed: 1, size: READABLE_SIZE });
  const names = Array.from({ length: STREAMS }, (_, at) => `cam${at}`);
  const copies = names.map((name) => `stream ${name} { input copy://origin; dvr @main 1d; segment_duration 1; }`);
  const config = [`dvr main { root ${folder}; }`, 'stream origin { input publish://; }', ...copies].join('\n');
  const ours = await context.ours.start(config);
  const url = `http://127.0.0.1:${ours.httpPort}/`;
  const browser = await startBrowser();
  try {
    const begunMs = Date.now();
    const send = ['-v', 'error', '-nostdin', '-re', '-i', file, '-c', 'copy', '-f', 'mpegts', '-method', 'POST'];
    const encoder = spawn('ffmpeg', [...send, '-chunked_post', '1', `${url}origin/mpegts`], { stdio: 'ignore' });
    await once(encoder, 'exit');
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${url}#/archive?stream=${names.join()}&at=${new Date(begunMs + 8000).toISOString()}`);
    await areReady(page);
    // Copies begin one after the other, so that a moment of theirs is up to two pictures off: by what they show at one moment while they stand.
    const standing = (await numbersOf(page, 0))[0]?.numbers ?? [];
    await page.keyboard.press('l');
    const seen = await numbersOf(page, PLAY_MS);
    const apartOf = (numbers: readonly number[]): number => {
      const own = numbers.map((number, at) => number - (standing[at] ?? 0));
      return Math.max(...own) - Math.min(...own);
    };
    const within = (from: number): typeof seen => seen.filter(({ atMs }) => atMs >= from);
    const early = seen.filter(({ atMs }) => atMs < SETTLED_MS).map(({ numbers }) => apartOf(numbers));
    const settled = within(SETTLED_MS).map(({ numbers }) => apartOf(numbers));
    const drifts = within(SETTLED_MS).map(({ driftMs }) => driftMs);
    const row = (name: string, ours: number): Row => ({
      ...{ section: 'in-step', name, unit: 'pictures', ours, better: 'lower', target: 1 },
    });
    return [
      row(`${STREAMS} streams of 25/s in the first ${SETTLED_MS / 1000} s: apart (95 %)`, percentile(early, 0.95)),
      {
        ...row('after that: apart (95 %)', percentile(settled, 0.95)),
        note: `middle ${percentile(settled, 0.5)}, most ${Math.max(...settled)}, ${settled.length} looks; places of the players: middle ${percentile(drifts, 0.5)} ms, 95 % ${percentile(drifts, 0.95)} ms apart`,
      },
    ];
  } finally {
    await browser.close();
    await ours.stop();
  }
}

async function areReady(page: Page): Promise<void> {
  const condition = `document.querySelectorAll('figure').length === ${STREAMS} && [...document.querySelectorAll('figure')].every((one) => one.dataset.state === 'ready' && !one.querySelector('video').seeking)`;
  for (let waited = 0; !(await page.evaluate<boolean>(condition)); waited += 200) {
    if (waited > WAIT_MS) throw new Error('the pictures did not come');
    await pause(200);
  }
}

/** What is shown at one moment. */
interface Look {
  readonly atMs: number;
  readonly driftMs: number;
  readonly numbers: number[];
}

/** The numbers of the pictures that are shown at the same moment, ten times a second. */
async function numbersOf(page: Page, lastsMs: number): Promise<Look[]> {
  return page.evaluate<Look[]>(`new Promise((done) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [${READABLE_SIZE.width}, ${STREAMS}];
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const readAll = (videos) => {
      // A line of each: all are drawn before one of them is read, which takes longer.
      videos.forEach((video, at) => context.drawImage(video, 0, 8, canvas.width, 1, 0, at, canvas.width, 1));
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const bit = (row, at) => (data[(row * canvas.width + at * 10 + 5) * 4] > 127 ? 2 ** at : 0);
      return videos.map((_, row) => Array.from({ length: 13 }, (_, at) => bit(row, at)).reduce((a, b) => a + b));
    };
    const [seen, startMs, videos] = [[], performance.now(), [...document.querySelectorAll('figure video')]];
    const look = () => {
      const atMs = performance.now() - startMs;
      // As the page says it.
      const driftMs = parseInt(document.querySelector('[data-test=drift]')?.textContent ?? '0') || 0;
      seen.push({ atMs, driftMs, numbers: readAll(videos) });
      if (atMs < ${lastsMs}) setTimeout(look, 100);
      else done(seen);
    };
    setTimeout(look, 500);
  })`);
}
