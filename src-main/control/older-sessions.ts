import type { OlderFiles, OlderSession } from '../../src-preload/contract/api/older.ts';
import { runInTurns } from '../lib/turns.ts';
import type { ApiHouse } from './api-house.ts';
import type { SessionSource, SessionView } from './session-source.ts';

/** A session as the older API shows it. */
export function olderSession({ clock }: Pick<ApiHouse, 'clock'>, session: SessionView): OlderSession {
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
export async function closeSessions({ sessions }: Pick<ApiHouse, 'sessions'>, text: string): Promise<true> {
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
export function olderFiles(): OlderFiles {
  return { files: [] };
}
