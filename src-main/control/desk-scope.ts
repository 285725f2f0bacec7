import { CALLS, type CallName } from '../../src-preload/contract/index.ts';
import type { Operation } from '../../src-preload/contract/operations/operation.ts';
import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import type { TopicPayload } from '../../src-preload/contract/topics.ts';
import type { Caller } from '../operators/caller.ts';
import { isInScope, requireAllStreams, requireInScope, requireOperate, requireWrite } from '../operators/require.ts';

/** Raises `unauthorized` or `forbidden` unless the caller has the access that a call needs. */
export function requireCallAccess(caller: Caller, name: CallName): void {
  const { access } = CALLS[name];
  if (access === 'operate') requireOperate(caller);
  else if (access === 'edit') requireWrite(caller);
}

/** Raises `forbidden` for an operation about streams outside the caller's scope. @param input with the names of the streams */
export function requireInputInScope(caller: Caller, about: Operation['about'], input: object): void {
  if (about === 'server') requireAllStreams(caller);
  if (about !== 'stream') return;
  const several = 'names' in input && Array.isArray(input.names) ? (input.names as unknown[]) : [];
  const one = 'name' in input && input.name !== undefined ? [input.name] : [];
  const named = [...one, ...several];
  for (const stream of named.length > 0 ? named : ['']) requireInScope(caller, String(stream));
}

/** Reduces a message of the topic `streams` to the caller's scope; undefined if nothing is left. */
export function streamsInScope(
  { is_snapshot: isSnapshot, left, changed, removed }: TopicPayload<'streams'>,
  caller: Pick<Caller, 'prefixes'>,
): TopicPayload<'streams'> | undefined {
  const scoped = {
    is_snapshot: isSnapshot,
    ...(left === undefined ? {} : { left }),
    changed: changed.filter(({ name }) => isInScope(caller, name)),
    removed: removed.filter((name) => isInScope(caller, name)),
  };
  return isSnapshot || left !== undefined || scoped.changed.length > 0 || scoped.removed.length > 0
    ? scoped
    : undefined;
}

/**
 * Whether an event is about a stream in the caller's scope. Events about the server are for callers with access to all streams.
 */
export function isEventInScope({ media }: ServerEvent, caller: Pick<Caller, 'prefixes'>): boolean {
  return caller.prefixes === undefined || (typeof media === 'string' && isInScope(caller, media));
}
