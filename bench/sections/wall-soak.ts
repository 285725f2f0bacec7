import { startBrowser } from '../../tests/helpers/start-browser.ts';
import { pause, type BenchContext } from '../context.ts';
import { ownMegabytes } from '../process-cost.ts';
import { median, type Row } from '../row.ts';
import { openWall, readTiles, untilPlaying } from '../wall-page.ts';

const MINUTES = 60;
const QUICK_MINUTES = 5;
const TILES = 16;
const MINUTE_MS = 60_000;
/** Share of the time after which memory counts as settled. */
const SETTLED = 1 / 3;
/** Share of the time in each of the two compared ranges: after settling, and at the end. */
const COMPARED = 1 / 5;
/** Maximum growth of memory between the two ranges, in percent. */
const GROWTH_PERCENT = 10;

interface Sample {
  readonly browser: number;
  readonly heap: number;
  readonly server: number;
}

/**
 * Memory of browser and server while a wall plays for an hour. `--minutes` and `--tiles` reduce the duration and the load.
 */
export async function wallSoak(context: BenchContext): Promise<Row[]> {
  const minutes = context.minutes ?? (context.isQuick ? QUICK_MINUTES : MINUTES);
  const tiles = context.tiles ?? TILES;
  const streams = Array.from(
    { length: tiles },
    (_, at) => `stream cam${at} { input fake://?width=640&height=360&bitrate=800; }`,
  );
  const ours = await context.ours.start(streams.join('\n'));
  const browser = await startBrowser();
  try {
    const page = await openWall(browser, { port: ours.httpPort, pictures: 'video' });
    await untilPlaying(page, tiles);
    const chromium = await page.context().newCDPSession(page);
    const samples: Sample[] = [];
    let frozen = 0;
    let before = await readTiles(page);
    for (let minute = 1; minute <= minutes; minute++) {
      await pause(MINUTE_MS);
      await chromium.send('HeapProfiler.collectGarbage');
      const { usedSize } = await chromium.send('Runtime.getHeapUsage');
      const server = ownMegabytes(ours.pid);
      samples.push({ server, heap: usedSize / 1e6, browser: ownMegabytes(process.pid, [ours.pid, process.pid]) });
      const now = await readTiles(page);
      frozen += Object.entries(now.times).filter(([stream, time]) => time === before.times[stream]).length;
      before = now;
      const { browser: all, heap } = samples.at(-1) ?? { browser: 0, heap: 0 };
      context.say(
        `wall-soak: minute ${minute}: browser ${all.toFixed(0)} MB, heap ${heap.toFixed(1)} MB, server ${server.toFixed(0)} MB`,
      );
    }
    const rowsOf = (what: string, figure: (sample: Sample) => number): Row[] => {
      const values = samples.map(figure);
      const part = Math.max(1, Math.round(values.length * COMPARED));
      const from = Math.floor(values.length * SETTLED);
      const [early, late] = [median(values.slice(from, from + part)), median(values.slice(-part))];
      const name = `${tiles} tiles, ${minutes} minutes: ${what}`;
      return [
        { section: 'wall-soak', name, unit: 'MB', ours: late, better: 'lower' },
        {
          section: 'wall-soak',
          name: `${what}, growth after the first third`,
          unit: '%',
          ours: (100 * (late - early)) / early,
          better: 'lower',
          target: GROWTH_PERCENT,
        },
      ];
    };
    return [
      ...rowsOf('memory of the browser', (sample) => sample.browser),
      ...rowsOf('heap of the page', ({ heap }) => heap),
      ...rowsOf('memory of the server', ({ server }) => server),
      {
        section: 'wall-soak',
        name: 'tiles whose position did not change within a minute',
        unit: '',
        ours: frozen,
        better: 'lower',
        target: 0,
      },
    ];
  } finally {
    await browser.close();
    await ours.stop();
  }
}
