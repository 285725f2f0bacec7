import { CLIP_FPS } from '../bench-media.ts';
import { pause, type BenchContext } from '../context.ts';
import { HttpPlayer, type PlayerReply } from '../http-player.ts';
import { GOP_MS, type Replay, startReplay } from '../replay.ts';
import { percentile, type Row } from '../row.ts';
import type { Target } from '../target.ts';

const MEASURE_MS = 20_000;
const QUICK_MEASURE_MS = 8000;
const TIMESCALE = 90_000;
/** Default of `chunk_duration`. */
const PART_MS = 500;
const TARGET_MS = PART_MS + 50;
/** Maximum delay of a read that is combined with other reads, in milliseconds. */
const READ_TICK_MS = 40;

interface Arrival {
  readonly decodeTicks: number;
  readonly pictures: number;
  readonly partAtMs: number;
  readonly playlistAtMs: number;
}

/** Number of encoders whose reads are combined (`ingest/reads`). Each runs in a separate process. */
const MANY = 12;
/** Number of these encoders whose streams are measured. */
const WATCHED = 3;

/** Application other than the default one, and its configuration. */
interface Publishers {
  readonly app?: string;
  readonly streams?: string;
}

/** Times in milliseconds from the write of a part's first or last picture by its publisher. */
interface Delays {
  readonly parts: readonly number[];
  readonly playlists: readonly number[];
  readonly lasts: readonly number[];
}

/**
 * Age of media at a player: from the write of a part's first picture by a publisher to the last byte of that part at a player
 * that waits for it by its preload hint.
 */
export async function latency(context: BenchContext): Promise<Row[]> {
  context.say('latency: one publisher, one low-latency player');
  const one = await measure(context, 1);
  context.say(`latency: ${MANY} publishers, a player for ${WATCHED} of them`);
  const many = await measure(context, MANY);
  return [...rowsOf(one), ...manyRowsOf(many)];
}

/**
 * Ages of the parts of a stream at a player that waits for them, in milliseconds, from the first picture of each part.
 *
 * @param publishers application, and its configuration
 */
export async function partAges(context: BenchContext, publishers: Publishers): Promise<readonly number[]> {
  return (await measure(context, 1, publishers)).parts;
}

async function measure(context: BenchContext, count: number, { app, streams }: Publishers = {}): Promise<Delays> {
  const server = await context.ours.start(streams);
  const replays: Promise<Replay>[] = [];
  try {
    const watched: Promise<Delays>[] = [];
    for (let first = 1; first <= count; first++) {
      const sentMs = new Map<number, number>();
      const options = {
        flv: context.media.flv,
        port: server.rtmpPort,
        app: app ?? server.app,
        prefix: 'lat',
        first,
        count: 1,
      };
      const reportsSends = first <= WATCHED;
      const replay = startReplay({ ...options, reportsSends }, (picture, atMs) => sentMs.set(picture, atMs));
      replays.push(replay);
      if (reportsSends)
        watched.push(replay.then(() => watch(context, server, `${app ?? server.app}/lat${first}`, sentMs)));
      await pause(GOP_MS / count);
    }
    const delays = await Promise.all(watched);
    return {
      parts: delays.flatMap(({ parts }) => parts),
      playlists: delays.flatMap(({ playlists }) => playlists),
      lasts: delays.flatMap(({ lasts }) => lasts),
    };
  } finally {
    for (const replay of await Promise.allSettled(replays))
      if (replay.status === 'fulfilled') await replay.value.stop();
    await server.stop();
  }
}

/**
 * Plays one stream.
 * @param sentMs write times of the pictures; filled while the stream plays
 */
async function watch(
  context: BenchContext,
  server: Target,
  stream: string,
  sentMs: ReadonlyMap<number, number>,
): Promise<Delays> {
  const player = new HttpPlayer(server.httpPort);
  try {
    const path = `/${stream}/v1/index.m3u8`;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const first = await player.until(path, /INDEPENDENT=YES/, 20, 10_000);
    const firstPart = /#EXT-X-PART:.*URI="([^"]+)",INDEPENDENT=YES/.exec(first.body.toString())?.[1] ?? '';
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
    return delaysOf(arrivals, (ticks) => sentMs.get(Math.round(((ticks - startTicks) * CLIP_FPS) / TIMESCALE)));
  } finally {
    player.close();
  }
}

