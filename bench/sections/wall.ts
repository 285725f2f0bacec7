import { startBrowser } from '../../tests/helpers/start-browser.ts';
import { pause, type BenchContext } from '../context.ts';
import { cpuSeconds } from '../process-cost.ts';
import { figuresOf, percentile, type Row } from '../row.ts';
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

/** Plays sixteen tiles of the desk in Chromium, alternately with the feed of the desk and with hls.js. */
export async function wall(context: BenchContext): Promise<Row[]> {
  const streams = Array.from(
    { length: TILES },
    (_, at) => `stream cam${at} { input fake://?width=640&height=360&bitrate=800; }`,
  );
  const ours = await context.ours.start(streams.join('\n'));
  try {
    const feed: WallFigures[] = [];
    const hls: WallFigures[] = [];
    const rounds = context.isQuick ? 1 : 3;
    for (let round = 1; round <= rounds; round++) {
      context.say(`wall: ${TILES} tiles, round ${round}`);
      feed.push(await measure(context, ours.httpPort, false));
      hls.push(await measure(context, ours.httpPort, true));
    }
    const row = (name: string, unit: string, figure: (one: WallFigures) => number, target: Row['target']): Row => ({
      section: 'wall',
      name: `${TILES} tiles: ${name}`,
      unit,
      ...figuresOf(feed.map(figure), hls.map(figure)),
      better: 'lower',
      target,
      note: 'peer: hls.js in the same tiles',
    });
    return [
      row('distance from live (95 %)', 'ms', ({ delayMs }) => delayMs, MAX_DELAY_MS),
      row('browser and server', 'cores', ({ cores }) => cores, 'peer'),
      row('time until all play', 'ms', ({ allPlayMs }) => allPlayMs, 'peer'),
    ];
  } finally {
    await ours.stop();
  }
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
    // Processor time of the browser, this process and the server. The latter two are in both compared figures.
    const used = (): number => cpuSeconds(process.pid);
    const [fromCpu, fromMs] = [used(), Date.now()];
    const delays: number[] = [];
    while (Date.now() - fromMs < (context.isQuick ? QUICK_MEASURE_MS : MEASURE_MS)) {
      await pause(POLL_MS);
      const texts = await page.locator('.timing').allTextContents();
      delays.push(...texts.map((text) => Number(/LAT ([\d.]+)/.exec(text)?.[1] ?? Number.NaN) * 1000));
    }
    const cores = (used() - fromCpu) / ((Date.now() - fromMs) / 1000);
    return { delayMs: percentile(delays.filter(Number.isFinite), 0.95), cores, allPlayMs };
  } finally {
    await browser.close();
  }
}
