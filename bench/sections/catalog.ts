import { join } from 'node:path';
import { ArchiveBlockReader } from '../../src-main/db/archive-block-reader.ts';
import { ArchiveBlockWriter } from '../../src-main/db/archive-block-writer.ts';
import { Database } from '../../src-main/db/database.ts';
import { CATALOG_MIGRATIONS } from '../../src-main/db/migrations.ts';
import { packIndex, type BlockSegment } from '../../src-main/dvr/block/block-index.ts';
import { ArchiveCatalog } from '../../src-main/dvr/catalog/archive-catalog.ts';
import type { RecordedBlock } from '../../src-main/dvr/block-writer.ts';
import { systemClock } from '../../src-main/lib/clock.ts';
import { silentLog } from '../../src-main/lib/log.ts';
import type { Track } from '../../src-main/media/track.ts';
import type { BenchContext } from '../context.ts';
import { median, spreadOf, type Row } from '../row.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MONTH_MINUTES = 30 * 24 * 60;
const BEGIN_MS = Date.UTC(2026, 9, 1);
/** One block in so many is missing. */
const HOLE_EVERY = 1000;
const STREAMS = 4;
const QUESTIONS = 25;
const SEGMENT_MS = 2000;
/** Writes of a block in a second: each begins other pieces. */
const WRITES_A_SECOND = 2;

/** The catalog of a month of blocks of several streams, in this process, on a file: what is asked of it, and what a block costs the thread. */
export async function catalog(context: BenchContext): Promise<Row[]> {
  const minutes = context.isQuick ? MONTH_MINUTES / 30 : MONTH_MINUTES;
  context.say(`catalog: ${STREAMS} streams of ${minutes} minutes, in this process`);
  const database = Database.open(join(context.workFolder, 'catalog.db'), {
    ...{ log: silentLog, now: () => systemClock.now(), migrations: CATALOG_MIGRATIONS, canBeRemade: true },
  });
  const [writer, reader] = [new ArchiveBlockWriter(database.connection), new ArchiveBlockReader(database.connection)];
  const turnsMs: number[] = [];
  const archive = new ArchiveCatalog({
    store: {
      write(changes) {
        const before = performance.now();
        writer.write(changes);
        turnsMs.push(performance.now() - before);
      },
      stretches: (...asked) => reader.stretches(...asked),
      block: (id) => reader.block(id),
      paths: (...asked) => reader.paths(...asked),
      find: (...asked) => reader.find(...asked),
      usage: (...asked) => reader.usage(...asked),
      extent: (stream) => reader.extent(stream),
    },
    clock: systemClock,
    open: () => undefined,
    failed(error) {
      throw error;
    },
  });
  try {
    const made = madeBlock();
    for (let minute = 0; minute < minutes; minute++) {
      if (minute % HOLE_EVERY === HOLE_EVERY - 1) continue;
      for (let stream = 0; stream < STREAMS; stream++) archive.add(made(`s${stream}`, minute));
      if (minute % 100 === 0) await archive.settled();
    }
    await archive.settled();
    const base = { section: 'catalog', unit: 'ms', better: 'lower' } as const;
    const month = { startMs: BEGIN_MS, endMs: BEGIN_MS + minutes * MINUTE_MS };
    const ranges = await timed(async () => (await archive.ranges('s1', month, 10_000)).ranges.length);
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

const BASE = { codecString: '', decoderConfig: new Uint8Array(40) };
const TRACKS: readonly Track[] = [
  {
    ...{ ...BASE, id: 'v1', content: 'video', codec: 'h264', timescale: 90_000, width: 1920, height: 1080 },
    ...{ sarWidth: 1, sarHeight: 1, profile: 'High', level: '4' },
  },
  {
    ...{ ...BASE, id: 'a1', content: 'audio', codec: 'aac', timescale: 48_000, sampleRate: 48_000 },
    ...{ channels: 2, samplesPerFrame: 1024 },
  },
];

/** Makes blocks as a recorder does: a minute of two tracks, in segments of two seconds whose pieces take turns. */
function madeBlock(): (stream: string, minute: number) => RecordedBlock {
  return (stream, minute) => {
    const startMs = BEGIN_MS + minute * MINUTE_MS;
    const segments: BlockSegment[] = [];
    let offset = 1500;
    for (let at = 0; at < MINUTE_MS; at += SEGMENT_MS) {
      const pieces = TRACKS.map((): { offset: number; sizeBytes: number }[] => []);
      for (let write = 0; write < (SEGMENT_MS / 1000) * WRITES_A_SECOND; write++)
        for (const [track, sizeBytes] of [250_000 + ((at + write) % 977), 8000 + (at % 97)].entries()) {
          pieces[track]?.push({ offset, sizeBytes });
          offset += sizeBytes + 120;
        }
      for (const [track, { timescale }] of TRACKS.entries())
        segments.push({
          ...{ trackNumber: track + 1, startTicks: ((startMs + at) * timescale) / 1000 },
          ...{ durationTicks: (SEGMENT_MS * timescale) / 1000, isIndependent: true, isDiscontinuity: false },
          ...{ isGap: false, isComplete: true, pieces: pieces[track] ?? [] },
        });
    }
    const index = { segments, splices: [] };
    const head = { stream, startMs, tracks: TRACKS };
    const path = `${stream}/${minute}.mp4`;
    return { head, disk: '/disk', path, index, packedIndex: packIndex(index), sizeBytes: offset };
  };
}
