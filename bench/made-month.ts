import { ArchiveBlockReader } from '../src-main/db/archive-block-reader.ts';
import { ArchiveBlockWriter } from '../src-main/db/archive-block-writer.ts';
import { Database } from '../src-main/db/database.ts';
import { CATALOG_MIGRATIONS } from '../src-main/db/migrations.ts';
import type { BlockTrack } from '../src-main/dvr/block/block-head.ts';
import { packIndex, type BlockSegment } from '../src-main/dvr/block/block-index.ts';
import { ArchiveCatalog } from '../src-main/dvr/catalog/archive-catalog.ts';
import type { RecordedBlock } from '../src-main/dvr/block-writer.ts';
import { systemClock } from '../src-main/lib/clock.ts';
import { silentLog } from '../src-main/lib/log.ts';

export const MINUTE_MS = 60_000;
export const MONTH_MINUTES = 30 * 24 * 60;
/** When the month begins, in epoch milliseconds. */
export const BEGIN_MS = Date.UTC(2026, 9, 1);
/** One block in so many is missing. */
const HOLE_EVERY = 1000;
const SEGMENT_MS = 2000;
/** Writes of a block in a second: each begins other pieces. */
const WRITES_A_SECOND = 2;

/** The catalog of a month of recordings, on a file. To be closed. */
export interface MadeMonth {
  readonly catalog: ArchiveCatalog;
  readonly database: Database;
}

/** Makes the catalog of so many minutes of streams. @param wrote hears how long each write took, in milliseconds */
export async function madeMonth(
  path: string,
  streams: readonly string[],
  minutes: number,
  wrote: (ms: number) => void = () => undefined,
): Promise<MadeMonth> {
  const database = Database.open(path, {
    ...{ log: silentLog, now: () => systemClock.now(), migrations: CATALOG_MIGRATIONS, canBeRemade: true },
  });
  const [writer, reader] = [new ArchiveBlockWriter(database.connection), new ArchiveBlockReader(database.connection)];
  const catalog = new ArchiveCatalog({
    store: {
      write(changes) {
        const before = performance.now();
        writer.write(changes);
        wrote(performance.now() - before);
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
  const made = madeBlock();
  for (let minute = 0; minute < minutes; minute++) {
    if (minute % HOLE_EVERY === HOLE_EVERY - 1) continue;
    for (const stream of streams) catalog.add(made(stream, minute));
    if (minute % 100 === 0) await catalog.settled();
  }
  await catalog.settled();
  return { catalog, database };
}

const BASE = { initId: 7, codecString: '', decoderConfig: new Uint8Array(40) };
const TRACKS: readonly BlockTrack[] = [
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
          ...{ hasCaptions: false, isGap: false, isComplete: true, pieces: pieces[track] ?? [] },
        });
    }
    const index = { segments, splices: [] };
    const head = { stream, startMs, tracks: TRACKS };
    const path = `${stream}/${minute}.mp4`;
    return { head, disk: '/disk', path, index, packedIndex: packIndex(index), sizeBytes: offset };
  };
}
