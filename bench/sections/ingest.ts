import { pause, type BenchContext } from '../context.ts';
import { coresDuring, residentMegabytes } from '../process-cost.ts';
import { startPublishers, type PublisherProcesses } from '../replay.ts';
import { alternate, rowsOf, withServer, type Measured } from '../rounds.ts';
import { median, type Row } from '../row.ts';
import type { TargetKind } from '../target.ts';

/** Time until the window is full and the memory for the start has been released, in milliseconds. */
const SETTLE_MS = 16_000;
const MEASURE_MS = 15_000;
const ROUNDS = 3;
const QUICK_SETTLE_MS = 8000;
const QUICK_MEASURE_MS = 8000;
/** Number of publishers from which they are also measured in one process: the difference is the cost of waking the server. */
const IN_ONE_PROCESS_FROM = 25;

interface IngestCost {
  readonly cpuPerStreamMinute: number;
  readonly residentMegabytes: number;
  readonly isLate: boolean;
}

/** Measures the processor time and memory of publishers, with all outputs that are made without a request. */
export async function ingest(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  const [first = 1] = context.counts;
  const base: { ours?: number; peer?: number } = {};
  for (const count of context.counts) {
    const each = await measureRounds(context, count, 'each');
    rows.push(...cpuRow(each, `CPU per stream, ${count} RTMP publishers`, count));
    if (count >= IN_ONE_PROCESS_FROM) {
      const one = await measureRounds(context, count, 'one');
      rows.push(...cpuRow(one, `CPU per stream, ${count} RTMP publishers in one process`));
    }
    const [ours, peer] = [memoryOf(each.ours), memoryOf(each.peer)];
    base.ours ??= ours;
    base.peer ??= peer;
    if (count === first) continue;
    rows.push({
      section: 'ingest',
      name: `memory per stream, ${count} publishers`,
      unit: 'MB',
      ours: (ours - base.ours) / (count - first),
      ...(context.peer ? { peer: (peer - base.peer) / (count - first) } : {}),
      better: 'lower',
      ...(count === 25 ? { target: 10 } : {}),
      note: 'window in memory; the peer has files',
    });
  }
  rows.push({
    section: 'ingest',
    name: `memory of the process, ${first} publishers`,
    unit: 'MB',
    ours: base.ours ?? 0,
    ...(context.peer ? { peer: base.peer ?? 0 } : {}),
    better: 'lower',
  });
  return rows;
}

/** Maximum cost relative to the peer, by number of publishers. */
const MAX_OF_PEER: Readonly<Record<number, number>> = { 25: 1, 50: 0.9 };

function cpuRow(measured: Measured<IngestCost>, name: string, count = 0): Row[] {
  const ofPeer = MAX_OF_PEER[count];
  return rowsOf('ingest', measured, [
    {
      name,
      unit: 's/stream-min',
      target: ofPeer === undefined ? undefined : { ofPeer },
      ...(measured.ours.some(({ isLate }) => isLate) ? { note: 'did not keep up' } : {}),
      of: ({ cpuPerStreamMinute }) => cpuPerStreamMinute,
    },
  ]);
}

function memoryOf(costs: readonly IngestCost[]): number {
  return median(costs.map(({ residentMegabytes: megabytes }) => megabytes));
}

function measureRounds(
  context: BenchContext,
  count: number,
  processes: PublisherProcesses,
): Promise<Measured<IngestCost>> {
  const { peer } = context;
  return alternate(context, {
    title: `ingest: ${count} publishers${processes === 'one' ? ' in one process' : ''}`,
    count: context.isQuick ? 1 : ROUNDS,
    ours: () => measure(context, context.ours, count, processes),
    peer: peer && (() => measure(context, peer, count, processes)),
  });
}

/**
 * Measures publishers on a new server.
 *
 * @param app application other than the default one
 * @param streams configuration of this application
 */
export async function measure(
  context: BenchContext,
  kind: TargetKind,
  count: number,
  processes: PublisherProcesses,
  { app, streams }: { readonly app?: string; readonly streams?: string } = {},
): Promise<IngestCost> {
  return withServer(kind, streams, async (server) => {
    const replay = await startPublishers(
      { flv: context.media.flv, port: server.rtmpPort, app: app ?? server.app, prefix: 'cam', count },
      processes,
    );
    await pause(context.isQuick ? QUICK_SETTLE_MS : SETTLE_MS);
    const cores = await coresDuring([server.pid], () => pause(context.isQuick ? QUICK_MEASURE_MS : MEASURE_MS));
    const cost = {
      cpuPerStreamMinute: (cores * 60) / count,
      residentMegabytes: residentMegabytes(server.pid),
      isLate: replay.isLate,
    };
    await replay.stop();
    return cost;
  });
}
