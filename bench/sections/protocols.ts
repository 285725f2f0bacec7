import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause, type BenchContext } from '../context.ts';
import { cpuSeconds, residentMegabytes } from '../process-cost.ts';
import { protocolSources, type ProtocolSource } from '../protocol-sources.ts';
import { stopChild } from '../replay.ts';
import type { Row } from '../row.ts';

/** Streams of each protocol at the same time. */
const STREAMS = 4;
/** Before it is measured; a clip that is served once lasts 32 s. */
const SETTLE_MS = 9000;
const MEASURE_MS = 15_000;
const HLS = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '6', '-hls_flags', 'delete_segments'];

interface Cost {
  readonly cpuPerStreamMinute: number;
  readonly megabytesPerStream: number;
}

/** What one stream costs by each protocol, with the processes that read it; ffmpeg that copies it into HLS is the peer. */
export async function protocols(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const make of protocolSources(context.media, context.workFolder, STREAMS)) {
    const ours = await withSource(make, (source) => measureOurs(context, source));
    const peer = await withSource(make, (source) => measurePeer(context, source));
    const common = {
      section: 'protocols',
      better: 'lower',
      note: `the peer is ffmpeg -c copy ${ours.isPeerHls ? 'into HLS' : 'into nothing'}, a process for each stream`,
    } as const;
    rows.push({
      ...common,
      name: `${ours.name}: CPU per stream`,
      unit: 's/stream-min',
      ours: ours.cost.cpuPerStreamMinute,
      peer: peer.cost.cpuPerStreamMinute,
    });
    rows.push({
      ...common,
      name: `${ours.name}: memory per stream`,
      unit: 'MB',
      ours: ours.cost.megabytesPerStream,
      peer: peer.cost.megabytesPerStream,
    });
  }
  return rows;
}

async function withSource(
  make: () => Promise<ProtocolSource>,
  measure: (source: ProtocolSource) => Promise<Cost>,
): Promise<{ readonly name: string; readonly isPeerHls: boolean; readonly cost: Cost }> {
  const source = await make();
  try {
    return { name: source.name, isPeerHls: source.isPeerHls, cost: await measure(source) };
  } finally {
    await source.stop();
  }
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
      // The listeners of processes that read addresses open a moment later.
      await pause(2000);
      await source.send(server.rtmpPort);
    }
    return await costOf([server.pid]);
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
    return await costOf(children.map(({ pid }) => pid ?? 0));
  } finally {
    await Promise.all(children.map((child) => stopChild(child, 'SIGKILL')));
  }
}

async function costOf(pids: readonly number[]): Promise<Cost> {
  const total = (of: (pid: number) => number): number => pids.reduce((sum, pid) => sum + of(pid), 0);
  await pause(SETTLE_MS);
  const [cpu, startMs] = [total(cpuSeconds), performance.now()];
  await pause(MEASURE_MS);
  const streamMinutes = (STREAMS * (performance.now() - startMs)) / 60_000;
  return {
    cpuPerStreamMinute: (total(cpuSeconds) - cpu) / streamMinutes,
    megabytesPerStream: total(residentMegabytes) / STREAMS,
  };
}
