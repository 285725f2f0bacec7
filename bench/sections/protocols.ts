import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type BenchContext } from '../context.ts';
import { cpuSeconds, residentMegabytes } from '../process-cost.ts';
import { protocolSources, type Protocol, type ProtocolSource } from '../protocol-sources.ts';
import { stopChild } from '../replay.ts';
import { figuresOf, type Row } from '../row.ts';

/** Concurrent streams of each protocol. */
const STREAMS = 4;
/** Time before the measurement. With `MEASURE_MS` it must be less than 32 s, the length of a clip that is served once. */
const SETTLE_MS = 9000;
const MEASURE_MS = 15_000;
const QUICK_SETTLE_MS = 6000;
const QUICK_MEASURE_MS = 8000;
const ROUNDS = 3;
/** Maximum processor time relative to ffmpeg, by name of the protocol. */
const MAX_OF_PEER: Readonly<Record<string, number>> = { SRT: 1.3, 'RTSP, pulled': 1.3 };
const HLS = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '6', '-hls_flags', 'delete_segments'];

interface Cost {
  readonly cpuPerStreamMinute: number;
  readonly megabytesPerStream: number;
}

/** Costs of all rounds of one protocol. */
interface Rounds {
  readonly ours: Cost[];
  readonly peer: Cost[];
  isPeerHls: boolean;
}

/** Cost of one stream by each protocol, including the processes that read it; ffmpeg that copies it into HLS is the peer. */
export async function protocols(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const protocol of protocolSources(context.media, context.workFolder, STREAMS)) {
    if (context.protocols && !context.protocols.some((name) => protocol.name.startsWith(name))) continue;
    const rounds = await measureRounds(context, protocol);
    const ofPeer = MAX_OF_PEER[protocol.name];
    rows.push({
      ...row(rounds, ({ cpuPerStreamMinute }) => cpuPerStreamMinute),
      name: `${protocol.name}: CPU per stream`,
      unit: 's/stream-min',
      ...(ofPeer === undefined ? {} : { target: { ofPeer } }),
    });
    rows.push({
      ...row(rounds, ({ megabytesPerStream }) => megabytesPerStream),
      name: `${protocol.name}: memory per stream`,
      unit: 'MB',
    });
  }
  return rows;
}

/** Median and spread of one cost, for our server and for the peer. */
function row({ ours, peer, isPeerHls }: Rounds, of: (cost: Cost) => number): Omit<Row, 'name' | 'unit'> {
  return {
    section: 'protocols',
    ...figuresOf(ours.map(of), peer.map(of)),
    better: 'lower',
    note: `the peer is ffmpeg -c copy ${isPeerHls ? 'into HLS' : 'into nothing'}, a process for each stream`,
  };
}

/** Measures our server and ffmpeg alternately, so that other work of the machine affects both. */
async function measureRounds(context: BenchContext, { make }: Protocol): Promise<Rounds> {
  const rounds: Rounds = { ours: [], peer: [], isPeerHls: true };
  for (let round = 0; round < (context.isQuick ? 1 : ROUNDS); round++) {
    for (const [costs, measure] of [
      [rounds.ours, measureOurs],
      [rounds.peer, measurePeer],
    ] as const) {
      const source = await make();
      try {
        rounds.isPeerHls = source.isPeerHls;
        costs.push(await measure(context, source));
      } finally {
        await source.stop();
      }
    }
  }
  return rounds;
}

async function measureOurs(context: BenchContext, source: ProtocolSource): Promise<Cost> {
  context.say(`protocols: ${source.name}, ours`);
  const indexes = Array.from({ length: STREAMS }, (_, index) => index);
  const text = indexes.flatMap((index) => {
    const address = source.ours(index);
    return address === undefined ? [] : [`stream in${index} { input ${address}; }`];
  });
  if (!source.isSenderLast) await source.send(undefined);
  const server = await context.ours.start(text.join('\n'));
  try {
    if (source.isSenderLast) {
      // The processes that read inputs open their ports with a delay.
      await pause(2000);
      await source.send(server.rtmpPort);
    }
    return await costOf(context, [server.pid]);
  } finally {
    await server.stop();
  }
}

async function measurePeer(context: BenchContext, source: ProtocolSource): Promise<Cost> {
  context.say(`protocols: ${source.name}, ffmpeg`);
  const folder = join(context.workFolder, 'peer-hls');
  mkdirSync(folder, { recursive: true });
  if (!source.isSenderLast) await source.send(undefined);
  const children = Array.from({ length: STREAMS }, (_, index) =>
    spawn(
      'ffmpeg',
      [
        '-v',
        'error',
        '-nostdin',
        ...source.peer(index),
        '-c',
        'copy',
        ...(source.isPeerHls ? [...HLS, join(folder, `${index}.m3u8`)] : ['-f', 'null', '-']),
      ],
      { stdio: 'ignore' },
    ),
  );
  try {
    if (source.isSenderLast) {
      await pause(2000);
      await source.send(undefined);
    }
    return await costOf(
      context,
      children.map(({ pid }) => pid ?? 0),
    );
  } finally {
    await Promise.all(children.map((child) => stopChild(child, 'SIGKILL')));
  }
}

async function costOf({ isQuick }: BenchContext, pids: readonly number[]): Promise<Cost> {
  const total = (of: (pid: number) => number): number => pids.reduce((sum, pid) => sum + of(pid), 0);
  await pause(isQuick ? QUICK_SETTLE_MS : SETTLE_MS);
  const [cpu, startMs] = [total(cpuSeconds), performance.now()];
  await pause(isQuick ? QUICK_MEASURE_MS : MEASURE_MS);
  const streamMinutes = (STREAMS * (performance.now() - startMs)) / 60_000;
  return {
    cpuPerStreamMinute: (total(cpuSeconds) - cpu) / streamMinutes,
    megabytesPerStream: total(residentMegabytes) / STREAMS,
  };
}
