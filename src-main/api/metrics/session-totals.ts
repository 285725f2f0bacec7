import type { NativeSessionStats } from '../../../src-preload/contract/api/native.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { ShownContext } from '../endpoints/api-context.ts';
import { counted, single, type MetricFamily } from './metrics.ts';
import type { SessionSource } from '../../control/sessions/playback-sessions.ts';

const SESSIONS_PER_STEP = 100;

export interface SessionTotals {
  readonly count: number;
  readonly bytes: number;
  readonly ips: number;
  readonly byProto: ReadonlyMap<string, number>;
  readonly byStatus: ReadonlyMap<string, number>;
  /** Number of sessions by stream or file, then by protocol. */
  readonly byName: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Adds up the open sessions, in steps. */
export function* sessionTotals(sessions: Pick<SessionSource, 'list'>): Generator<void, SessionTotals> {
  const byProto = new Map<string, number>();
  const byStatus = new Map<string, number>();
  const byName = new Map<string, Map<string, number>>();
  const ips = new Set<string>();
  let count = 0;
  let bytes = 0;
  for (const session of sessions.list()) {
    bytes += session.bytes;
    ips.add(session.ip);
    add(byProto, session.proto);
    add(byStatus, session.status);
    const protos = byName.get(session.name) ?? new Map<string, number>();
    byName.set(session.name, protos);
    add(protos, session.proto);
    if (++count % SESSIONS_PER_STEP === 0) yield;
  }
  return { count, bytes, ips: ips.size, byProto, byStatus, byName };
}

export async function sessionStats({
  sessions,
  stats,
}: Pick<ShownContext, 'sessions' | 'stats'>): Promise<NativeSessionStats> {
  const totals = await runInTurns(sessionTotals(sessions));
  const { totalClients, outputKbit } = stats.figures();
  return {
    session_count: totals.count,
    stream_count: totals.byName.size,
    ip_count: totals.ips,
    bytes: totals.bytes,
    by_proto: Object.fromEntries(totals.byProto),
    by_status: Object.fromEntries(totals.byStatus),
    total_clients: totalClients,
    output_kbit: outputKbit,
  };
}

export async function sessionMetrics({ sessions }: Pick<ShownContext, 'sessions'>): Promise<MetricFamily[]> {
  const { byProto, byStatus, byName, bytes, ips } = await runInTurns(sessionTotals(sessions));
  return [
    counted('airdesk_sessions', 'Open sessions by protocol', 'proto', byProto),
    counted('airdesk_sessions_by_status', 'Open sessions by status', 'status', byStatus),
    single('airdesk_session_addresses', 'Addresses that sessions come from', ips),
    single('airdesk_sessions_sent_bytes', 'Bytes delivered to the open sessions', bytes),
    {
      name: 'airdesk_stream_sessions',
      type: 'gauge',
      help: 'Open sessions of a stream or file by protocol',
      samples: perName(byName),
    },
  ];
}

function* perName(
  byName: SessionTotals['byName'],
): Generator<{ readonly labels: Readonly<Record<string, string>>; readonly value: number }, void> {
  for (const [name, protos] of byName) for (const [proto, value] of protos) yield { labels: { name, proto }, value };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
