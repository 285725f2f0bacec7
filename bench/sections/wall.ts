import { startBrowser } from '../../tests/helpers/start-browser.ts';
import { pause, type BenchContext } from '../context.ts';
import { coresDuring } from '../process-cost.ts';
import { alternate, rowsOf, withServer, type Figure } from '../rounds.ts';
import { percentile, type Row } from '../row.ts';
import { openWall, untilPlaying } from '../wall-page.ts';

const TILES = 16;
const WARM_MS = 12_000;
const MEASURE_MS = 15_000;
const QUICK_MEASURE_MS = 10_000;
const POLL_MS = 1000;
/** Maximum delay of a tile of the wall, in milliseconds. */
const MAX_DELAY_MS = 800;

interface WallFigures {
  readonly delayMs: number;
  readonly cores: number;
  readonly allPlayMs: number;
}

const NOTE = 'peer: hls.js in the same tiles';
const FIGURES: readonly Figure<WallFigures>[] = [
  {
    name: `${TILES} tiles: distance from live (95 %)`,
    unit: 'ms',
    target: MAX_DELAY_MS,
    note: NOTE,
    of: ({ delayMs }) => delayMs,
  },
  { name: `${TILES} tiles: browser and server`, unit: 'cores', target: 'peer', note: NOTE, of: ({ cores }) => cores },
  {
    name: `${TILES} tiles: time until all play`,
    unit: 'ms',
    target: 'peer',
    note: NOTE,
    of: ({ allPlayMs }) => allPlayMs,
  },
];

/** Plays sixteen tiles of the desk in Chromium, alternately with the feed of the desk and with hls.js. */
export async function wall(context: BenchContext): Promise<Row[]> {
  const streams = Array.from(
    { length: TILES },
    (_, at) => `stream cam${at} { input fake://?width=640&height=360&bitrate=800; }`,
  );
  return withServer(context.ours, streams.join('\n'), async ({ httpPort }) => {
    const measured = await alternate(context, {
      title: `wall: ${TILES} tiles`,
      count: context.isQuick ? 1 : 3,
      ours: () => measure(context, httpPort, false),
      peer: () => measure(context, httpPort, true),
    });
    return rowsOf('wall', measured, FIGURES);
  });
}

async function measure(context: BenchContext, port: number, isHls: boolean): Promise<WallFigures> {
  const browser = await startBrowser();
  try {
    const startMs = Date.now();
    // All tiles play video, even if they are late.
    const page = await openWall(browser, { port, pictures: 'video', isHls });
    await untilPlaying(page, TILES);
    const allPlayMs = Date.now() - startMs;
    await pause(WARM_MS);
    const delays: number[] = [];
    // Browser, this process and the server. The latter two are in both compared figures.
    const cores = await coresDuring([process.pid], async () => {
      const endMs = Date.now() + (context.isQuick ? QUICK_MEASURE_MS : MEASURE_MS);
      while (Date.now() < endMs) {
        await pause(POLL_MS);
        const texts = await page.locator('.timing').allTextContents();
        delays.push(...texts.map((text) => Number(/LAT ([\d.]+)/.exec(text)?.[1] ?? Number.NaN) * 1000));
      }
    });
    return { delayMs: percentile(delays.filter(Number.isFinite), 0.95), cores, allPlayMs };
  } finally {
    await browser.close();
  }
}
