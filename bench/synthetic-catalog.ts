import { Database } from '../src-main/db/database.ts';
import { CATALOG_SCHEMA } from '../src-main/db/schemas/catalog.ts';
import { CatalogOnThread } from '../src-main/db/thread/catalog-on-thread.ts';
import { DatabaseWorker } from '../src-main/db/thread/database-worker.ts';
import { printTracks, type BlockTrack } from '../src-main/dvr/block/block-head.ts';
import { packIndex, type BlockSegment } from '../src-main/dvr/block/block-index.ts';
import { blockPath } from '../src-main/dvr/block-path.ts';
import { ArchiveCatalog } from '../src-main/dvr/catalog/archive-catalog.ts';
import type { RecordedBlock } from '../src-main/dvr/block-writer.ts';
import { systemClock } from '../src-main/lib/clock.ts';
import { silentLog } from '../src-main/lib/log.ts';

export const MINUTE_MS = 60_000;
export const MONTH_MINUTES = 30 * 24 * 60;
/** Start of the month in epoch milliseconds. */
export const START_MS = Date.UTC(2026, 9, 1);
/** Every thousandth block is missing. */
const GAP_EVERY = 1000;
const SEGMENT_MS = 2000;
/** Number of minutes written in one transaction. */
const STEP_MINUTES = 1000;
/** Writes per second to the open block. Each write adds one piece per track. */
const WRITES_A_SECOND = 1.5;

/** Catalog of synthetic recordings in a file, with its database thread. */
export interface SyntheticCatalog {
  readonly catalog: ArchiveCatalog;
  close(): Promise<void>;
}

const ENTRY = new URL('../src-main/database-thread.ts', import.meta.url);

/** Opens an existing catalog on a database thread. */
export async function openCatalog(path: string): Promise<SyntheticCatalog> {
  const worker = new DatabaseWorker({ entry: ENTRY, clock: systemClock, log: silentLog });
  await worker.open('catalog-open', path);
  const catalog = new ArchiveCatalog({
    store: new CatalogOnThread(worker),
    clock: systemClock,
    open: () => [],
    failed(error) {
      throw error;
    },
  });
  return { catalog, close: async () => worker.close() };
}

/**
 * Writes the catalog of `minutes` minutes of every stream to a file, with the rows in the order of recording. The last
 * migration computes the sums per disk when the catalog is opened.
 *
 * @returns number of blocks
 */
export function writeCatalog(path: string, streams: readonly string[], minutes: number): number {
  const { connection, close } = openFile(path);
  const addBlock = connection.prepare('INSERT INTO archive_block VALUES (?, ?, 1, ?, 1, ?, ?, ?, 0)');
  const addIndex = connection.prepare('INSERT INTO archive_index VALUES (?, ?)');
  const addRange = connection.prepare('INSERT INTO archive_range VALUES (?, ?, ?, ?)');
  const addStream = connection.prepare('INSERT INTO archive_stream VALUES (?, ?)');
  // No journal, because an incomplete file is created again.
  connection.pragma('journal_mode = OFF');
  connection.pragma('cache_size = -262144');
  let id = 0;
  const write = connection.transaction((from: number): void => {
    for (let minute = from; minute < Math.min(minutes, from + STEP_MINUTES); minute++) {
      if (minute % GAP_EVERY === GAP_EVERY - 1) continue;
      // The blocks of all streams differ only in the name of the stream.
      const { head, packedIndex, sizeBytes } = syntheticBlock('', minute);
      const { startMs } = head;
      for (const [at, name] of streams.entries()) {
        addBlock.run(++id, at + 1, blockPath(name, startMs), startMs, startMs + MINUTE_MS, sizeBytes);
        addIndex.run(id, packedIndex);
        addRange.run(at + 1, startMs, id, startMs + MINUTE_MS);
      }
    }
  });
  try {
    for (const [at, name] of streams.entries()) addStream.run(at + 1, name);
    connection.prepare("INSERT INTO archive_disk VALUES (1, '/disk')").run();
    connection.prepare('INSERT INTO archive_format VALUES (1, ?)').run(printTracks(TRACKS));
    for (let minute = 0; minute < minutes; minute += STEP_MINUTES) write(minute);
  } finally {
    close();
  }
  return id;
}

function openFile(path: string): Pick<Database, 'connection'> & { close(): void } {
  const options = { log: silentLog, now: () => systemClock.now() };
  const database = Database.open(path, { ...options, schema: CATALOG_SCHEMA, content: 'rebuildable' });
  return {
    connection: database.connection,
    close: () => {
      database.close();
    },
  };
}

const BASE = { initId: 7, codecString: '', decoderConfig: new Uint8Array(40) };
const TRACKS: readonly BlockTrack[] = [
  {
    ...BASE,
    id: 'v1',
    content: 'video',
    codec: 'h264',
    timescale: 90_000,
    width: 1920,
    height: 1080,
    sarWidth: 1,
    sarHeight: 1,
    profile: 'High',
    level: '4',
  },
  {
    ...BASE,
    id: 'a1',
    content: 'audio',
    codec: 'aac',
    timescale: 48_000,
    sampleRate: 48_000,
    channels: 2,
    samplesPerFrame: 1024,
  },
];

/** Creates a block like a recorder: a minute of two tracks, in segments of two seconds whose pieces alternate. */
function syntheticBlock(stream: string, minute: number): RecordedBlock {
  const startMs = START_MS + minute * MINUTE_MS;
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
        trackNumber: track + 1,
        startTicks: ((startMs + at) * timescale) / 1000,
        durationTicks: (SEGMENT_MS * timescale) / 1000,
        isIndependent: true,
        isDiscontinuity: false,
        hasCaptions: false,
        isGap: false,
        isComplete: true,
        pieces: pieces[track] ?? [],
      });
  }
  const index = { segments, splices: [] };
  const head = { stream, startMs, tracks: TRACKS };
  const path = `${stream}/${minute}.mp4`;
  return { head, disk: '/disk', path, index, packedIndex: packIndex(index), sizeBytes: offset };
}
