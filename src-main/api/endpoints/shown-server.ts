import type { Caller } from '../../operators/caller.ts';
import { isInScope } from '../../operators/require.ts';
import type { SessionView } from '../../control/sessions/playback-sessions.ts';
import type { StreamEntry } from '../../streams/stream-entry.ts';
import type { ShownServer } from './api-context.ts';

/**
 * Limits a context to the streams, sessions and figures that its caller may see: all of them, or those of the streams of a
 * token.
 */
export function shownTo<C extends ShownServer>(context: C, caller: Caller): Omit<C, keyof ShownServer> & ShownServer {
  return caller.prefixes === undefined ? context : { ...context, ...shownPart(context, caller) };
}

function shownPart({ streams, sessions, stats }: ShownServer, caller: Caller): ShownServer {
  const list = (): StreamEntry[] => streams.list().filter(({ name }) => isInScope(caller, name));
  return {
    streams: { list, get: (name) => (isInScope(caller, name) ? streams.get(name) : undefined) },
    sessions: {
      list: (name) => sessionsInScope(sessions.list(name), caller),
      get(id) {
        const session = sessions.get(id);
        return session && isInScope(caller, session.name) ? session : undefined;
      },
    },
    stats: {
      rates: (entry) => stats.rates(entry),
      figures() {
        const entries = list();
        return {
          ...stats.figures(),
          totalStreams: entries.length,
          totalClients: entries.reduce((sum, { output }) => sum + output.viewerCount, 0),
          outputKbit: entries.reduce((sum, entry) => sum + stats.rates(entry).outputKbit, 0),
        };
      },
    },
  };
}

function* sessionsInScope(sessions: Iterable<SessionView>, caller: Caller): Generator<SessionView, void> {
  for (const session of sessions) if (isInScope(caller, session.name)) yield session;
}
