import { CALLS } from '../../../src-preload/contract/calls.ts';
import type { Operation } from '../../../src-preload/contract/operations/operation.ts';
import { translated } from '../../i18n/translated.ts';
import { ACTS_DE, API_ACTS_DE } from './act-texts-de.ts';

/**
 * Changes made at the desk, by call, and by call and kind of change. `{who}`, `{target}` and `{parent}` are names. A part in
 * brackets is left out if a name in it is unknown, or replaced by the part after the bar.
 */
export const ACTS: Readonly<Record<string, string>> = translated(
  'eventActs',
  {
    'streams.add': '{who} added the stream {target}',
    'streams.remove': '{who} removed the stream {target}',
    'streams.remove_all': '{who} removed several streams[: {target}]',
    'streams.disable_all': '{who} disabled or enabled streams[: {target}]',
    'streams.disable_all disable': '{who} disabled streams: {target}',
    'streams.disable_all enable': '{who} enabled streams: {target}',
    'streams.record_all': '{who} started or stopped recording streams[: {target}]',
    'streams.record_all start': '{who} started recording {target}',
    'streams.record_all stop': '{who} stopped recording {target}',
    'streams.add_recording': '{who} added the recording of streams[: {target}]',
    'streams.select_input': '{who} selected an input of {target}',
    'streams.probe_address': '{who} checked the address of an input[ of {target}]',
    'streams.probe_input': '{who} checked an input of {target}',
    'streams.add_push': '{who} added a destination to the stream {target}',
    'streams.change_push': '{who} changed a destination of the stream {target}',
    'streams.switch_pushes': '{who} started or stopped destinations of the stream {target}',
    'streams.switch_pushes enable': '{who} started destinations of the stream {target}',
    'streams.switch_pushes disable': '{who} stopped destinations of the stream {target}',
    'streams.remove_push': '{who} removed a destination of the stream {target}',
    'streams.restart': '{who} restarted the stream {target}',
    'ads.splice_insert': '{who} inserted a splice point into {target}',
    'alarms.acknowledge': '{who} acknowledged an alarm[ on {target}]',
    'alarms.shelve': '{who} shelved an alarm[ on {target}]',
    'walls.save': '{who} saved the wall {target}',
    'walls.remove': '{who} removed the wall {target}',
    'people.update disable': '{who} disabled [the person {target}|a person]',
    'people.update enable': '{who} enabled [the person {target}|a person]',
    'walls.recall': '{who} recalled the wall {target}',
    'walls.set_label': '{who} labelled the stream {target}',
    'walls.remove_label': '{who} removed the label of {target}',
    'people.create': '{who} added the login of {target}',
    'people.update': '{who} changed the login of {target}',
    'people.set_password': '{who} set a new password for {target}',
    'people.change_own_password': '{who} changed their own password',
    'people.remove': '{who} removed the login of {target}',
    'people.end_session': '{who} ended a session[ of {target}]',
    'config.apply': '{who} applied a configuration',
    'config.undo': '{who} undid [configuration change {target}|a configuration change]',
    'config.confirm': '{who} kept the configuration change',
    'config.rollback': '{who} reverted the configuration change',
    'config.reload': '{who} reloaded the configuration file',
    'config.restore': '{who} restored [version {target}|an older version] of the configuration',
    'events.test_sink': '{who} tested the event sink {target}',
    'events.replay_sink': '{who} resent undelivered events to {target}',
    'sessions.close': '{who} disconnected [viewer {target}|a viewer][ from {parent}]',
    'sessions.close_all': '{who} disconnected several viewers',
    'sessions.ban': '{who} banned [viewer {target}|a viewer]',
    'sessions.unban': '{who} lifted a ban on a viewer',
    'archive.lock': '{who} locked a range in the archive of {target}',
    'archive.unlock': '{who} unlocked a range in the archive of {target}',
    'archive.allow_deletion': '{who} allowed deletion from archives',
    'archive.add_note': '{who} added a note to the archive of {target}',
    'archive.remove_note': '{who} deleted a note from the archive of {target}',
    'archive.restore_note': '{who} restored a note in the archive of {target}',
    'archive.export': '{who} started an export of {target}',
    'archive.download_export': '{who} downloaded an export[ of {target}]',
    'archive.cancel_export': '{who} cancelled an export[ of {target}]',
    'cases.create': '{who} created the case “{target}”',
    'cases.rename': '{who} renamed [the case “{target}”|a case]',
    'cases.remove': '{who} deleted [the case “{target}”|a case]',
    'cases.restore': '{who} restored [the case “{target}”|a case]',
    'cases.add': '{who} added items to [the case “{target}”|a case]',
    'cases.add clip': '{who} added a clip to [the case “{target}”|a case]',
    'cases.add still': '{who} added a still to [the case “{target}”|a case]',
    'cases.add mark': '{who} added a mark to [the case “{target}”|a case]',
    'cases.order': '{who} reordered [the case “{target}”|a case]',
    'cases.take_out': '{who} removed an item from [the case “{target}”|a case]',
    'cases.put_back': '{who} restored an item of [the case “{target}”|a case]',
    'cases.export': '{who} exported [the case “{target}”|a case]',
    'clips.conform': '{who} converted the clip {target}[ for {parent}]',
    'clips.upload': '{who} uploaded the file {target}',
    'clips.save_backend': '{who} saved the test backend {target}',
    'clips.delete_backend': '{who} deleted the test backend {target}',
    'clips.delete': '{who} deleted the file {target}',
    'clips.cancel': '{who} cancelled a conversion[ to {target}]',
    'portals.create': '{who} created the portal {target}',
    'portals.update': '{who} changed [the portal {target}|a portal]',
    'portals.create_key': '{who} created the key {target}[ for the portal {parent}]',
    'portals.rotate_key': '{who} replaced [the key {target}|a key] of [the portal {parent}|a portal]',
    'portals.remove_key': '{who} revoked [the key {target}|a key] of [the portal {parent}|a portal]',
    'portals.create_webhook': '{who} added a webhook[ to {target}] to [the portal {parent}|a portal]',
    'portals.update_webhook': '{who} changed the webhook[ to {target}] of [the portal {parent}|a portal]',
    'portals.rotate_webhook':
      '{who} replaced the secret of the webhook[ to {target}] of [the portal {parent}|a portal]',
    'portals.remove_webhook': '{who} removed the webhook[ to {target}] from [the portal {parent}|a portal]',
    'portals.create_export': '{who} started an export of the subscriber log[ of the portal {parent}]',
    'portals.remove_export': '{who} deleted an export of the subscriber log[ of the portal {parent}]',
    'portals.test_webhook': '{who} tested the webhook[ to {target}] of [the portal {parent}|a portal]',
    'portals.replay_webhook': '{who} resent operations to the webhook[ to {target}] of [the portal {parent}|a portal]',
    'portals.discard_dead_letters':
      '{who} discarded undelivered operations of the webhook[ to {target}] of [the portal {parent}|a portal]',
    'subscribers.create_token': '{who} issued [the token {target}|a token] to [the subscriber {parent}|a subscriber]',
    'subscribers.remove_token': '{who} revoked [the token {target}|a token] of [the subscriber {parent}|a subscriber]',
    'subscribers.import': '{who} imported a list of subscribers[ into {parent}]',
    'subscribers.change': '{who} changed subscribers[ of the portal {parent}]',
    'subscribers.change createSubscriber': '{who} added the subscriber {target}[ to the portal {parent}]',
    'subscribers.change updateSubscriber': '{who} changed [the subscriber {target}|a subscriber]',
    'subscribers.change disableSubscriber': '{who} blocked [the subscriber {target}|a subscriber]',
    'subscribers.change enableSubscriber': '{who} unblocked [the subscriber {target}|a subscriber]',
    'subscribers.change deleteSubscriber': '{who} deleted [the subscriber {target}|a subscriber]',
    'subscribers.change createPackage': '{who} created the package {target}[ in the portal {parent}]',
    'subscribers.change updatePackage': '{who} changed [the package {target}|a package]',
    'subscribers.change deletePackage': '{who} deleted [the package {target}|a package]',
    'subscribers.change attach':
      '{who} gave [the package {target}|a package] to [the subscriber {parent}|a subscriber]',
    'subscribers.change detach':
      '{who} took [the package {target}|a package] from [the subscriber {parent}|a subscriber]',
    'system.confirm_keys': '{who} confirmed a new key file',
  },
  ACTS_DE,
);

