import { CLIP_FPS } from '../bench-media.ts';
import { pause, type BenchContext } from '../context.ts';
import { HttpPlayer, type PlayerReply } from '../http-player.ts';
import { startReplay } from '../replay.ts';
import { percentile, type Row } from '../row.ts';

const MEASURE_MS = 20_000;
const QUICK_MEASURE_MS = 8000;
const TIMESCALE = 90_000;
/** Default of `chunk_duration`. */
const PART_MS = 500;
const TARGET_MS = PART_MS + 50;

interface Arrival {
  readonly decodeTicks: number;
  readonly pictures: number;
  readonly partAtMs: number;
  readonly playlistAtMs: number;
}

/**
 * How old media is when a player has it: the time from the moment a publisher wrote the first picture of a part to the last
 * byte of that part at a player that waits for it, as the preload hint allows.
 */
export async function latency(context: BenchContext): Promise<Row[]> {
  context.say('latency: one publisher, one low-latency player');
  const server = await context.ours.start();
  const sentMs = new Map<number, number>();
  const player = new HttpPlayer(server.httpPort);
  try {
    const replay = await startReplay(
      { flv: context.media.flv, port: server.rtmpPort, app: server.app, prefix: 'lat', count: 1, reportsSends: true },
      (picture, atMs) => sentMs.set(picture, atMs),
    );
    const path = server.playlist('lat1');
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const first = await player.until(path, '#EXT-X-PART:', 20, 10_000);
    const firstPart = /#EXT-X-PART:.*?URI="([^"]+)"/.exec(first.body.toString())?.[1] ?? '';
    const startTicks = decodeTicks((await player.get(folder + firstPart)).body);
    const arrivals: Arrival[] = [];
    let playlist = first.body.toString();
    const endMs = performance.now() + (context.isQuick ? QUICK_MEASURE_MS : MEASURE_MS);
    while (performance.now() < endMs) {
      const [part, next] = await Promise.all([
        player.get(folder + hinted(playlist)),
        player.get(`${path}?${nextPosition(playlist)}`),
      ]);
      expectOk(part);
      expectOk(next);
      arrivals.push({
        decodeTicks: decodeTicks(part.body),
        pictures: sampleCount(part.body),
        partAtMs: part.atMs,
        playlistAtMs: next.atMs,
      });
      playlist = next.body.toString();
    }
    await pause(200);
    await replay.stop();
    return rowsOf(arrivals, (ticks) => sentMs.get(Math.round(((ticks - startTicks) * CLIP_FPS) / TIMESCALE)));
  } finally {
    player.close();
    await server.stop();
  }
}

function rowsOf(arrivals: readonly Arrival[], sentMs: (decodeTicks: number) => number | undefined): Row[] {
  const parts = arrivals.map(({ decodeTicks: ticks, partAtMs }) => partAtMs - (sentMs(ticks) ?? Number.NaN));
  const playlists = arrivals.map(
    ({ decodeTicks: ticks, playlistAtMs }) => playlistAtMs - (sentMs(ticks) ?? Number.NaN),
  );
  const lasts = arrivals.map(
    ({ decodeTicks: ticks, pictures, partAtMs }) =>
      partAtMs - (sentMs(ticks + ((pictures - 1) * TIMESCALE) / CLIP_FPS) ?? Number.NaN),
  );
  const base = { section: 'latency', unit: 'ms', better: 'lower' } as const;
  return [
    { ...base, name: 'first picture sent to part received, median', ours: percentile(parts, 0.5), target: TARGET_MS },
    { ...base, name: 'first picture sent to part received, 95 %', ours: percentile(parts, 0.95), target: TARGET_MS },
    {
      ...base,
      name: 'first picture sent to part received, worst',
      ours: Math.max(...parts),
      note: `${parts.length} parts of at most ${PART_MS} ms`,
    },
    {
      ...base,
      name: 'last picture sent to part received, 95 %',
      ours: percentile(lasts, 0.95),
      target: 1000 / CLIP_FPS + 50,
      note: 'a part ends when the next picture comes',
    },
    { ...base, name: 'first picture sent to playlist received, 95 %', ours: percentile(playlists, 0.95) },
  ];
}

function expectOk({ status, body }: PlayerReply): void {
  if (status !== 200) throw new Error(`a player was answered ${status}: ${body.toString('utf8', 0, 200)}`);
}

/** Address of the part that comes next (EXT-X-PRELOAD-HINT), or after the end of a segment the first of the next one. */
function hinted(playlist: string): string {
  const uri = /#EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/.exec(playlist)?.[1];
  if (uri === undefined) throw new Error('the playlist has no preload hint');
  return uri;
}

/** Delivery directives for the playlist with the hinted part in it. */
function nextPosition(playlist: string): string {
  const firstMsn = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]);
  const complete = [...playlist.matchAll(/#EXTINF:/g)].length;
  const open = playlist.slice(playlist.lastIndexOf('#EXTINF:'));
  const parts = playlist.includes('#EXTINF:')
    ? [...open.matchAll(/#EXT-X-PART:/g)].length
    : [...playlist.matchAll(/#EXT-X-PART:/g)].length;
  return `_HLS_msn=${firstMsn + complete}&_HLS_part=${parts}`;
}

/** `baseMediaDecodeTime` of a chunk (ISO/IEC 14496-12, 8.8.12); ours are always of version 1. */
function decodeTicks(chunk: Buffer): number {
  const at = chunk.indexOf('tfdt');
  if (at < 0) throw new Error('a part has no tfdt');
  return Number(chunk.readBigUInt64BE(at + 8));
}

/** Samples of a chunk (8.8.8). */
function sampleCount(chunk: Buffer): number {
  return chunk.readUInt32BE(chunk.indexOf('trun') + 8);
}
