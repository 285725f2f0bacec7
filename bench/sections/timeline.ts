import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { startBrowser } from '../../tests/helpers/start-browser.ts';
import { writeArchive } from '../../tests/helpers/written-archive.ts';
import { pause, type BenchContext } from '../context.ts';
import { figuresOf, percentile, type Row } from '../row.ts';

const MINUTE_MS = 60_000;
/** Number of streams with a day of gaps, marks and loudness. */
const STREAMS = 25;
const MARKS = 5000;
const DRAW_MS = 10_000;
const FRAMES_A_SECOND = 60;
/** Maximum median time from a click on the timeline to its picture. */
const SEEK_MS = 300;
const SEEKS = 40;
const WAIT_MS = 30_000;
const DRAWING = 'http://timeline.invalid/';

/** Archive timeline in Chromium: its drawing rate, and the time from a click to its picture. */
export async function timeline(context: BenchContext): Promise<Row[]> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, bypassCSP: true });
    context.say(`timeline: a day of ${STREAMS} streams`);
    const drawn = await draw(page, context.isQuick ? DRAW_MS / 3 : DRAW_MS);
    const seeks = await seek(context, page);
    const row = (name: string, unit: string, ours: number, better: Row['better'], target: number): Row => ({
      section: 'timeline',
      name,
      unit,
      ours,
      better,
      target,
    });
    return [
      row(`a day of ${STREAMS} streams, moved: updates`, '1/s', drawn.updates, 'higher', FRAMES_A_SECOND - 1),
      row('one update (95 %)', 'ms', percentile(drawn.costMs, 0.95), 'lower', 1000 / FRAMES_A_SECOND),
      {
        ...row('a click far away: its picture', 'ms', 0, 'lower', SEEK_MS),
        ...figuresOf(seeks),
        note: `95 %: ${Math.round(percentile(seeks, 0.95))} ms`,
      },
    ];
  } finally {
    await browser.close();
  }
}

/** Draws a day that moves by a few pixels per frame, as in the desk. */
async function draw(page: Page, durationMs: number): Promise<{ readonly updates: number; readonly costMs: number[] }> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    // Vue requires this definition outside of an application build.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      lib: {
        entry: join(import.meta.dirname, '../../src-renderer/modules/archive/timeline/timeline-drawing.ts'),
        formats: ['iife'],
        name: 'Timeline',
      },
    },
  });
  const [bundle] = Array.isArray(built) ? built : [built];
  const chunk = bundle && 'output' in bundle ? bundle.output[0] : undefined;
  if (!chunk) throw new Error('the drawing of the timeline was not built');
  // The page needs an address, because pages without an address have no storage for the language.
  await page.route(DRAWING, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<canvas width="1920" height="700"></canvas>' }),
  );
  await page.goto(DRAWING);
  await page.addScriptTag({ content: chunk.code });
  return page.evaluate<{ updates: number; costMs: number[] }>(`new Promise((done, failed) => {
    addEventListener('error', ({ message }) => failed(new Error(message)));
    const [day, now] = [86_400_000, Date.now()];
    const context = document.querySelector('canvas').getContext('2d');
    const levels = Array.from({ length: 1440 }, (_, at) => -30 + 12 * Math.sin(at / 7));
    const lanes = Array.from({ length: ${STREAMS} }, (_, lane) => ({
      name: 'cam' + lane,
      recorded: Array.from({ length: 200 }, (_, at) => ({ from: now - day + (at * day) / 200, to: now - day + ((at + 0.97) * day) / 200 })),
      loudness: { from: now - day, step_ms: 60_000, low: levels.map((one) => one - 6), high: levels },
    }));
    const kinds = ['alarm', 'break', 'note', 'lock'];
    const marks = Array.from({ length: ${MARKS} }, (_, at) => ({
      kind: kinds[at % 4], id: String(at), name: 'cam0', from: now - day + (at * day) / ${MARKS}, to: at % 3 === 0 ? null : now - day + (at * day) / ${MARKS} + 20_000, text: '',
    }));
    const costMs = [];
    const startMs = performance.now();
    const frame = () => {
      const atMs = performance.now();
      const scale = { startMs: now - day + costMs.length * 100, msPerPx: day / 1920 };
      Timeline.drawTimeline(context, { scale, width: 1920, height: 700, zone: 'utc', lanes, marks, inMs: null, outMs: null, atMs: now - day / 2 + costMs.length * 40, nowMs: now, nowLabel: 'now', pointerX: 900 });
      // Reading a pixel waits until the drawing is complete.
      context.getImageData(0, 0, 1, 1);
      costMs.push(performance.now() - atMs);
      if (performance.now() - startMs < ${durationMs}) requestAnimationFrame(frame);
      else done({ updates: costMs.length / ((performance.now() - startMs) / 1000), costMs });
    };
    requestAnimationFrame(frame);
  })`);
}

/** Clicks on an hour of a recorded stream; times until another picture is shown, in milliseconds. */
async function seek(context: BenchContext, page: Page): Promise<number[]> {
  const root = join(context.workFolder, 'timeline-archive');
  mkdirSync(root, { recursive: true });
  await writeArchive(root, 'gate', Math.floor(Date.now() / 1000) * 1000 - 90 * MINUTE_MS, 60 * 60);
  const ours = await context.ours.start(`dvr main { root ${root}; }\nstream gate { input publish://; dvr @main 7d; }`);
  try {
    const url = `http://127.0.0.1:${ours.httpPort}/`;
    await fetch(`${url}streamer/api-v4/dvr/rebuild-index`, { method: 'POST' });
    await page.goto(`${url}#/archive?stream=gate`);
    await isReady(page);
    const seeks: number[] = [];
    for (let count = 0; count < (context.isQuick ? SEEKS / 2 : SEEKS); count++) {
      // Most clicks are far from the open position.
      seeks.push(await clickAt(page, 0.03 + ((count * 0.37) % 0.6)));
      await isReady(page);
      await pause(200);
    }
    return seeks;
  } finally {
    await ours.stop();
  }
}

async function isReady(page: Page): Promise<void> {
  await page.waitForFunction(
    `document.querySelector('figure')?.dataset.state === 'ready' && !document.querySelector('figure video').seeking`,
    undefined,
    { timeout: WAIT_MS },
  );
}

/** Time from a click to the picture of its moment. The first picture that is shown may be another one nearby. */
async function clickAt(page: Page, share: number): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    const canvas = document.querySelector('.timeline canvas');
    const [figure, video] = [document.querySelector('figure'), document.querySelector('figure video')];
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const startMs = performance.now();
    const isReady = () => figure.dataset.state === 'ready' && !video.seeking;
    video.requestVideoFrameCallback(() => {
      const poll = () => (isReady() ? done(performance.now() - startMs) : setTimeout(poll, 2));
      poll();
    });
    const place = { clientX: left + width * ${share}, clientY: top + height - 10, button: 0, pointerId: 7, bubbles: true };
    canvas.setPointerCapture = () => undefined;
    for (const type of ['pointerdown', 'pointerup']) canvas.dispatchEvent(new PointerEvent(type, place));
  })`);
}
