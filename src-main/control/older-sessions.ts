import type { OlderFiles, OlderSession } from '../../src-preload/contract/api/older.ts';
import type { ApiHouse } from './api-house.ts';
import type { SessionView } from './session-source.ts';

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

/** Closes sessions; those that are gone already are no mistake. @param text session ids, one on each line */
export function closeSessions({ sessions }: Pick<ApiHouse, 'sessions'>, text: string): true {
  for (const id of text.split('\n')) if (id.trim() !== '') sessions.close(id.trim());
  return true;
}

/** Files that are being played: none, as recorded files are not played in this version. */
export function olderFiles(): OlderFiles {
  return { files: [] };
}
