import type { CallName } from '../../src-preload/contract/index.ts';
import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import type { TopicPayload } from '../../src-preload/contract/topics.ts';
import type { Caller } from '../operators/caller.ts';
import { isInScope, requireAllStreams, requireInScope } from '../operators/require.ts';

/** What a call is about: the stream that its input names, what its caller may see, or the whole server. */
const ABOUT: { readonly [N in CallName]: 'stream' | 'seen' | 'server' } = {
  'server.info': 'seen',
  'streams.list': 'seen',
  'streams.add': 'stream',
  'streams.remove': 'stream',
  'streams.remove_all': 'stream',
  'streams.disable_all': 'stream',
  'streams.record_all': 'stream',
  'streams.select_input': 'stream',
  'streams.quality': 'stream',
  'streams.restart': 'stream',
  'ads.explain': 'stream',
  'ads.splice_insert': 'stream',
  'sessions.list': 'seen',
  'sessions.close': 'seen',
  'sessions.close_all': 'seen',
  'sessions.bans': 'server',
  'sessions.ban': 'server',
  'sessions.unban': 'server',
  'alarms.list': 'seen',
  'alarms.history': 'server',
  'alarms.evidence': 'stream',
  'alarms.loudness': 'stream',
  'alarms.acknowledge': 'seen',
  'alarms.shelve': 'seen',
  'walls.list': 'seen',
  'walls.save': 'server',
  'walls.remove': 'server',
  'config.text': 'server',
  'config.version_text': 'server',
  'config.directives': 'server',
  'config.check': 'server',
  'config.edit_text': 'server',
  'config.apply': 'server',
  'config.state': 'server',
  'config.versions': 'server',
  'config.compare_file': 'server',
  'config.undo': 'server',
  'config.confirm': 'server',
  'config.rollback': 'server',
  'config.reload': 'server',
  'config.restore': 'server',
  'events.recent': 'seen',
  'events.sinks': 'server',
  'events.test_sink': 'server',
  'events.replay_sink': 'server',
  'archive.streams': 'seen',
  'archive.recorded': 'stream',
  'archive.marks': 'stream',
  'archive.splices': 'stream',
  'archive.loudness': 'stream',
  'archive.lock': 'stream',
  'archive.unlock': 'stream',
  'archive.allow_deletion': 'server',
  'archive.add_note': 'stream',
  'archive.remove_note': 'stream',
  'archive.restore_note': 'stream',
  'archive.exports': 'seen',
  'archive.export': 'stream',
  'archive.download_export': 'seen',
  'archive.cancel_export': 'seen',
  'cases.list': 'server',
  'cases.items': 'server',
  'cases.create': 'server',
  'cases.rename': 'server',
  'cases.remove': 'server',
  'cases.restore': 'server',
  'cases.add': 'server',
  'cases.order': 'server',
  'cases.take_out': 'server',
  'cases.put_back': 'server',
  'cases.export': 'server',
  'clips.locations': 'server',
  'clips.files': 'server',
  'clips.compare': 'server',
  'clips.jobs': 'server',
  'clips.conform': 'server',
  'clips.cancel': 'server',
  'clips.backends': 'server',
  'clips.save_backend': 'server',
  'clips.delete_backend': 'server',
  'clips.preview': 'server',
  'clips.upload': 'server',
  'clips.delete': 'server',
  'portals.list': 'server',
  'portals.create': 'server',
  'portals.update': 'server',
  'portals.keys': 'server',
  'portals.create_key': 'server',
  'portals.rotate_key': 'server',
  'portals.remove_key': 'server',
  'portals.webhooks': 'server',
  'portals.create_webhook': 'server',
  'portals.update_webhook': 'server',
  'portals.rotate_webhook': 'server',
  'portals.remove_webhook': 'server',
  'portals.exports': 'server',
  'portals.create_export': 'server',
  'portals.remove_export': 'server',
  'portals.webhook_attempts': 'server',
  'portals.test_webhook': 'server',
  'portals.replay_webhook': 'server',
  'portals.dead_letters': 'server',
  'portals.discard_dead_letters': 'server',
  'portals.verify': 'server',
  'subscribers.list': 'server',
  'subscribers.get': 'server',
  'subscribers.tokens': 'server',
  'subscribers.create_token': 'server',
  'subscribers.remove_token': 'server',
  'subscribers.packages': 'server',
  'subscribers.operations': 'server',
  'subscribers.change': 'server',
  'system.state': 'server',
  'system.diagnostics': 'server',
};

/** Raises `forbidden` where a call is about other streams than those of its caller, or about all of them. @param input as the schema of the call has it */
export function requireCallInScope(caller: Caller, name: CallName, input: object): void {
  if (ABOUT[name] === 'server') requireAllStreams(caller);
  if (ABOUT[name] !== 'stream') return;
  const names = 'names' in input && Array.isArray(input.names) ? input.names : ['name' in input ? input.name : ''];
  for (const one of names) requireInScope(caller, String(one));
}

/** A message of the topic `streams` with what its caller may see; undefined where nothing is left. */
export function streamsInScope(
  { is_snapshot: isSnapshot, left, changed, removed }: TopicPayload<'streams'>,
  caller: Pick<Caller, 'prefixes'>,
): TopicPayload<'streams'> | undefined {
  const seen = {
    is_snapshot: isSnapshot,
    ...(left === undefined ? {} : { left }),
    changed: changed.filter(({ name }) => isInScope(caller, name)),
    removed: removed.filter((name) => isInScope(caller, name)),
  };
  return isSnapshot || left !== undefined || seen.changed.length > 0 || seen.removed.length > 0 ? seen : undefined;
}

/** Whether an event is about a stream that the caller may see; those about the whole server are for callers of all streams. */
export function isEventInScope({ media }: ServerEvent, caller: Pick<Caller, 'prefixes'>): boolean {
  return caller.prefixes === undefined || (typeof media === 'string' && isInScope(caller, media));
}
