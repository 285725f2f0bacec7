import type { Page } from 'playwright-core';
import { startBrowser } from '../../tests/helpers/start-browser.ts';
import { pause, type BenchContext } from '../context.ts';
import { cpuSeconds } from '../process-cost.ts';
import { figuresOf, type Row } from '../row.ts';
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
  readonly frozen: number;
  readonly longestMs: number;
  readonly stills: number;
  readonly droppedPercent: number;
  readonly cores: number;
}

interface StillsFigures {
  readonly browserCores: number;
  readonly serverCores: number;
}

/** Load of a wall: sixteen tiles of 720p with the default settings, and 25 tiles that show one picture per second. */
export async function wallLoad(context: BenchContext): Promise<Row[]> {
  const rounds = context.isQuick ? 1 : 2;
  const streams = Array.from(
    { length: STILLS },
    (_, at) => `stream cam${at} { input fake://?width=1280&height=720&bitrate=2500; }`,
  );
  const pictures: PictureFigures[] = [];
  const stills: StillsFigures[] = [];
  const few = await context.ours.start(streams.slice(0, TILES).join('\n'));
  try {
    for (let round = 1; round <= rounds; round++) {
      context.say(`wall-load: ${TILES} tiles of 720p, round ${round}`);
      pictures.push(await inBrowser(few.httpPort, 'auto', measurePictures));
    }
  } finally {
    await few.stop();
  }
  const many = await context.ours.start(streams.join('\n'));
  try {
    await pause(WARM_MS);
    for (let round = 1; round <= rounds; round++) {
      context.say(`wall-load: ${STILLS} stills, round ${round}`);
      const withoutWall = await coresOf(many.pid, () => pause(MEASURE_MS / 2));
      stills.push(await inBrowser(many.httpPort, 'stills', (page) => measureStills(page, many.pid, withoutWall)));
    }
  } finally {
    await many.stop();
  }
  const row = (name: string, unit: string, values: readonly number[], target?: number): Row => ({
    section: 'wall-load',
    name,
    unit,
    better: 'lower',
    ...figuresOf(values),
    target,
  });
  const name = `${TILES} tiles of 720p:`;
  return [
    row(
      `${name} tiles that froze, from the start on`,
      '',
      pictures.map(({ frozen }) => frozen),
      0,
    ),
    row(
      `${name} longest freeze without a notice`,
      'ms',
      pictures.map(({ longestMs }) => longestMs),
      FROZEN_MS,
    ),
    row(
      `${name} tiles that show stills, because the machine is overloaded`,
      '',
      pictures.map((one) => one.stills),
    ),
    row(
      `${name} dropped pictures`,
      '%',
      pictures.map(({ droppedPercent }) => droppedPercent),
    ),
    row(
      `${name} browser, with the server`,
      'cores',
      pictures.map(({ cores }) => cores),
    ),
    row(
      `${STILLS} stills of 720p: browser`,
      'cores',
      stills.map(({ browserCores }) => browserCores),
      STILLS_CORES,
    ),
    row(
      `${STILLS} stills of 720p: server, for the pictures`,
      'cores',
      stills.map(({ serverCores }) => serverCores),
    ),
  ];
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
  const first = await readTiles(page);
  const cores = await coresOf(process.pid, () => pause(MEASURE_MS));
  const last = await readTiles(page);
  const freezes = Object.values(await freezesOf(page));
  const [shown, dropped] = [last.shown - first.shown, last.dropped - first.dropped];
  return {
    frozen: freezes.filter((ms) => ms > FROZEN_MS).length,
    longestMs: Math.max(0, ...freezes),
    stills: last.stills,
    cores,
    droppedPercent: (100 * Math.max(0, dropped)) / Math.max(1, shown + dropped),
  };
}

async function measureStills(page: Page, server: number, serverCoresBefore: number): Promise<StillsFigures> {
  let serverCores = 0;
  const all = await coresOf(process.pid, async () => {
    serverCores = await coresOf(server, () => pause(MEASURE_MS));
  });
  await untilStills(page, STILLS);
  return { browserCores: all - serverCores, serverCores: serverCores - serverCoresBefore };
}

/** Number of cores that a process and its children use during a task. */
async function coresOf(pid: number, task: () => Promise<void>): Promise<number> {
  const [fromCpu, fromMs] = [cpuSeconds(pid), Date.now()];
  await task();
  return ((cpuSeconds(pid) - fromCpu) * 1000) / (Date.now() - fromMs);
}
