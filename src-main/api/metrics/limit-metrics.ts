import type { WebhookFigures } from '../../subscribers/webhook.ts';
import type { ServerFigures } from '../../streams/server-stats.ts';
import { counted, single, type MetricFamily } from './metrics.ts';

/** Counts by name, for a fixed set of names. */
type Counts = Iterable<readonly [string, number]>;

/** Counts of admitted and refused connections and requests since the start of the server. */
export interface LimitFigures {
  /** Number of open HTTP connections, and their maximum. */
  readonly connections: { readonly open: number; readonly limit: number };
  /** Number of open RTMP connections, and their maximum. */
  readonly rtmpConnections: { readonly open: number; readonly limit: number };
  /** HTTP connections that the limit closed at once. */
  readonly refusedConnections: Counts;
  /** HTTP connections that exceeded a deadline, by their state. */
  readonly cutConnections: Counts;
  /** Requests that were refused by a limit, or refused before they were read, by status. */
  readonly refusedRequests: Counts;
  /** Refused requests of viewers, by error code. */
  readonly refusedViewers: Counts;
  /** Refused publishers, by error code. */
  readonly refusedPublishers: Counts;
  readonly refusedLogins: Counts;
  /** Number of inputs in quarantine now, and of quarantines since the start. */
  readonly quarantine: { readonly active: number; readonly total: number };
  /** Number of rows of the log of advertisements that were lost because the disk was too slow. */
  readonly lostAdRows: number;
  /** Queue figures of webhooks; undefined if there are no webhooks. */
  readonly webhooks: WebhookFigures | undefined;
  /** Number of open files and connections of the process, and their maximum; undefined if the system does not report it. */
  readonly openFiles: { readonly count: number; readonly limit: number } | undefined;
  readonly threads: ServerFigures['threads'];
}

/** Metrics of limits. Counters of a thread restart with the thread. */
export function limitMetrics(figures: LimitFigures): MetricFamily[] {
  const { connections, rtmpConnections, openFiles, quarantine, webhooks, threads } = figures;
  const ofThreads = (read: (thread: ServerFigures['threads'][number]) => number): Counts =>
    threads.map((thread) => [`media-${thread.index}`, read(thread)]);
  const maximum = (of: string): string => `Maximum number of ${of} allowed by the configuration and the file handles`;
  return [
    single('airdesk_http_connections', 'Open HTTP connections', connections.open),
    single('airdesk_http_connections_limit', maximum('HTTP connections'), connections.limit),
    single('airdesk_rtmp_connections', 'Open RTMP connections', rtmpConnections.open),
    single('airdesk_rtmp_connections_limit', maximum('RTMP connections'), rtmpConnections.limit),
    single('process_open_fds', 'Open files and connections', openFiles?.count),
    single('process_max_fds', 'Maximum number of open files and connections', openFiles?.limit),
    single('airdesk_inputs_quarantined', 'Inputs in quarantine', quarantine.active),
    single(
      'airdesk_webhook_dead_letters',
      'Listed operations that could not be delivered to webhooks',
      webhooks?.deadLetters,
    ),
    single('airdesk_webhook_replays', 'Operations that wait for another delivery to webhooks', webhooks?.replays),
    single('airdesk_webhooks_failing', 'Webhooks whose last attempt failed', webhooks?.failing),
    single('airdesk_webhooks_off', 'Webhooks switched off by operators or by the status 410', webhooks?.off),
    counted(
      'airdesk_http_connections_refused_total',
      'HTTP connections closed at once: too many in total, too many from one address, only the reserve left, or no file handle',
      'reason',
      figures.refusedConnections,
    ),
    counted(
      'airdesk_http_connections_cut_total',
      'HTTP connections closed because sending a head or a body, or reading an answer, took too long',
      'phase',
      figures.cutConnections,
    ),
    counted(
      'airdesk_http_requests_refused_total',
      'Requests refused by a limit, or not valid HTTP/1.1',
      'status',
      figures.refusedRequests,
    ),
    counted('airdesk_playback_refused_total', 'Refused requests of viewers', 'code', figures.refusedViewers),
    counted('airdesk_publishers_refused_total', 'Refused publishers', 'code', figures.refusedPublishers),
    counted(
      'airdesk_logins_refused_total',
      'Refused logins: wrong ones, and unchecked logins from addresses with too many wrong ones',
      'reason',
      figures.refusedLogins,
    ),
    counted(
      'airdesk_rtmp_connections_refused_total',
      'RTMP connections closed at once because the maximum was reached',
      'thread',
      ofThreads(({ refusedConnections }) => refusedConnections),
    ),
    counted(
      'airdesk_inputs_evicted_total',
      'Inputs disconnected because the inputs of a thread had too much unfinished data',
      'thread',
      ofThreads(({ evictedInputs }) => evictedInputs),
    ),
    single('airdesk_input_quarantines_total', 'Quarantines of inputs', quarantine.total),
    single(
      'airdesk_ads_log_rows_lost_total',
      'Rows of the log of advertisements lost because the disk was too slow',
      figures.lostAdRows,
    ),
    single(
      'airdesk_webhook_dead_letters_dropped_total',
      'Undelivered operations removed from the list because a webhook had more than 10000',
      webhooks?.deadLettersDropped ?? 0,
    ),
  ];
}
