import { join } from 'node:path';
import type { BenchContext } from '../context.ts';
import { BEGIN_MS, madeMonth, MINUTE_MS, MONTH_MINUTES } from '../made-month.ts';
import { median, spreadOf, type Row } from '../row.ts';

const HOUR_MS = 3_600_000;
const STREAMS = 4;
const QUESTIONS = 25;

/** The catalog of a month of blocks of several streams, in this process, on a file: what is asked of it, and what a block costs the thread. */
export async function catalog(context: BenchContext): Promise<Row[]> {
  const minutes = context.isQuick ? MONTH_MINUTES / 30 : MONTH_MINUTES;
  context.say(`catalog: ${STREAMS} streams of ${minutes} minutes, in this process`);
  const turnsMs: number[] = [];
  const streams = Array.from({ length: STREAMS }, (_, stream) => `s${stream}`);
  const month = await madeMonth(join(context.workFolder, 'catalog.db'), streams, minutes, (ms) => turnsMs.push(ms));
  const { catalog: archive, database } = month;
  try {
    const base = { section: 'catalog', unit: 'ms', better: 'lower' } as const;
    const time = { startMs: BEGIN_MS, endMs: BEGIN_MS + minutes * MINUTE_MS };
    const ranges = await timed(async () => (await archive.ranges('s1', time, 10_000)).ranges.length);
    const hour = await timed(async (question) => {
      const startMs = BEGIN_MS + ((question * 29) % Math.floor(minutes / 60)) * HOUR_MS;
      return (await archive.blocks('s1', { startMs, endMs: startMs + HOUR_MS }, 100)).length;
    });
    const bytes = Number(database.connection.pragma('page_count', { simple: true })) * 4096;
    const note = `${STREAMS * minutes} blocks, ${(bytes / STREAMS / minutes / 1000).toFixed(1)} kB each`;
    return [
      { ...base, name: 'ranges of a month', ...ranges, target: 20, note },
      { ...base, name: 'segments of an hour', ...hour, target: 5 },
      { ...base, name: '32 blocks written', ours: median(turnsMs), target: 10, ...spread(turnsMs) },
    ];
  } finally {
    database.close();
  }
}

async function timed(ask: (question: number) => Promise<number>): Promise<Pick<Row, 'ours' | 'spread'>> {
  const times: number[] = [];
  for (let question = 0; question < QUESTIONS; question++) {
    const before = performance.now();
    if ((await ask(question)) === 0) throw new Error('the catalog has nothing of it');
    times.push(performance.now() - before);
  }
  return { ours: median(times), ...spread(times) };
}

function spread(values: readonly number[]): Pick<Row, 'spread'> {
  const found = spreadOf(values);
  return found ? { spread: found } : {};
}
