import { Bans } from '../../src-main/sessions/bans.ts';
import type { Config } from '../../src-main/config/schema/config.ts';
import { AccessPolicies } from '../../src-main/configuration/session-policies.ts';
import type { StreamEntry } from '../../src-main/streams/stream-entry.ts';
import type { SessionSource, SessionView } from '../../src-main/control/sessions/playback-sessions.ts';

/** Portals whose subscribers may play a stream. */
export function portalsOf(config: Config, entry: Pick<StreamEntry, 'settings'> | undefined): readonly string[] {
  const backends = entry ? new AccessPolicies(config, '/').ofPlay(entry.settings).backends : [];
  return backends.flatMap(({ location }) => (location.kind === 'subscribers' ? [location.portal] : []));
}

/** Sessions by id as the server shows them, in the order of opening. */
export function sessionSource(
  sessions: Map<string, SessionView>,
  portalsOf: SessionSource['portalsOf'] = () => [],
): SessionSource {
  const list = (name?: string): SessionView[] =>
    [...sessions.values()].filter((session) => name === undefined || session.name === name);
  const bans = new Bans();
  return {
    list,
    get: (id) => sessions.get(id),
    close: (id) => sessions.delete(id),
    reauth: (name) => list(name).length,
    portalsOf,
    bans,
    lift: (id) => void bans.lift(id),
    addBan: (request) => bans.add(request, Date.now()),
  };
}
