import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebhookFigures } from '../../subscribers/webhook.ts';
import type { ServerFigures } from '../../streams/server-stats.ts';

/** Counts by a closed set of names. */
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
  /** Requests that a limit refused, or that were not read, by status. */
  readonly refusedRequests: Counts;
  /** Refused requests of viewers, by error code. */
  readonly refusedViewers: Counts;
  /** Refused publishers, by error code. */
  readonly refusedPublishers: Counts;
  /** Refused logins. */
  readonly refusedLogins: Counts;
  /** Number of inputs in quarantine now, and of quarantines since the start. */
  readonly quarantine: { readonly active: number; readonly total: number };
  /** Rows of the log of advertisements that were lost because the disk was too slow. */
  readonly lostAdRows: number;
  /** Fill levels of webhook queues; undefined if there are no webhooks. */
  readonly webhooks: WebhookFigures | undefined;
  /** Number of open files and connections of the process, and their maximum; undefined if the system does not report it. */
  readonly openFiles: { readonly count: number; readonly limit: number } | undefined;
  readonly threads: ServerFigures['threads'];
}

/** Counter with one label, and the source of its values. */
const COUNTERS: readonly {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly read: (figures: LimitFigures) => Counts;
}[] = [
  {
    name: 'airdesk_http_connections_refused_total',
    help: 'HTTP connections closed at once: too many in total, too many from one address, only the reserve left, or no file handle',
    label: 'reason',
    read: ({ refusedConnections }) => refusedConnections,
  },
  {
    name: 'airdesk_http_connections_cut_total',
    help: 'HTTP connections closed because sending a head or a body, or reading an answer, took too long',
    label: 'phase',
    read: ({ cutConnections }) => cutConnections,
  },
  {
    name: 'airdesk_http_requests_refused_total',
    help: 'Requests refused by a limit, or not valid HTTP/1.1',
    label: 'status',
    read: ({ refusedRequests }) => refusedRequests,
  },
  {
    name: 'airdesk_playback_refused_total',
    help: 'Refused requests of viewers',
    label: 'code',
    read: ({ refusedViewers }) => refusedViewers,
  },
  {
    name: 'airdesk_publishers_refused_total',
    help: 'Refused publishers',
    label: 'code',
    read: ({ refusedPublishers }) => refusedPublishers,
  },
  {
    name: 'airdesk_logins_refused_total',
    help: 'Refused logins: wrong ones, and unchecked logins from addresses with too many wrong ones',
    label: 'reason',
    read: ({ refusedLogins }) => refusedLogins,
  },
  {
    name: 'airdesk_rtmp_connections_refused_total',
    help: 'RTMP connections closed at once because the maximum was reached',
    label: 'thread',
    read: ({ threads }) => threads.map(({ index, refusedConnections }) => [`media-${index}`, refusedConnections]),
  },
  {
    name: 'airdesk_inputs_evicted_total',
    help: 'Inputs disconnected because the inputs of a thread had too much unfinished data',
    label: 'thread',
    read: ({ threads }) => threads.map(({ index, evictedInputs }) => [`media-${index}`, evictedInputs]),
  },
];

/** Adds metrics of limits. Counters of a thread restart with the thread. */
export function addLimitMetrics(registry: Registry, figures: () => LimitFigures): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (figures: LimitFigures) => number | undefined): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read(figures());
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  gauge('airdesk_http_connections', 'Open HTTP connections', ({ connections }) => connections.open);
  gauge(
    'airdesk_http_connections_limit',
    'Maximum number of HTTP connections allowed by the configuration and the file handles',
    ({ connections }) => connections.limit,
  );
  gauge('airdesk_rtmp_connections', 'Open RTMP connections', ({ rtmpConnections }) => rtmpConnections.open);
  gauge(
    'airdesk_rtmp_connections_limit',
    'Maximum number of RTMP connections allowed by the configuration and the file handles',
    ({ rtmpConnections }) => rtmpConnections.limit,
  );
  gauge('process_open_fds', 'Open files and connections', ({ openFiles }) => openFiles?.count);
  gauge('process_max_fds', 'Maximum number of open files and connections', ({ openFiles }) => openFiles?.limit);
  gauge('airdesk_inputs_quarantined', 'Inputs in quarantine', ({ quarantine }) => quarantine.active);
  gauge(
    'airdesk_webhook_dead_letters',
    'Listed operations that could not be delivered to webhooks',
    ({ webhooks }) => webhooks?.deadLetters,
  );
  gauge(
    'airdesk_webhook_replays',
    'Operations that wait for another delivery to webhooks',
    ({ webhooks }) => webhooks?.replays,
  );
  gauge('airdesk_webhooks_failing', 'Webhooks whose last attempt failed', ({ webhooks }) => webhooks?.failing);
  gauge(
    'airdesk_webhooks_off',
    'Webhooks switched off by operators or by the status 410',
    ({ webhooks }) => webhooks?.off,
  );
  for (const { name, help, label, read } of COUNTERS)
    new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, count] of read(figures())) this.inc({ [label]: value }, count);
      },
    });
  const counter = (name: string, help: string, read: (figures: LimitFigures) => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read(figures()));
      },
    });
  };
  counter('airdesk_input_quarantines_total', 'Quarantines of inputs', ({ quarantine }) => quarantine.total);
  counter(
    'airdesk_ads_log_rows_lost_total',
    'Rows of the log of advertisements lost because the disk was too slow',
    ({ lostAdRows }) => lostAdRows,
  );
  counter(
    'airdesk_webhook_dead_letters_dropped_total',
    'Undelivered operations removed from the list because a webhook had more than 10000',
    ({ webhooks }) => webhooks?.deadLettersDropped ?? 0,
  );
}
