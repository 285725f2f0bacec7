import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveFiles } from '../../src-main/dvr/window/archive-files.ts';
import { ArchivePlayback } from '../../src-main/dvr/window/archive-playback.ts';
import type { ArchiveRequest } from '../../src-main/dvr/window/archive-request.ts';
import { ArchiveWindow } from '../../src-main/dvr/window/archive-window.ts';
import { BlockTables } from '../../src-main/dvr/window/block-tables.ts';
import { systemClock } from '../../src-main/lib/clock.ts';
import { renderMpd } from '../../src-main/packaging/dash/mpd.ts';
import { renderMediaPlaylist } from '../../src-main/packaging/hls/media-playlist.ts';
import { readMedia } from '../../src-main/segment/media-bytes.ts';
import type { BenchContext } from '../context.ts';
import { START_MS, MINUTE_MS, MONTH_MINUTES, openCatalog, writeCatalog } from '../synthetic-catalog.ts';
import { figuresOf, type Row } from '../row.ts';

const DAY_MS = 86_400_000;
const MOMENTS = 300;
const DAYS = 9;
const SEGMENT_MS = 2000;
/** Size of the file that is read instead of every block, in bytes. */
const FILE_BYTES = 32 << 20;

/**
 * Plays an archive of one month of a stream, in this process. Measures the time from opening a random moment to its first
 * segment from disk, and the CPU of a playlist and an MPD of a day.
 */
export async function archive(context: BenchContext): Promise<Row[]> {
  const minutes = context.isQuick ? MONTH_MINUTES / 10 : MONTH_MINUTES;
  context.say(`archive: one stream of ${minutes} minutes, in this process`);
  const file = join(context.workFolder, 'block.mp4');
  await writeFile(file, Buffer.alloc(FILE_BYTES));
  const path = join(context.workFolder, 'archive.db');
  writeCatalog(path, ['s0'], minutes);
  const month = await openCatalog(path);
  const files = new ArchiveFiles({
    clock: systemClock,
    open: async () => {
      const handle = await open(file, 'r');
      return {
        read: async (offset, sizeBytes) => (await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, offset)).buffer,
        close: async () => handle.close(),
      };
    },
  });
  const player = (): ArchivePlayback => {
    const tables = new BlockTables({ files, catalog: month.catalog, unfinished: () => [] });
    return new ArchivePlayback({
      clock: systemClock,
      tables,
      isInUse: () => false,
      ended: () => undefined,
      live: () => undefined,
      isOver: () => false,
      shiftOf: () => undefined,
    });
  };
  try {
    const momentsMs: number[] = [];
    const playback = player();
    for (let moment = 0; moment < MOMENTS; moment++) {
      const fromMs = START_MS + ((moment * 7919) % (minutes - 5)) * MINUTE_MS + moment;
      const before = performance.now();
      const window = await opened(playback, { kind: 'range', fromMs, toMs: fromMs + 60_000 });
      if (renderMediaPlaylist(window, { trackId: 'v1' }) === undefined) throw new Error('there is nothing to play');
      const part = window.segments('v1')[0]?.segment.parts[0];
      if (part) await readMedia(part);
      momentsMs.push(performance.now() - before);
    }
    playback.close();
    const [openMs, playlistMs, mpdMs]: number[][] = [[], [], []];
    for (let day = 0; day < DAYS; day++) {
      const cold = player();
      const fromMs = START_MS + (day % Math.floor((minutes * MINUTE_MS) / DAY_MS)) * DAY_MS;
      const before = performance.now();
      const window = await opened(cold, { kind: 'range', fromMs, toMs: fromMs + DAY_MS });
      openMs?.push(performance.now() - before);
      playlistMs?.push(cpuMs(() => renderMediaPlaylist(window, { trackId: 'v1' })));
      mpdMs?.push(cpuMs(() => renderMpd(window, { nowMs: 0 })));
      cold.close();
    }
    const base = { section: 'archive', unit: 'ms', better: 'lower' } as const;
    momentsMs.sort((a, b) => a - b);
    return [
      {
        ...base,
        name: 'random moment to its first segment, 99 %',
        ours: momentsMs[Math.floor(MOMENTS * 0.99)] ?? 0,
        target: 50,
      },
      { ...base, name: 'random moment to its first segment, median', ...figuresOf(momentsMs) },
      { ...base, name: 'a day opened, in short turns', ...figuresOf(openMs ?? []) },
      { ...base, name: 'HLS playlist of a day, CPU', ...figuresOf(playlistMs ?? []), target: 30 },
      { ...base, name: 'MPD of a day, CPU', ...figuresOf(mpdMs ?? []), target: 30 },
    ];
  } finally {
    await files.close();
    await month.close();
  }
}

async function opened(playback: ArchivePlayback, request: ArchiveRequest): Promise<ArchiveWindow> {
  const window = await playback.open('s0', request, SEGMENT_MS);
  if (!(window instanceof ArchiveWindow)) throw new Error('there is nothing to play');
  return window;
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  if (work() === undefined) throw new Error('nothing was rendered');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
