import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchContext } from '../context.ts';
import { START_MS, madeBlock, MINUTE_MS, MONTH_MINUTES, openMonth, writeMonth, type MadeMonth } from '../made-month.ts';
import { median, spreadOf, type Row } from '../row.ts';
import { Turns } from '../thread-cost.ts';

const HOUR_MS = 3_600_000;
const STREAMS = 50;
const QUICK_MINUTES = 7 * 24 * 60;
const QUERIES = 50;
/** Seconds of prepared writes: one batch per second. The queries should end earlier. */
const WRITE_SECONDS = 20;

/**
 * Catalog of a month of blocks of 50 streams, in a file and on its own thread: queries while the blocks of those streams are
 * written, and the cost for the querying thread.
 */
export async function catalog(context: BenchContext): Promise<Row[]> {
  const minutes = context.isQuick ? QUICK_MINUTES : MONTH_MINUTES;
  context.say(`catalog: ${STREAMS} streams of ${minutes} minutes`);
  const folder = await mkdtemp(join(tmpdir(), 'airdesk-catalog-'));
  const path = join(folder, 'catalog.db');
  try {
    const streams = Array.from({ length: STREAMS }, (_, stream) => `s${stream}`);
    const blocks = writeMonth(path, streams, minutes);
    const { size } = await stat(path);
    const opening = performance.now();
    const month = await openMonth(path);
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
  { catalog: archive }: MadeMonth,
  streams: readonly string[],
  minutes: number,
): Promise<Row[]> {
  const base = { section: 'catalog', unit: 'ms', better: 'lower' } as const;
  const turns = new Turns();
  const block = madeBlock();
  // Created before the measurement, because this work must not count for the querying thread.
  const waiting = Array.from({ length: WRITE_SECONDS }, (_, second) =>
    streams.map((stream) => block(stream, minutes + second)),
  );
  const writing = setInterval(() => {
    // A minute of all streams in a second: sixty times their real rate.
    for (const block of waiting.shift() ?? []) archive.add(block);
  }, 1000);
  turns.start();
  try {
    const time = { startMs: START_MS, endMs: START_MS + minutes * MINUTE_MS };
    const streamOf = (question: number): string => streams[(question * 7) % streams.length] ?? '';
    const ranges = await timed(
      async (question) => (await archive.ranges(streamOf(question), time, 10_000)).ranges.length,
    );
    const hour = await timed(async (question) => {
      const startMs = START_MS + ((question * 29) % Math.floor(minutes / 60)) * HOUR_MS;
      return (await archive.blocks(streamOf(question), { startMs, endMs: startMs + HOUR_MS }, 100)).length;
    });
    turns.stop();
    return [
      { ...base, name: 'ranges of a month', ...ranges, target: 20 },
      { ...base, name: 'segments of an hour', ...hour, target: 5 },
      { ...base, name: 'longest turn of the thread that asks, CPU', ours: turns.longestMs, target: 10 },
    ];
  } finally {
    turns.stop();
    clearInterval(writing);
  }
}

async function timed(query: (question: number) => Promise<number>): Promise<Pick<Row, 'ours' | 'spread'>> {
  const times: number[] = [];
  for (let question = 0; question < QUERIES; question++) {
    const before = performance.now();
    if ((await query(question)) === 0) throw new Error('the catalog returned no blocks');
    times.push(performance.now() - before);
  }
  return { ours: median(times), ...spread(times) };
}

function spread(values: readonly number[]): Pick<Row, 'spread'> {
  const found = spreadOf(values);
  return found ? { spread: found } : {};
}
