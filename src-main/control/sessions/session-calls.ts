import { isIP } from 'node:net';
import { AirdeskError, badParameter } from '../../../src-preload/contract/errors.ts';
import type { CallInput, CallOutput } from '../../../src-preload/contract/index.ts';
import {
  SESSION_ROW_FIELDS,
  type SESSION_CALLS,
  type SESSION_OPERATIONS,
  type SessionOrder,
  type SessionRow,
} from '../../../src-preload/contract/operations/session-calls.ts';
import { mapInSteps, runInTurns, sortInSteps } from '../../lib/turns.ts';
import type { Caller } from '../../operators/caller.ts';
import type { Handlers } from '../../operators/handlers.ts';
import { isInScope } from '../../operators/require.ts';
import { SESSION_FIELDS } from './session-fields.ts';
import type { SessionSource, SessionView } from './playback-sessions.ts';

/** Number of sessions that are processed before other work of the thread runs. */
const STEP = 200;

/** Actions on sessions that the desk does not offer. */
export function sessionOperations({
  sessions,
}: {
  readonly sessions: Pick<SessionSource, 'reauth'>;
}): Handlers<typeof SESSION_OPERATIONS> {
  return { 'sessions.reauth': ({ name }) => ({ estimated_count: sessions.reauth(name) }) };
}

/** Viewers' sessions, and bans. */
export function sessionCalls(sessions: SessionSource, nowMs: () => number): Handlers<typeof SESSION_CALLS> {
  return {
    'sessions.list': (query, { caller }) => runInTurns(list(sessions, caller, query)),
    'sessions.close': ({ id }, { caller }) => {
      if (!close(sessions, caller, id)) throw new AirdeskError('session_not_found', `There is no session ${id}`);
    },
    'sessions.close_all': ({ ids }, { caller }) => runInTurns(closeAll(sessions, caller, ids)),
    'sessions.bans': () => bansOf(sessions, nowMs()),
    'sessions.ban': ({ kind, value, seconds, reason }, { by: { who } }) => {
      if (kind === 'address' && isIP(value) === 0)
        throw badParameter('value', 'The address must be IPv4 or IPv6, for example 192.0.2.7');
      if (!sessions.addBan({ kind, value, seconds, reason, who }))
        throw new AirdeskError('too_many_bans', 'There are 1000 bans, the maximum. Lift some first');
      return bansOf(sessions, nowMs());
    },
    'sessions.unban': ({ id }) => {
      sessions.lift(id);
      return bansOf(sessions, nowMs());
    },
  };
}

function bansOf({ bans }: SessionSource, nowMs: number): CallOutput<'sessions.bans'> {
  const rows = bans.list(nowMs).map(({ id, kind, value, bannedMs, untilMs, who, reason }) => ({
    id,
    kind,
    value,
    who,
    reason,
    banned_at: bannedMs,
    until: untilMs,
  }));
  return { bans: rows };
}

/** Closes a session. A session of a stream outside the caller's scope counts as missing. @returns false if there is none */
function close(sessions: SessionSource, caller: Pick<Caller, 'prefixes'>, id: string): boolean {
  const name = sessions.get(id)?.name;
  return name !== undefined && isInScope(caller, name) && sessions.close(id);
}

function* closeAll(
  sessions: SessionSource,
  caller: Pick<Caller, 'prefixes'>,
  ids: readonly string[],
): Generator<void, CallOutput<'sessions.close_all'>> {
  let closed = 0;
  for (const id of ids) {
    if (close(sessions, caller, id)) closed++;
    yield;
  }
  return { closed };
}

/** Sort keys of sessions; sessions without a value come last in descending order. */
const KEYS: { readonly [O in Exclude<SessionOrder, 'opened'>]: (session: SessionView) => string | number } = {
  viewer: ({ userId, ip }) => userId ?? ip,
  name: ({ name }) => name,
  proto: ({ proto }) => proto,
  bytes: ({ bytes }) => bytes,
  player: ({ userAgent }) => userAgent ?? '',
};

/** Page of the matching sessions, in steps, because there may be many. */
function* list(
  sessions: SessionSource,
  caller: Pick<Caller, 'prefixes'>,
  { name, find = '', by, is_down: isDown, from, count }: CallInput<'sessions.list'>,
): Generator<void, CallOutput<'sessions.list'>> {
  const text = find.trim().toLowerCase();
  const found: SessionView[] = [];
  let sessionCount = 0;
  // A session that opens or closes between two steps may or may not be listed.
  for (const session of sessions.list(name)) {
    if (++sessionCount % STEP === 0) yield;
    if (isInScope(caller, session.name) && hasText(session, text)) found.push(session);
  }
  // The source lists sessions in the order of their opening.
  if (by !== 'opened' || isDown) found.reverse();
  const order = by === 'opened' ? found : yield* sorted(found, KEYS[by], isDown ? -1 : 1);
  return { sessions: yield* mapInSteps(order.slice(from, from + count), rowOf), total: found.length };
}

function* sorted(
  sessions: readonly SessionView[],
  keyOf: (session: SessionView) => string | number,
  sign: 1 | -1,
): Generator<void, SessionView[]> {
  const keyed = yield* mapInSteps(sessions, (session) => ({ session, key: keyOf(session) }));
  const inOrder = yield* sortInSteps(keyed, (a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0));
  return yield* mapInSteps(inOrder, ({ session }) => session);
}

function hasText({ name, proto, ip, userId, userAgent }: SessionView, text: string): boolean {
  return text === '' || [name, proto, ip, userId, userAgent].some((word) => word?.toLowerCase().includes(text));
}

function rowOf(session: SessionView): SessionRow {
  const fields = SESSION_ROW_FIELDS.map((name) => [name, SESSION_FIELDS[name](session, 0)]);
  // The table has a reader for each field of a row.
  return Object.fromEntries(fields) as SessionRow;
}
