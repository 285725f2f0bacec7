import { expect, it } from 'vitest';
import { limitMetrics, type LimitFigures } from './limit-metrics.ts';
import { metricLines } from './metrics.ts';

const FIGURES: LimitFigures = {
  connections: { open: 3, limit: 10 },
  rtmpConnections: { open: 0, limit: 5 },
  refusedConnections: [['all', 2]],
  cutConnections: [],
  refusedRequests: [],
  refusedViewers: [],
  refusedPublishers: [],
  refusedLogins: [],
  quarantine: { active: 1, total: 4 },
  lostAdRows: 7,
  webhooks: { deadLetters: 3, deadLettersDropped: 2, replays: 5, failing: 1, off: 4 },
  openFiles: undefined,
  threads: [],
};

it('limit metrics contain refused and lost items, and omit metrics without values', () => {
  const text = [...metricLines(limitMetrics(FIGURES))].join('');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).toEqual([
    'airdesk_http_connections 3',
    'airdesk_http_connections_limit 10',
    'airdesk_rtmp_connections 0',
    'airdesk_rtmp_connections_limit 5',
    'airdesk_inputs_quarantined 1',
    'airdesk_webhook_dead_letters 3',
    'airdesk_webhook_replays 5',
    'airdesk_webhooks_failing 1',
    'airdesk_webhooks_off 4',
    'airdesk_http_connections_refused_total{reason="all"} 2',
    'airdesk_input_quarantines_total 4',
    'airdesk_ads_log_rows_lost_total 7',
    'airdesk_webhook_dead_letters_dropped_total 2',
  ]);
});
