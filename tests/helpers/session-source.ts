import { Bans } from '../../src-main/sessions/bans.ts';
import type { SessionSource, SessionView } from '../../src-main/control/playback-sessions.ts';

/** Sessions by their ids as the server shows them, in the order in which they were opened. */
export function sessionSource(sessions: Map<string, SessionView>): SessionSource {
  const list = (name?: string): SessionView[] =>
    [...sessions.values()].filter((session) => name === undefined || session.name === name);
  const bans = new Bans();
  return {
    list,
    get: (id) => sessions.get(id),
    close: (id) => sessions.delete(id),
    reauth: (name) => list(name).length,
    bans,
    lift: (id) => void bans.lift(id),
    keepOut: (wanted) => bans.add(wanted, Date.now()),
  };
}
