import { CALLS } from './calls.ts';
import { ARCHIVE_OPERATIONS, EXPORT_DOWNLOADS } from './operations/archive-operations.ts';
import { CASE_ACTIONS } from './operations/cases.ts';
import type { OperationTable } from './operations/operation.ts';
import type { Domain } from './operations/roles.ts';
import { SESSION_OPERATIONS } from './operations/session-calls.ts';
import { STREAM_ACTIONS } from './operations/streams.ts';

/** Domains of operations, by the part of their names before the dot. */
const DOMAIN_OF_GROUP: Readonly<Record<string, Domain>> = {
  server: 'desk',
  streams: 'streams',
  ads: 'breaks',
  alarms: 'alarms',
  walls: 'walls',
  config: 'configuration',
  events: 'system',
  sessions: 'viewers',
  archive: 'archive',
  loudness: 'alarms',
  cases: 'archive',
  clips: 'clips',
  portals: 'portals',
  subscribers: 'subscribers',
  system: 'system',
  people: 'people',
};

/** Domains of calls that differ from their group. */
const DOMAIN_OF_CALL: Readonly<Record<string, Domain>> = {
  // Every page shows whether the configuration is on trial.
  'config.state': 'desk',
  'people.change_own_password': 'account',
  // Its events are reduced to the domains that the role may see.
  'events.recent': 'desk',
  // These calls change who may watch and publish.
  'clips.save_backend': 'configuration',
  'clips.delete_backend': 'configuration',
  // Calls that read portals and export their logs. Keys and webhooks stay valid after the login that created them is removed.
  'portals.list': 'subscribers',
  'portals.get': 'subscribers',
  'portals.verify': 'subscribers',
  'portals.exports': 'subscribers',
  'portals.create_export': 'subscribers',
  'portals.remove_export': 'subscribers',
};

/** Operations of the collections of some objects. */
const objects = (...items: readonly string[]): readonly string[] =>
  items.flatMap((item) => ['list', 'create', 'get', 'save', 'delete'].map((verb) => `${item}_${verb}`));
/** Operations of the jobs on archives. */
const jobs = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => ['start', 'get', 'stop'].map((verb) => `native_dvr_${name}_${verb}`));

/** HTTP operations that no table declares, by their domain. */
const HTTP_OPERATIONS: Readonly<Partial<Record<Domain, readonly string[]>>> = {
  streams: [
    'stream_get',
    'legacy_media',
    'legacy_media_info',
    'legacy_input_media_info',
    'legacy_stream_health',
    'legacy_playlist',
    'legacy_stream_restart_by_get',
    'legacy_stream_switch_source_by_get',
    'native_stream_list',
    'native_stream_get',
    'native_stream_stats',
    'native_streams_stats',
    'player_streams',
    'player_channels',
  ],
  alarms: ['alarm_get', 'alarm_history_export'],
  archive: [
    'episode_create',
    'episode_get',
    'episode_save',
    'episode_delete',
    'dvr_export_job_get',
    'dvr_case_get',
    'legacy_dvr_status',
    'legacy_dvr_delete',
    'legacy_dvr_enable_by_get',
    'legacy_dvr_disable_by_get',
  ],
  breaks: ['as_run_export', 'as_run_public_key'],
  clips: ['file_processor_job_get', 'file_processor_get', 'vod_get', 'vod_file_list', 'vod_file_get', 'legacy_files'],
  viewers: ['session_get', 'native_sessions_stats', 'native_auth'],
  portals: ['dead_letter_discard'],
  system: [
    'config_stats',
    'legacy_server',
    'legacy_cluster_servers',
    'native_listeners',
    'native_live_metrics',
    'native_sessions_metrics',
    'native_runtime_metrics',
    'native_license_status',
    'native_agents',
    'native_keys_hold_get',
    'native_dvr_list',
    'native_dvr_catalog',
    'native_dvr_metrics',
    'native_dvr_hold_get',
    ...jobs('rebuild', 'check', 'cleanup', 'copies'),
  ],
  configuration: [
    ...objects('template', 'dvr', 'api_token', 'peer', 'source'),
    'vod_create',
    'vod_save',
    'vod_delete',
    'api_token_issue',
    'auth_backend_create',
    'auth_backend_get',
    'event_sink_create',
    'event_sink_get',
    'event_sink_save',
    'event_sink_delete',
    'rproxy_get',
    'rproxy_save',
    'rproxy_delete',
    'file_processor_save',
    'file_processor_delete',
    'config_version_get',
    'modify_config',
    'update_config',
    'reload_get',
  ],
};

const TABLE: OperationTable = {
  ...CALLS,
  ...STREAM_ACTIONS,
  ...CASE_ACTIONS,
  ...SESSION_OPERATIONS,
  ...ARCHIVE_OPERATIONS,
  ...EXPORT_DOWNLOADS,
};

const DOMAINS_BY_ID: ReadonlyMap<string, Domain> = new Map([
  ...Object.entries(TABLE).flatMap(([call, { http, sameAs = [] }]) => {
    const domain = domainOfCall(call);
    const ids = [call, ...(http ? [http.id] : []), ...sameAs];
    return domain === undefined ? [] : ids.map((id) => [id, domain] as const);
  }),
  ...Object.entries(HTTP_OPERATIONS).flatMap(([domain, ids]) =>
    // The keys of the table are its key type.
    ids.map((id) => [id, domain as Domain] as const),
  ),
]);

function domainOfCall(call: string): Domain | undefined {
  return DOMAIN_OF_CALL[call] ?? DOMAIN_OF_GROUP[call.split('.', 1)[0] ?? ''];
}

/**
 * Domain of an operation: a call of the desk, or the id of an HTTP operation. If the domain is undefined, no role may use the
 * operation.
 */
export function domainOf(operation: string): Domain | undefined {
  return DOMAINS_BY_ID.get(operation);
}
