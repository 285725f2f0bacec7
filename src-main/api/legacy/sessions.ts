import type { LegacyFiles, LegacySession } from '../../../src-preload/contract/api/legacy.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { Caller } from '../../operators/caller.ts';
import { requireInScope } from '../../operators/require.ts';
import type { ApiContext, ShownContext } from '../endpoints/api-context.ts';
import type { SessionSource, SessionView } from '../../control/sessions/playback-sessions.ts';

export function legacySession({ clock }: Pick<ShownContext, 'clock'>, session: SessionView): LegacySession {
  return {
    id: session.key,
    session_id: session.id,
    ip: session.ip,
    name: session.name,
    created_at: session.openedMs,
    duration: Math.max(0, clock.now() - session.openedMs),
    type: session.proto,
    bytes_sent: session.bytes,
    country: session.country,
  };
}

/**
 * Closes sessions, in steps. Sessions that have ended are ignored. If a session belongs to a stream outside the caller's scope,
 * raises `forbidden` and closes none.
 * @param text session ids, one on each line
 */
export async function closeSessions(
  { sessions }: Pick<ApiContext, 'sessions'>,
  caller: Caller,
  text: string,
): Promise<true> {
  const ids = text.split('\n').flatMap((line) => line.trim() || []);
  await runInTurns(closeEach(sessions, caller, ids));
  return true;
}

function* closeEach(sessions: SessionSource, caller: Caller, ids: readonly string[]): Generator<void, void> {
  if (caller.prefixes) {
    for (const id of ids) {
      const session = sessions.get(id);
      if (session) requireInScope(caller, session.name);
      yield;
    }
  }
  for (const id of ids) {
    sessions.close(id);
    yield;
  }
}

/** Recently played files. */
export function legacyFiles({ openFiles }: Pick<ApiContext, 'openFiles'>): LegacyFiles {
  const files = [...openFiles()].map(({ name, prefix, path, viewers, bytesIn, bytesOut }) => ({
    name,
    prefix,
    url: path,
    client_count: viewers,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
    // There are no separate workers: the server itself reads the files.
    worker_count: 1,
  }));
  return { files };
}
