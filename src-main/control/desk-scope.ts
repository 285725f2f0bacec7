import { CALLS, type CallName } from '../../src-preload/contract/index.ts';
import type { Operation } from '../../src-preload/contract/operations/operation.ts';
import type { ServerEvent } from '../../src-preload/contract/events/catalogue.ts';
import type { TopicName, TopicPayload } from '../../src-preload/contract/topics.ts';
import type { Caller, Subscriber } from '../operators/caller.ts';
import { domainOf } from '../../src-preload/contract/operation-domains.ts';
import type { Domain } from '../../src-preload/contract/operations/roles.ts';
import { allows, isInScope, requireAccess, requireAllStreams, requireInScope } from '../operators/require.ts';

/** Raises `unauthorized`, `forbidden` or `role_forbidden` unless the caller has the access that a call needs. */
export function requireCallAccess(caller: Caller, name: CallName): void {
  const { access } = CALLS[name];
  // Without read access, a caller has no desk, so calls with `view` need no further check.
  if (access !== 'view' || caller.role !== undefined) requireAccess(caller, access, domainOf(name));
}

const DOMAIN_OF_TOPIC = { streams: 'streams', events: 'desk', wall: 'walls' } as const satisfies Record<
  TopicName,
  Domain
>;

export function maySubscribe(caller: Subscriber, topic: TopicName): boolean {
  return caller.role === undefined || allows(caller, 'view', DOMAIN_OF_TOPIC[topic]);
}

/**
 * Raises `forbidden` for an operation about streams outside the caller's scope.
 * @param input contains the names of the streams
 */
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

/** Events of the page Breaks. Roles without access to the log get only these. */
const BREAK_EVENTS: ReadonlySet<string> = new Set(['splice_point', 'ad_inject', 'ad_skipped', 'ad_progress']);

/** Events about an act of a person, with the login in `user`. */
const ACT_EVENTS: ReadonlySet<string> = new Set(['api_call', 'login_accepted']);

/**
 * Whether an event is about a stream in the caller's scope. Events about the server are for callers with access to all streams, and
 * acts without a stream also for the caller who made them.
 */
export function isEventInScope({ event, media, user }: ServerEvent, caller: Subscriber): boolean {
  if (caller.role !== undefined && !allows(caller, 'view', 'log')) {
    if (!BREAK_EVENTS.has(event) || !allows(caller, 'view', 'breaks')) return false;
  }
  if (caller.prefixes === undefined) return true;
  return typeof media === 'string' ? isInScope(caller, media) : ACT_EVENTS.has(event) && user === caller.who;
}
