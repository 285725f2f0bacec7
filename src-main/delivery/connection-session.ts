import type { Session } from '../sessions/session.ts';

/**
 * Session cached for a connection, so that the next request needs no lookup. Players reuse their connections, and request one
 * stream.
 */
export class ConnectionSession {
  /** Session of the current request; undefined without one. */
  session: Session | undefined;
  /** Stream, token and client address with which the session was found. */
  stream = '';
  token = '';
  peer = '';
  /**
   * True if the current request comes from the desk, which is not a viewer: it has no session, and may see every
   * stream.
   */
  isOfDesk = false;
}
