import type { Clock } from '../../lib/clock.ts';
import { fieldObjects, type ObjectSource } from './object-source.ts';
import { SESSION_FIELDS } from '../../control/sessions/session-fields.ts';
import type { SessionSource, SessionView } from '../../control/sessions/playback-sessions.ts';

/** Viewers' sessions in the collection API. */
export function sessionObjects(sessions: SessionSource, clock: Clock): ObjectSource<SessionView> {
  return fieldObjects(SESSION_FIELDS, () => clock.now(), {
    rows: () => [...sessions.list()],
    find: (id) => sessions.get(id),
    texts: ({ id, name, ip, userAgent, userId }) => [id, name, ip, userAgent, userId],
  });
}
