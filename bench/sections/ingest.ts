import { pause, type BenchContext } from '../context.ts';
import { cpuSeconds, residentMegabytes } from '../process-cost.ts';
import { startReplay } from '../replay.ts';
import type { Row } from '../row.ts';
import type { TargetKind } from '../target.ts';

/** After this long the window is full, and memory that was only needed for the start has been given back. */
const SETTLE_MS = 20_000;
const MEASURE_MS = 25_000;
const QUICK_SETTLE_MS = 8000;
const QUICK_MEASURE_MS = 8000;

interface IngestCost {
  readonly cpuPerStreamMinute: number;
  readonly residentMegabytes: number;
  readonly isLate: boolean;
}

/** What publishers cost: processor time and memory of the server, with every output that it makes by itself. */
export async function ingest(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  const base = new Map<string, number>();
  const kinds = context.peer ? [context.ours, context.peer] : [context.ours];
  for (const count of context.counts) {
    const [ours, peer] = [
      await measure(context, context.ours, count),
      context.peer && (await measure(context, context.peer, count)),
    ];
    const costs = [ours, peer];
    rows.push({
      section: 'ingest',
      name: `CPU per stream, ${count} RTMP publishers`,
      unit: 's/stream-min',
      ours: ours.cpuPerStreamMinute,
      ...(peer ? { peer: peer.cpuPerStreamMinute } : {}),
      better: 'lower',
      ...(count === 25 ? { target: 0.2 } : {}),
      ...(ours.isLate ? { note: 'did not keep up' } : {}),
    });
    for (const [index, kind] of kinds.entries())
      if (!base.has(kind.name)) base.set(kind.name, costs[index]?.residentMegabytes ?? 0);
    if (count === context.counts[0]) continue;
    const perStream = (kind: TargetKind, cost: IngestCost): number =>
      (cost.residentMegabytes - (base.get(kind.name) ?? 0)) / (count - (context.counts[0] ?? 1));
    rows.push({
      section: 'ingest',
      name: `memory per stream, ${count} publishers`,
      unit: 'MB',
      ours: perStream(context.ours, ours),
      ...(peer && context.peer ? { peer: perStream(context.peer, peer) } : {}),
      better: 'lower',
      ...(count === 25 ? { target: 10 } : {}),
      note: 'window in memory; the peer has files',
    });
  }
  const [first] = context.counts;
  rows.push({
    section: 'ingest',
    name: `memory of the process, ${first} publishers`,
    unit: 'MB',
    ours: base.get(context.ours.name) ?? 0,
    ...(context.peer ? { peer: base.get(context.peer.name) ?? 0 } : {}),
    better: 'lower',
  });
  return rows;
}

async function measure(context: BenchContext, kind: TargetKind, count: number): Promise<IngestCost> {
  context.say(`ingest: ${count} publishers to ${kind.name}`);
  const server = await kind.start();
  try {
    const replay = await startReplay({
      flv: context.media.flv,
      port: server.rtmpPort,
      app: server.app,
      prefix: 'cam',
      count,
    });
    await pause(context.isQuick ? QUICK_SETTLE_MS : SETTLE_MS);
    const [cpu, startMs] = [cpuSeconds(server.pid), performance.now()];
    await pause(context.isQuick ? QUICK_MEASURE_MS : MEASURE_MS);
    const streamMinutes = (count * (performance.now() - startMs)) / 60_000;
    const cost = {
      cpuPerStreamMinute: (cpuSeconds(server.pid) - cpu) / streamMinutes,
      residentMegabytes: residentMegabytes(server.pid),
      isLate: replay.isLate,
    };
    await replay.stop();
    return cost;
  } finally {
    await server.stop();
  }
}
