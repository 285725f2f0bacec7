import type { Page } from 'playwright-core';
import { startBrowser } from '../../tests/helpers/start-browser.ts';
import { pause, type BenchContext } from '../context.ts';
import { coresDuring } from '../process-cost.ts';
import { alternate, rowsOf, withServer, type Figure } from '../rounds.ts';
import type { Row } from '../row.ts';
import { openWall, readTiles, freezesOf, untilShown, untilStills, watchFreezes } from '../wall-page.ts';

const TILES = 16;
const STILLS_SIDE = 5;
const STILLS = STILLS_SIDE ** 2;
const STILLS_CORES = 0.5;
const WARM_MS = 15_000;
const MEASURE_MS = 20_000;
/** Time after which an unchanged picture without a notice counts as frozen, in milliseconds. */
const FROZEN_MS = 1_500;

interface PictureFigures {
  readonly longestMs: number;
  readonly stills: number;
  readonly cores: number;
}

interface StillsFigures {
  readonly browserCores: number;
  readonly serverCores: number;
}

const PICTURES: readonly Figure<PictureFigures>[] = [
  {
    name: `${TILES} tiles of 720p: longest freeze without a notice`,
    unit: 'ms',
    target: FROZEN_MS,
    of: ({ longestMs }) => longestMs,
  },
  {
    name: `${TILES} tiles of 720p: tiles that show stills, because the machine is overloaded`,
    unit: '',
    of: ({ stills }) => stills,
  },
  { name: `${TILES} tiles of 720p: browser, with the server`, unit: 'cores', of: ({ cores }) => cores },
];
const STILL_PICTURES: readonly Figure<StillsFigures>[] = [
  {
    name: `${STILLS} stills of 720p: browser`,
    unit: 'cores',
    target: STILLS_CORES,
    of: ({ browserCores }) => browserCores,
  },
  { name: `${STILLS} stills of 720p: server, for the pictures`, unit: 'cores', of: ({ serverCores }) => serverCores },
];

/** Load of a wall: sixteen tiles of 720p with the default settings, and 25 tiles that show one picture per second. */
export async function wallLoad(context: BenchContext): Promise<Row[]> {
  const count = context.isQuick ? 1 : 2;
  const streams = Array.from(
    { length: STILLS },
    (_, at) => `stream cam${at} { input fake://?width=1280&height=720&bitrate=2500; }`,
  );
  const pictures = await withServer(context.ours, streams.slice(0, TILES).join('\n'), ({ httpPort }) =>
    alternate(context, {
      title: `wall-load: ${TILES} tiles of 720p`,
      count,
      ours: () => inBrowser(httpPort, 'auto', measurePictures),
    }),
  );
  const stills = await withServer(context.ours, streams.join('\n'), async ({ httpPort, pid }) => {
    await pause(WARM_MS);
    return alternate(context, {
      title: `wall-load: ${STILLS} stills`,
      count,
      ours: async () => {
        const withoutWall = await coresDuring([pid], () => pause(MEASURE_MS / 2));
        return inBrowser(httpPort, 'stills', (page) => measureStills(page, pid, withoutWall));
      },
    });
  });
  return [...rowsOf('wall-load', pictures, PICTURES), ...rowsOf('wall-load', stills, STILL_PICTURES)];
}

async function inBrowser<T>(port: number, mode: 'auto' | 'stills', measure: (page: Page) => Promise<T>): Promise<T> {
  const browser = await startBrowser();
  try {
    const viewport = { width: 1920, height: 1080 };
    const page = await openWall(browser, {
      port,
      viewport,
      ...(mode === 'stills' ? { pictures: mode, side: STILLS_SIDE } : {}),
    });
    if (mode === 'stills') await untilStills(page, STILLS);
    else {
      // Watched from the start, because the wall must detect by itself that the machine is overloaded.
      await watchFreezes(page);
      await untilShown(page, TILES);
    }
    await pause(WARM_MS);
    return await measure(page);
  } finally {
    await browser.close();
  }
}

async function measurePictures(page: Page): Promise<PictureFigures> {
  const cores = await coresDuring([process.pid], () => pause(MEASURE_MS));
  const { stills } = await readTiles(page);
  return { longestMs: Math.max(0, ...Object.values(await freezesOf(page))), stills, cores };
}

async function measureStills(page: Page, server: number, serverCoresBefore: number): Promise<StillsFigures> {
  let serverCores = 0;
  const all = await coresDuring([process.pid], async () => {
    serverCores = await coresDuring([server], () => pause(MEASURE_MS));
  });
  await untilStills(page, STILLS);
  return { browserCores: all - serverCores, serverCores: serverCores - serverCoresBefore };
}
