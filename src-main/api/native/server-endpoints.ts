import {
  nativeAgentsSchema,
  nativeAuthSchema,
  nativeKeyHoldSchema,
  nativeLicenseSchema,
  nativeListenersSchema,
  nativeMetricsSchema,
  nativeSessionStatsSchema,
} from '../../../src-preload/contract/api/native.ts';
import { changedBy } from '../../operators/caller.ts';
import { requireAllStreams } from '../../operators/require.ts';
import { liveMetrics } from '../metrics/live-metrics.ts';
import { METRICS_TYPE } from '../metrics/metrics.ts';
import { nativeAgents, nativeAuth, nativeLicense, nativeListeners } from './server.ts';
import { sessionMetrics, sessionStats } from '../metrics/session-totals.ts';
import { TextBody, type Endpoint, type ReplyDoc } from '../endpoints/endpoint.ts';
import { shownTo } from '../endpoints/shown-server.ts';
import { metricsAnswer } from './metrics-answer.ts';
import type { NativeContext } from './native-context.ts';

const VIEW = { method: 'GET', tag: 'native', access: 'view' } as const;

/** Metrics: Prometheus text, or JSON. */
export const METRICS_REPLY: ReplyDoc = {
  description: 'Prometheus text, or JSON for `Accept: application/json`',
  schema: nativeMetricsSchema,
  otherTypes: ['text/plain'],
};

/** Server and sessions in the native API. */
export function serverEndpoints(context: NativeContext): Endpoint[] {
  return [
    {
      ...VIEW,
      path: '/listeners',
      id: 'native_listeners',
      summary: 'Addresses that the server listens on',
      replies: { 200: { description: 'The listeners', schema: nativeListenersSchema } },
      handle: () => ({ status: 200, body: nativeListeners(context) }),
    },
    {
      ...VIEW,
      path: '/sessions/stats',
      id: 'native_sessions_stats',
      summary: 'Totals of all sessions',
      replies: { 200: { description: 'The statistics', schema: nativeSessionStatsSchema } },
      isScoped: true,
      handle: async ({ caller }) => ({ status: 200, body: await sessionStats(shownTo(context, caller)) }),
    },
    {
      ...VIEW,
      path: '/live-metrics',
      id: 'native_live_metrics',
      summary: 'Metrics of every stream',
      replies: { 200: METRICS_REPLY },
      isScoped: true,
      handle: (request) => metricsAnswer(request, liveMetrics(shownTo(context, request.caller))),
    },
    {
      ...VIEW,
      path: '/sessions-metrics',
      id: 'native_sessions_metrics',
      summary: 'Metrics of the sessions',
      replies: { 200: METRICS_REPLY },
      isScoped: true,
      handle: async (request) => metricsAnswer(request, await sessionMetrics(shownTo(context, request.caller))),
    },
    {
      ...VIEW,
      path: '/runtime/metrics',
      id: 'native_runtime_metrics',
      summary: 'Metrics of the process',
      replies: { 200: { description: 'Prometheus text', schema: { type: 'string' }, type: 'text/plain' } },
      handle: async () => ({ status: 200, body: new TextBody(await context.runtime.text(), METRICS_TYPE) }),
    },
    {
      ...VIEW,
      path: '/auth',
      id: 'native_auth',
      summary: 'Configured access to the APIs, and the caller’s rights',
      replies: { 200: { description: 'The state', schema: nativeAuthSchema } },
      isScoped: true,
      handle: ({ caller }) => ({ status: 200, body: nativeAuth(context, caller) }),
    },
    {
      ...VIEW,
      path: '/license/status',
      id: 'native_license_status',
      summary: 'The licence',
      replies: { 200: { description: 'None is required', schema: nativeLicenseSchema } },
      handle: () => ({ status: 200, body: nativeLicense(context) }),
    },
    {
      ...VIEW,
      path: '/rproxy/streampoint-agents',
      id: 'native_agents',
      summary: 'Agents of the gateway',
      replies: { 200: { description: 'The agents', schema: nativeAgentsSchema } },
      handle: () => ({ status: 200, body: nativeAgents() }),
    },
    {
      ...VIEW,
      path: '/keys/hold',
      id: 'native_keys_hold_get',
      summary: 'Lost key files that existing data need',
      replies: { 200: { description: 'Their names; empty if none is lost', schema: nativeKeyHoldSchema } },
      handle: () => ({ status: 200, body: { files: context.keys.lost } }),
    },
    {
      method: 'DELETE',
      tag: 'native',
      access: 'edit',
      path: '/keys/hold',
      id: 'native_keys_hold_end',
      summary: 'Confirms new keys for lost ones',
      description: 'Data encrypted with a lost key become unreadable. Restore the file from a backup if there is one.',
      replies: { 204: { description: 'The new keys are created' } },
      handle: ({ caller }) => {
        requireAllStreams(caller);
        context.keys.renew(changedBy(caller, 'api'));
        return { status: 204 };
      },
    },
  ];
}
