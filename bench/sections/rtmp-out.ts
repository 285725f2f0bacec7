import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { pause, type BenchContext } from '../context.ts';
import { hlsDirectives, nginxPeer } from '../nginx-peer.ts';
import { coresDuring, residentMegabytes } from '../process-cost.ts';
import { startReplay } from '../replay.ts';
import { alternate, rowsOf, withServer, type Measured } from '../rounds.ts';
import { percentile, type Row } from '../row.ts';
import { startRtmpViewers } from '../rtmp-viewers.ts';
import type { Target, TargetKind } from '../target.ts';

const PLAYERS = 200;
const PUSHES = 50;
/** Application and prefix whose stream is pushed. */
const PUSHED_APP = 'pushed';
/** A server compiles its code in the first seconds with media. */
const SETTLE_MS = 20_000;
/** Longer than the time between two collections of all garbage, which is 6 to 15 s with pushes. */
const MEASURE_MS = 45_000;
const ROUNDS = 3;
/** Maximum cost relative to the peer. */
const OF_PEER = 1.2;
/** Duration of a GOP of the clip: the longest wait of a player for its first picture. */
const GOP_MS = 2000;

/** Cost of one round. */
interface Cost {
  /** Processor time of the server per second. */
  readonly cores: number;
  readonly megabytes: number;
  readonly firstPicturesMs?: readonly number[];
}

/** Measures RTMP players and pushes of one stream of 4 Mbit/s. The peer makes HLS as well, and has one worker. */
export async function rtmpOut(context: BenchContext): Promise<Row[]> {
  return [...(await playerRows(context)), ...(await pushRows(context))];
}

async function playerRows(context: BenchContext): Promise<Row[]> {
  const play = (kind: TargetKind): Promise<Cost> =>
    withStream(context, kind, async (server) => {
      const before = residentMegabytes(server.pid);
      const viewers = await startRtmpViewers({ port: server.rtmpPort, app: server.app, name: 'cam1', count: PLAYERS });
      const cost = await costOf(server);
      await viewers.stop();
      return { ...cost, megabytes: cost.megabytes - before, firstPicturesMs: viewers.firstPicturesMs };
    });
  const measured = await rounds(context, `${PLAYERS} RTMP players`, play, context.peer);
  return rowsOf('rtmp-out', measured, [
    { name: `CPU, ${PLAYERS} players of one stream`, unit: 'cores', target: { ofPeer: OF_PEER }, of: coresOf },
    {
      name: `memory of each of ${PLAYERS} players`,
      unit: 'MB',
      target: 2,
      of: ({ megabytes }) => megabytes / PLAYERS,
    },
    {
      name: 'play to first key frame, 95 %',
      unit: 'ms',
      target: GOP_MS,
      of: ({ firstPicturesMs = [] }) => percentile(firstPicturesMs, 0.95),
    },
  ]);
}

async function pushRows(context: BenchContext): Promise<Row[]> {
  const folder = join(context.workFolder, 'sink');
  mkdirSync(folder);
  const sinks = nginxPeer(folder, 'application sink { live on; }');
  if (!sinks) return [];
  const sink = await sinks.start();
  try {
    const addresses = Array.from({ length: PUSHES }, (_, index) => `rtmp://127.0.0.1:${sink.rtmpPort}/sink/to${index}`);
    const pushes = addresses.map((address) => `push ${address};`).join('\n');
    const config = `live ${PUSHED_APP} { ${pushes} }`;
    const peer = nginxPeer(
      context.workFolder,
      `application ${PUSHED_APP} { ${hlsDirectives(context.workFolder, `hls-${PUSHED_APP}`)} ${pushes} }`,
    );
    const push = (kind: TargetKind): Promise<Cost> => withStream(context, kind, costOf, PUSHED_APP, config);
    const pushed = await rounds(context, `${PUSHES} RTMP pushes`, push, context.peer && peer);
    const bare = await rounds(
      context,
      'the same stream without pushes',
      (kind) => withStream(context, kind, costOf),
      context.peer,
    );
    const target = { ofPeer: OF_PEER };
    const each = ({ cores }: Cost, without: Cost | undefined): number =>
      ((cores - (without?.cores ?? 0)) * 1000) / PUSHES;
    const difference = {
      ours: pushed.ours.map((cost, round) => each(cost, bare.ours[round])),
      peer: pushed.peer.map((cost, round) => each(cost, bare.peer[round])),
    };
    return [
      ...rowsOf('rtmp-out', pushed, [
        { name: `CPU, ${PUSHES} pushes of one stream`, unit: 'cores', target, of: coresOf },
      ]),
      ...rowsOf('rtmp-out', difference, [{ name: 'CPU of each push', unit: 'millicores', target, of: (cost) => cost }]),
    ];
  } finally {
    await sink.stop();
  }
}

/** Starts a server with one publisher. */
async function withStream(
  context: BenchContext,
  kind: TargetKind,
  measure: (server: Target) => Promise<Cost>,
  app?: string,
  streams?: string,
): Promise<Cost> {
  return withServer(kind, streams, async (server) => {
    const { flv } = context.media;
    const replay = await startReplay({ flv, port: server.rtmpPort, app: app ?? server.app, prefix: 'cam', count: 1 });
    const cost = await measure(server);
    await replay.stop();
    return cost;
  });
}

async function costOf({ pid }: Target): Promise<Cost> {
  await pause(SETTLE_MS);
  const cores = await coresDuring([pid], () => pause(MEASURE_MS));
  return { cores, megabytes: residentMegabytes(pid) };
}

/** Measures our server and the peer alternately. */
function rounds(
  context: BenchContext,
  title: string,
  measure: (kind: TargetKind) => Promise<Cost>,
  peer: TargetKind | undefined,
): Promise<Measured<Cost>> {
  return alternate(context, {
    title: `rtmp-out: ${title}`,
    count: context.isQuick ? 1 : ROUNDS,
    ours: () => measure(context.ours),
    peer: peer && (() => measure(peer)),
  });
}

function coresOf({ cores }: Cost): number {
  return cores;
}
