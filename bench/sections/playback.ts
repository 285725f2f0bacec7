import { rmSync } from 'node:fs';
import { watchFor, type ViewersFigures } from '../archive-viewers.ts';
import { pause, type BenchContext } from '../context.ts';
import { HttpPlayer } from '../http-player.ts';
import { hasLoadGenerator } from '../load.ts';
import { RECORDING_APP as APP, recordingFolder } from '../nginx-peer.ts';
import { startReplay } from '../replay.ts';
import { figuresOf, median, percentile, type Row } from '../row.ts';
import { segmentRounds } from '../segment-rounds.ts';
import type { Target } from '../target.ts';

/** Number of viewers of random moments of the archive. */
const ARCHIVED = 200;
/** Number of live viewers. */
const LIVE = 25;
/** Duration of recording before the viewers start, in milliseconds. It is much longer than the live window. */
const RECORDED_MS = 40_000;
const QUICK_RECORDED_MS = 30_000;
const WATCHED_MS = 20_000;
const QUICK_WATCHED_MS = 12_000;
/** Number of segments of 1 MB that are requested in turn: three times the size of the cache. */
const SEGMENTS = 200;
/** Maximum number of streams whose segments are requested. */
const MAX_STREAMS = 25;
const SECTION = 'playback';

/** Measures archive viewers while streams are recorded, and segments from disk compared with files on nginx. */
export async function playback(context: BenchContext): Promise<Row[]> {
  const count = context.counts.at(-1) ?? 1;
  const ours = await context.ours.start(`live ${APP} { dvr ${recordingFolder()}; }`);
  const peer = await context.peer?.start();
  try {
    const fromSeconds = Math.ceil(Date.now() / 1000) + 4;
    const replay = await startReplay({ flv: context.media.flv, port: ours.rtmpPort, app: APP, prefix: 'cam', count });
    context.say(`playback: ${count} streams are recorded`);
    await pause(context.isQuick ? QUICK_RECORDED_MS : RECORDED_MS);
    const rows = await viewers(context, ours, count, fromSeconds);
    await replay.stop();
    if (hasLoadGenerator()) rows.push(...(await segments(context, ours, peer, fromSeconds)));
    return rows;
  } finally {
    await ours.stop();
    await peer?.stop();
    rmSync(recordingFolder(), { recursive: true, force: true });
  }
}

async function viewers(context: BenchContext, ours: Target, count: number, fromSeconds: number): Promise<Row[]> {
  const rounds = context.isQuick ? 1 : 3;
  const streams = Array.from({ length: count }, (_, at) => `/${APP}/cam${at + 1}`);
  const ms = context.isQuick ? QUICK_WATCHED_MS : WATCHED_MS;
  const withoutArchive: number[] = [];
  const withArchive: number[] = [];
  const archiveMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    context.say(`playback: viewers, round ${round + 1}`);
    const toSeconds = Math.floor(Date.now() / 1000) - 15;
    const watched = async (archived: number): Promise<ViewersFigures> =>
      watchFor({ port: ours.httpPort, streams, fromSeconds, toSeconds, ms, archived, live: LIVE });
    withoutArchive.push((await watched(0)).liveSegments);
    const found = await watched(ARCHIVED);
    withArchive.push(found.liveSegments);
    archiveMs.push(...found.archiveMs);
  }
  const note = `${ARCHIVED} viewers, ${count} streams recorded`;
  const base = { section: SECTION, unit: 'ms', better: 'lower', note } as const;
  return [
    {
      ...base,
      name: 'playlist or segment of a random moment, 99 %',
      ours: percentile(archiveMs, 0.99),
      target: 100,
    },
    { ...base, name: 'playlist or segment of a random moment, median', ours: median(archiveMs) },
    {
      section: SECTION,
      name: `segments received by ${LIVE} live viewers`,
      unit: '',
      better: 'higher',
      ...figuresOf(withArchive, withoutArchive),
      target: { ofPeer: 0.95 },
      note: 'peer: ours without archive viewers',
    },
  ];
}

/** Measures one segment from disk, and then more segments than the cache can store; each compared with files on nginx. */
async function segments(
  context: BenchContext,
  ours: Target,
  peer: Target | undefined,
  fromSeconds: number,
): Promise<Row[]> {
  const player = new HttpPlayer(ours.httpPort);
  const paths: string[] = [];
  for (let stream = 1; paths.length < SEGMENTS && stream <= MAX_STREAMS; stream++) {
    const list = await player.get(`/${APP}/cam${stream}/v1/archive-${fromSeconds}-30.m3u8`);
    if (list.status !== 200) break;
    const names = list.body.toString().match(/^\d+\.m4s$/gm) ?? [];
    paths.push(...names.map((name) => `/${APP}/cam${stream}/v1/${name}`));
  }
  player.close();
  const base = { section: SECTION, ours, peer };
  return [
    ...(await segmentRounds(context, { ...base, name: 'a segment from disk', paths: paths.slice(0, 1) })),
    ...(await segmentRounds(context, { ...base, name: 'segments from disk in turn', paths })),
  ];
}