/** Changes made through the HTTP API, by operation, that differ from those of the desk. */
export const API_ACTS: Readonly<Record<string, string>> = translated(
  'eventApiActs',
  {
    stream_create: '{who} added a stream[: {target}]',
    stream_save: '{who} changed the stream {target}',
    stream_push_create: '{who} added a destination to the stream {target}',
    stream_push_save: '{who} changed a destination of the stream {target}',
    stream_push_delete: '{who} removed a destination of the stream {target}',
    stream_stop: '{who} stopped the stream {target}',
    stream_sign: '{who} created a signed address for {target}',
    stream_dvr_ranges_delete: '{who} deleted a range from the archive of {target}',
    stream_dvr_lock_put: '{who} changed a lock in the archive of {target}',
    sessions_reauth: '{who} renewed the authorization of the viewers[ of {target}]',
    template_create: '{who} added the template {target}',
    template_save: '{who} changed the template {target}',
    template_delete: '{who} removed the template {target}',
    episode_create: '{who} added an episode[ “{target}”]',
    episode_save: '{who} changed an episode[ “{target}”]',
    episode_delete: '{who} deleted an episode',
    dvr_case_item_add: '{who} added an item to [the case “{target}”|a case]',
    vod_create: '{who} added the VOD location {target}',
    vod_save: '{who} changed the VOD location {target}',
    vod_delete: '{who} removed the VOD location {target}',
    dvr_create: '{who} added the storage {target}',
    dvr_save: '{who} changed the storage {target}',
    dvr_delete: '{who} removed the storage {target}',
    api_token_create: '{who} added the API token {target}',
    api_token_save: '{who} changed the API token {target}',
    api_token_issue: '{who} issued the API token {target}',
    api_token_delete: '{who} revoked the API token {target}',
    auth_backend_create: '{who} added the backend {target}',
    auth_backend_save: '{who} changed the backend {target}',
    auth_backend_delete: '{who} removed the backend {target}',
    event_sink_create: '{who} added the event sink {target}',
    event_sink_save: '{who} changed the event sink {target}',
    event_sink_delete: '{who} removed the event sink {target}',
    peer_create: '{who} added the cluster peer {target}',
    peer_save: '{who} changed the cluster peer {target}',
    peer_delete: '{who} removed the cluster peer {target}',
    source_create: '{who} added the cluster source {target}',
    source_save: '{who} changed the cluster source {target}',
    source_delete: '{who} removed the cluster source {target}',
    file_processor_job_create: '{who} started a conversion of clips',
    rproxy_save: '{who} changed the settings of trusted proxies',
    rproxy_delete: '{who} removed the settings of trusted proxies',
    file_processor_save: '{who} changed the settings of clip conversion',
    file_processor_delete: '{who} removed the settings of clip conversion',
    config_validate: '{who} checked a configuration',
    config_version_restore: '{who} restored [version {target}|an older version] of the configuration',
    modify_config: '{who} changed the configuration',
    update_config: '{who} changed the configuration',
    legacy_dvr_delete: '{who} deleted a range from an archive',
    legacy_dvr_lock: '{who} locked a range in an archive',
    legacy_dvr_unlock: '{who} unlocked a range in an archive',
    legacy_dvr_enable: '{who} started recording {target}',
    legacy_dvr_disable: '{who} stopped recording {target}',
    native_dvr_rebuild_start: '{who} started a rebuild of the archive index',
    native_dvr_rebuild_stop: '{who} stopped the rebuild of the archive index',
    native_dvr_check_start: '{who} started a check of the archives',
    native_dvr_check_stop: '{who} stopped the check of the archives',
    native_dvr_cleanup_start: '{who} started a cleanup of the archives',
    native_dvr_cleanup_stop: '{who} stopped the cleanup of the archives',
    native_dvr_copies_start: '{who} started copying of archive blocks',
    native_dvr_copies_stop: '{who} stopped copying of archive blocks',
    dead_letter_discard:
      '{who} discarded an undelivered operation of the webhook[ to {target}] of [the portal {parent}|a portal]',
  },
  API_ACTS_DE,
);

/** Calls of the desk by the HTTP operations with the same effect. */
const CALL_OF = new Map(
  Object.entries<Operation>(CALLS)
    .filter(([, { isWrite }]) => isWrite)
    .reverse()
    .flatMap(([name, { http, sameAs = [] }]) => [...sameAs, ...(http ? [http.id] : [])].map((id) => [id, name])),
);

/** Template of a change; undefined for an unknown one. @param kind kind of the change, for calls with several */
export function actOf(call: string, operation: string, kind: string): string | undefined {
  const apiAct = operation === '' ? undefined : API_ACTS[operation];
  const name = operation === '' ? call : (CALL_OF.get(operation) ?? '');
  return apiAct ?? ACTS[`${name} ${kind}`] ?? ACTS[name];
}

/** Fills a template with names. @param nameOf returns an empty text for an unknown name */
export function filledAct(template: string, nameOf: (name: string) => string): string {
  const names = (part: string): string[] => [...part.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return template
    .replaceAll(/\[([^\]|]*)\|?([^\]]*)\]/g, (_, part: string, other: string) =>
      names(part).every((name) => nameOf(name) !== '') ? part : other,
    )
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => nameOf(name))
    .trimEnd();
}
