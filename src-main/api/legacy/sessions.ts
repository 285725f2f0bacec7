import type { LegacyFiles, LegacySession } from '../../../src-preload/contract/api/legacy.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { ApiContext } from '../api-context.ts';
import type { SessionSource, SessionView } from '../../control/session-source.ts';

/** A session as the legacy API shows it. */
export function legacySession({ clock }: Pick<ApiContext, 'clock'>, session: SessionView): LegacySession {
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

/** Closes sessions, in steps; those that are gone already are no mistake. @param text session ids, one on each line */
export async function closeSessions({ sessions }: Pick<ApiContext, 'sessions'>, text: string): Promise<true> {
  await runInTurns(closeEach(sessions, text.split('\n')));
  return true;
}

function* closeEach(sessions: SessionSource, lines: readonly string[]): Generator<void, void> {
  for (const line of lines) {
    const id = line.trim();
    if (id === '') continue;
    sessions.close(id);
    yield;
  }
}

/** Files that are being played: none, as recorded files are not played in this version. */
export function legacyFiles(): LegacyFiles {
  return { files: [] };
}
