import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type BenchContext } from '../context.ts';
import { coresDuring, residentMegabytes } from '../process-cost.ts';
import { protocolSources, type ProtocolSource } from '../protocol-sources.ts';
import { stopChild } from '../replay.ts';
import { alternate, rowsOf, withServer } from '../rounds.ts';
import type { Row } from '../row.ts';

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

/** Cost of one stream by each protocol, including the processes that read it; ffmpeg that copies it into HLS is the peer. */
export async function protocols(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, make } of protocolSources(context.media, context.workFolder, STREAMS)) {
    if (context.protocols && !context.protocols.some((prefix) => name.startsWith(prefix))) continue;
    let isPeerHls = true;
    const cost = async (measure: typeof measureOurs): Promise<Cost> => {
      const source = await make();
      isPeerHls = source.isPeerHls;
      try {
        return await measure(context, source);
      } finally {
        await source.stop();
      }
    };
    const measured = await alternate(context, {
      title: `protocols: ${name}`,
      count: context.isQuick ? 1 : ROUNDS,
      ours: () => cost(measureOurs),
      peer: () => cost(measurePeer),
    });
    const ofPeer = MAX_OF_PEER[name];
    const note = `the peer is ffmpeg -c copy ${isPeerHls ? 'into HLS' : 'into nothing'}, a process for each stream`;
    rows.push(
      ...rowsOf('protocols', measured, [
        {
          name: `${name}: CPU per stream`,
          unit: 's/stream-min',
          target: ofPeer === undefined ? undefined : { ofPeer },
          note,
          of: ({ cpuPerStreamMinute }) => cpuPerStreamMinute,
        },
        { name: `${name}: memory per stream`, unit: 'MB', note, of: ({ megabytesPerStream }) => megabytesPerStream },
      ]),
    );
  }
  return rows;
}

async function measureOurs(context: BenchContext, source: ProtocolSource): Promise<Cost> {
  const indexes = Array.from({ length: STREAMS }, (_, index) => index);
  const text = indexes.flatMap((index) => {
    const address = source.ours(index);
    return address === undefined ? [] : [`stream in${index} { input ${address}; }`];
  });
  if (!source.isSenderLast) await source.send(undefined);
  return withServer(context.ours, text.join('\n'), async (server) => {
    if (source.isSenderLast) {
      // The processes that read inputs open their ports with a delay.
      await pause(2000);
      await source.send(server.rtmpPort);
    }
    return costOf(context, [server.pid]);
  });
}

async function measurePeer(context: BenchContext, source: ProtocolSource): Promise<Cost> {
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
  await pause(isQuick ? QUICK_SETTLE_MS : SETTLE_MS);
  const cores = await coresDuring(pids, () => pause(isQuick ? QUICK_MEASURE_MS : MEASURE_MS));
  return {
    cpuPerStreamMinute: (cores * 60) / STREAMS,
    megabytesPerStream: pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0) / STREAMS,
  };
}
