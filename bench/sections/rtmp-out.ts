import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { pause, type BenchContext } from '../context.ts';
import { hlsDirectives, nginxPeer } from '../nginx-peer.ts';
import { cpuSeconds, residentMegabytes } from '../process-cost.ts';
import { startReplay } from '../replay.ts';
import { figuresOf, percentile, type Row } from '../row.ts';
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
      context.say(`${PLAYERS} RTMP players of ${kind.name}`);
      const viewers = await startRtmpViewers({ port: server.rtmpPort, app: server.app, name: 'cam1', count: PLAYERS });
      const cost = await costOf(server);
      await viewers.stop();
      return { ...cost, megabytes: cost.megabytes - before, firstPicturesMs: viewers.firstPicturesMs };
    });
  const { ours, peer } = await rounds(context, play, context.peer);
  const slowest = (costs: readonly Cost[]): number[] =>
    costs.map(({ firstPicturesMs = [] }) => percentile(firstPicturesMs, 0.95));
  return [
    row(`CPU, ${PLAYERS} players of one stream`, 'cores', ours.map(coresOf), peer.map(coresOf), { ofPeer: OF_PEER }),
    row(
      `memory of each of ${PLAYERS} players`,
      'MB',
      ours.map(({ megabytes }) => megabytes / PLAYERS),
      peer.map(({ megabytes }) => megabytes / PLAYERS),
      2,
    ),
    row('play to first key frame, 95 %', 'ms', slowest(ours), slowest(peer), GOP_MS),
  ];
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
    const cost = (kind: TargetKind): Promise<Cost> => {
      context.say(`${PUSHES} RTMP pushes of ${kind.name}`);
      return withStream(context, kind, costOf, PUSHED_APP, `live ${PUSHED_APP} { ${pushes} }`);
    };
    const peer = nginxPeer(
      context.workFolder,
      `application ${PUSHED_APP} { ${hlsDirectives(context.workFolder, `hls-${PUSHED_APP}`)} ${pushes} }`,
    );
    const costs = await rounds(context, cost, context.peer && peer);
    const bare = await rounds(context, (kind) => withStream(context, kind, costOf), context.peer);
    const each = (all: readonly Cost[], without: readonly Cost[]): number[] =>
      all.map(({ cores }, round) => ((cores - (without[round]?.cores ?? 0)) * 1000) / PUSHES);
    return [
      row(`CPU, ${PUSHES} pushes of one stream`, 'cores', costs.ours.map(coresOf), costs.peer.map(coresOf), {
        ofPeer: OF_PEER,
      }),
      row('CPU of each push', 'millicores', each(costs.ours, bare.ours), each(costs.peer, bare.peer), {
        ofPeer: OF_PEER,
      }),
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
  const server = await kind.start(streams);
  try {
    const { flv } = context.media;
    const replay = await startReplay({ flv, port: server.rtmpPort, app: app ?? server.app, prefix: 'cam', count: 1 });
    const cost = await measure(server);
    await replay.stop();
    return cost;
  } finally {
    await server.stop();
  }
}

async function costOf({ pid }: Target): Promise<Cost> {
  await pause(SETTLE_MS);
  const [cpu, startMs] = [cpuSeconds(pid), performance.now()];
  await pause(MEASURE_MS);
  const seconds = (performance.now() - startMs) / 1000;
  return { cores: (cpuSeconds(pid) - cpu) / seconds, megabytes: residentMegabytes(pid) };
}

/** Measures our server and the peer alternately. */
async function rounds(
  context: BenchContext,
  measure: (kind: TargetKind) => Promise<Cost>,
  peer: TargetKind | undefined,
): Promise<{ readonly ours: readonly Cost[]; readonly peer: readonly Cost[] }> {
  const costs = { ours: [] as Cost[], peer: [] as Cost[] };
  for (let round = 0; round < (context.isQuick ? 1 : ROUNDS); round++) {
    costs.ours.push(await measure(context.ours));
    if (peer) costs.peer.push(await measure(peer));
  }
  return costs;
}

function coresOf({ cores }: Cost): number {
  return cores;
}

function row(name: string, unit: string, ours: readonly number[], peer: readonly number[], target: Row['target']): Row {
  return { section: 'rtmp-out', name, unit, ...figuresOf(ours, peer), better: 'lower', target };
}
