import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchContext } from '../context.ts';
import {
  START_MS,
  syntheticBlock,
  MINUTE_MS,
  MONTH_MINUTES,
  openCatalog,
  writeCatalog,
  type SyntheticCatalog,
} from '../synthetic-catalog.ts';
import { median, spreadOf, type Row } from '../row.ts';
import { Turns } from '../thread-cost.ts';

const HOUR_MS = 3_600_000;
const STREAMS = 50;
const QUICK_MINUTES = 7 * 24 * 60;
const QUERIES = 50;
/** Seconds of writes, one batch per second. The queries should end earlier. */
const WRITE_SECONDS = 20;

/**
 * Measures the catalog of a month of 50 streams, in a file and on its own thread: queries while blocks of these streams
 * are written, and the cost for the querying thread.
 */
export async function catalog(context: BenchContext): Promise<Row[]> {
  const minutes = context.isQuick ? QUICK_MINUTES : MONTH_MINUTES;
  context.say(`catalog: ${STREAMS} streams of ${minutes} minutes`);
  const folder = await mkdtemp(join(tmpdir(), 'airdesk-catalog-'));
  const path = join(folder, 'catalog.db');
  try {
    const streams = Array.from({ length: STREAMS }, (_, stream) => `s${stream}`);
    const blocks = writeCatalog(path, streams, minutes);
    const { size } = await stat(path);
    const opening = performance.now();
    const month = await openCatalog(path);
    const openMs = performance.now() - opening;
    try {
      return [
        ...(await measureQueries(month, streams, minutes)),
        {
          section: 'catalog',
          name: 'thread started and catalog opened',
          unit: 'ms',
          better: 'lower',
          ours: openMs,
          target: 3000,
        },
        {
          section: 'catalog',
          name: 'size',
          unit: 'GB',
          better: 'lower',
          ours: size / 1e9,
          note: `${blocks} blocks, ${(size / blocks / 1000).toFixed(1)} kB each`,
        },
      ];
    } finally {
      await month.catalog.settled();
      await month.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureQueries(
  { catalog: archive }: SyntheticCatalog,
  streams: readonly string[],
  minutes: number,
): Promise<Row[]> {
  const base = { section: 'catalog', unit: 'ms', better: 'lower' } as const;
  const turns = new Turns();
  // Created before the measurement, because this work must not count for the querying thread.
  const batches = Array.from({ length: WRITE_SECONDS }, (_, second) =>
    streams.map((stream) => syntheticBlock(stream, minutes + second)),
  );
  const writing = setInterval(() => {
    // A block is a minute, so one block per stream and second is sixty times the real rate.
    for (const block of batches.shift() ?? []) archive.add(block);
  }, 1000);
  turns.start();
  try {
    const time = { startMs: START_MS, endMs: START_MS + minutes * MINUTE_MS };
    const streamOf = (query: number): string => streams[(query * 7) % streams.length] ?? '';
    const ranges = await timed(async (query) => (await archive.ranges(streamOf(query), time, 10_000)).ranges.length);
    const hour = await timed(async (query) => {
      const startMs = START_MS + ((query * 29) % Math.floor(minutes / 60)) * HOUR_MS;
      return (await archive.blocks(streamOf(query), { startMs, endMs: startMs + HOUR_MS }, 100)).length;
    });
    turns.stop();
    return [
      { ...base, name: 'ranges of a month', ...ranges, target: 20 },
      { ...base, name: 'segments of an hour', ...hour, target: 5 },
      { ...base, name: 'longest turn of the querying thread, CPU', ours: turns.longestMs, target: 10 },
    ];
  } finally {
    turns.stop();
    clearInterval(writing);
  }
}

async function timed(task: (query: number) => Promise<number>): Promise<Pick<Row, 'ours' | 'spread'>> {
  const times: number[] = [];
  for (let query = 0; query < QUERIES; query++) {
    const before = performance.now();
    if ((await task(query)) === 0) throw new Error('the catalog returned no blocks');
    times.push(performance.now() - before);
  }
  return { ours: median(times), ...spread(times) };
}

function spread(values: readonly number[]): Pick<Row, 'spread'> {
  const found = spreadOf(values);
  return found ? { spread: found } : {};
}