function delaysOf(arrivals: readonly Arrival[], sentMs: (decodeTicks: number) => number | undefined): Delays {
  return {
    parts: arrivals.map(({ decodeTicks: ticks, partAtMs }) => partAtMs - (sentMs(ticks) ?? Number.NaN)),
    playlists: arrivals.map(({ decodeTicks: ticks, playlistAtMs }) => playlistAtMs - (sentMs(ticks) ?? Number.NaN)),
    lasts: arrivals.map(
      ({ decodeTicks: ticks, pictures, partAtMs }) =>
        partAtMs - (sentMs(ticks + ((pictures - 1) * TIMESCALE) / CLIP_FPS) ?? Number.NaN),
    ),
  };
}

const BASE = { section: 'latency', unit: 'ms', better: 'lower' } as const;

function rowsOf({ parts, playlists, lasts }: Delays): Row[] {
  return [
    { ...BASE, name: 'first picture sent to part received, median', ours: percentile(parts, 0.5), target: TARGET_MS },
    { ...BASE, name: 'first picture sent to part received, 95 %', ours: percentile(parts, 0.95), target: TARGET_MS },
    {
      ...BASE,
      name: 'first picture sent to part received, worst',
      ours: Math.max(...parts),
      note: `${parts.length} parts of at most ${PART_MS} ms`,
    },
    {
      ...BASE,
      name: 'last picture sent to part received, 95 %',
      ours: percentile(lasts, 0.95),
      target: 1000 / CLIP_FPS + 50,
      note: 'a part ends when the next picture arrives',
    },
    { ...BASE, name: 'first picture sent to playlist received, 95 %', ours: percentile(playlists, 0.95) },
  ];
}

/** Delay caused by combined reads of many encoders: at most one tick more than for a single encoder. */
function manyRowsOf({ parts, lasts }: Delays): Row[] {
  const name = `received, ${MANY} publishers`;
  return [
    { ...BASE, name: `first picture sent to part ${name}, median`, ours: percentile(parts, 0.5) },
    {
      ...BASE,
      name: `first picture sent to part ${name}, 95 %`,
      ours: percentile(parts, 0.95),
      target: TARGET_MS + READ_TICK_MS,
      note: `${parts.length} parts of ${WATCHED} streams`,
    },
    { ...BASE, name: `last picture sent to part ${name}, 95 %`, ours: percentile(lasts, 0.95) },
  ];
}

function expectOk({ status, body }: PlayerReply): void {
  if (status !== 200) throw new Error(`a player was answered ${status}: ${body.toString('utf8', 0, 200)}`);
}

/** Address of the next part (EXT-X-PRELOAD-HINT), or after the end of a segment the first of the next one. */
function hinted(playlist: string): string {
  const uri = /#EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/.exec(playlist)?.[1];
  if (uri === undefined) throw new Error('the playlist has no preload hint');
  return uri;
}

/** Delivery directives for the playlist that contains the hinted part. */
function nextPosition(playlist: string): string {
  const firstMsn = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]);
  const complete = [...playlist.matchAll(/#EXTINF:/g)].length;
  const open = playlist.slice(playlist.lastIndexOf('#EXTINF:'));
  const parts = playlist.includes('#EXTINF:')
    ? [...open.matchAll(/#EXT-X-PART:/g)].length
    : [...playlist.matchAll(/#EXT-X-PART:/g)].length;
  return `_HLS_msn=${firstMsn + complete}&_HLS_part=${parts}`;
}

/** `baseMediaDecodeTime` of a chunk (ISO/IEC 14496-12, 8.8.12); ours always have version 1. */
function decodeTicks(chunk: Buffer): number {
  const at = chunk.indexOf('tfdt');
  if (at < 0) throw new Error('a part has no tfdt');
  return Number(chunk.readBigUInt64BE(at + 8));
}

/** Samples of a chunk (8.8.8). */
function sampleCount(chunk: Buffer): number {
  return chunk.readUInt32BE(chunk.indexOf('trun') + 8);
}
