import type { Session } from '../sessions/session.ts';

/**
 * What a connection remembers of the session that its last request belonged to, so that the next one need not be looked up.
 * Players keep their connections, and ask for one stream.
 */
export class ConnectionSession {
  /** The session of the request that is being answered; undefined where it has none. */
  session: Session | undefined;
  /** What the session was found by. */
  stream = '';
  token = '';
  /** Whether the request that is being answered is one of the desk, which is no viewer: it has no session, and may see every stream. */
  isOfDesk = false;
  peer = '';
}
