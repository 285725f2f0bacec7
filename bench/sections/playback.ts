import { rmSync } from 'node:fs';
import { watchFor, type ViewersFigures } from '../archive-viewers.ts';
import { pause, type BenchContext } from '../context.ts';
import { HttpPlayer } from '../http-player.ts';
import { hasLoadGenerator } from '../load.ts';
import { RECORDING_APP as APP, recordingFolder } from '../nginx-peer.ts';
import { startReplay } from '../replay.ts';
import { alternate, rowsOf } from '../rounds.ts';
import { percentile, type Row } from '../row.ts';
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
  const streams = Array.from({ length: count }, (_, at) => `/${APP}/cam${at + 1}`);
  const ms = context.isQuick ? QUICK_WATCHED_MS : WATCHED_MS;
  const watched = (archived: number): Promise<ViewersFigures> =>
    watchFor({
      port: ours.httpPort,
      streams,
      fromSeconds,
      toSeconds: Math.floor(Date.now() / 1000) - 15,
      ms,
      archived,
      live: LIVE,
    });
  const measured = await alternate(context, {
    title: 'playback: viewers',
    count: context.isQuick ? 1 : 3,
    ours: () => watched(ARCHIVED),
    peer: () => watched(0),
  });
  return [
    {
      section: SECTION,
      name: 'playlist or segment of a random moment, 99 %',
      unit: 'ms',
      better: 'lower',
      ours: percentile(
        measured.ours.flatMap(({ archiveMs }) => archiveMs),
        0.99,
      ),
      target: 100,
      note: `${ARCHIVED} viewers, ${count} streams recorded`,
    },
    ...rowsOf(SECTION, measured, [
      {
        name: `segments received by ${LIVE} live viewers`,
        unit: '',
        better: 'higher',
        target: { ofPeer: 0.95 },
        note: 'peer: ours without archive viewers',
        of: ({ liveSegments }) => liveSegments,
      },
    ]),
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
