import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { AirdeskError } from '../../src-preload/contract/index.ts';
import type { Operators } from '../operators/operators.ts';
import { requireRead } from '../operators/require.ts';
import type { Caller } from '../operators/caller.ts';
import type { Clock } from '../lib/clock.ts';
import { every } from '../lib/timers.ts';
import { nextTurn } from '../lib/turns.ts';
import { identifyDesk, requestFacts } from './http/caller.ts';
import { DeskConnection, type DeskCalls } from './desk-connection.ts';
import { DESK_CHALLENGE, errorHeaders } from './http/access-hook.ts';
import { refuseSocket } from './http/api-server.ts';

/** Address of the bridge for desks in a browser. */
const BRIDGE_PATH = '/-/bridge';
/** Maximum length of a message from a read-only desk, in bytes. Its largest call has a tenth of this length. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Maximum length of a message from a desk with write access, in bytes: a configuration text. */
const MAX_WRITER_MESSAGE_BYTES = 4 * 1024 * 1024;
const PING_MS = 15_000;
/** Delay between a change of logins and the closing of connections, in milliseconds. */
const CHANGE_MS = 1000;
/** Close code that asks the client to reconnect (IANA registry of WebSocket close codes). */
const CLOSE_SERVICE_RESTART = 1012;

/** Carries the bridge over WebSocket, with the same calls and topics as over IPC. */
export function deskSocket(server: Server, desk: DeskCalls, access: Operators, clock: Clock): void {
  /** Clients that answered the last ping, or were not pinged yet. */
  const alive = new WeakSet<WebSocket>();
  /** Session of each desk in a browser. */
  const sessions = new WeakMap<WebSocket, string>();
  /** Login of each desk. */
  const logins = new WeakMap<WebSocket, string>();
  const socketsOf = (maxPayload: number): WebSocketServer =>
    new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false });
  const readers = socketsOf(MAX_MESSAGE_BYTES);
  const writers = socketsOf(MAX_WRITER_MESSAGE_BYTES);
  const clients = (): WebSocket[] => [...readers.clients, ...writers.clients];
  /** Ignores all further calls of some desks and closes their connections. If a desk ended itself, it first gets its answer. */
  const end = async (isEnded: (client: WebSocket) => boolean): Promise<void> => {
    const ended = clients().filter(isEnded);
    for (const client of ended) client.removeAllListeners('message');
    await nextTurn();
    for (const client of ended) client.close(CLOSE_SERVICE_RESTART);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const destroy = (): void => {
      socket.destroy();
    };
    socket.on('error', destroy);
    admit(request, access).then(
      (caller) => {
        socket.off('error', destroy);
        (caller.mayWrite || caller.role === 'clerk' ? writers : readers).handleUpgrade(
          request,
          socket,
          head,
          (webSocket) => {
            alive.add(webSocket);
            logins.set(webSocket, caller.who);
            if (caller.session !== undefined) sessions.set(webSocket, caller.session);
            webSocket.on('pong', () => alive.add(webSocket));
            new DeskConnection(webSocket, desk, caller);
          },
        );
      },
      (cause: unknown) => {
        const error = cause instanceof AirdeskError ? cause : new AirdeskError('internal');
        const headers = error.code === 'unauthorized' ? DESK_CHALLENGE : errorHeaders(error);
        refuseSocket(socket, error, error.status, headers);
      },
    );
  });
  // Disconnected desks connect again by themselves, and are then identified again.
  const endOfAccess = access.onChange(() => {
    // Delayed, so that the desk that made the change first gets its answer.
    clock.after(CHANGE_MS, () => {
      for (const client of clients()) client.close(CLOSE_SERVICE_RESTART);
    });
  });
  // All windows of a browser share a session. When it ends, all of them show the login page.
  const endOfSessions = access.sessions.onEnd((ended) => {
    void end((client) => sessions.get(client) === ended);
  });
  // Disconnects the desks of the person. A person with another role connects again; a person without access is refused.
  const endOfPeople = access.onPersonChange((login, keptSession) => {
    void end(
      (client) => logins.get(client) === login && (keptSession === undefined || sessions.get(client) !== keptSession),
    );
  });
  const endOfPings = every(clock, PING_MS, () => {
    for (const client of clients()) {
      const session = sessions.get(client);
      if (session !== undefined) access.sessions.use(session);
      // Without pings, the server would keep sending events for many minutes to a connection that was lost.
      if (alive.delete(client)) client.ping();
      else client.terminate();
    }
  });
  server.on('close', () => {
    endOfPings();
    endOfAccess();
    endOfSessions();
    endOfPeople();
    for (const client of clients()) client.terminate();
  });
}

/**
 * Identifies the caller that opens the bridge. A page of another site in the operator's browser may not open it, only pages of
 * this server may (RFC 6455 section 10.2).
 */
async function admit(request: IncomingMessage, access: Operators): Promise<Caller> {
  if (request.url?.split('?')[0] !== BRIDGE_PATH) throw new AirdeskError('not_found');
  if (access.isCrossSitePage(requestFacts(request))) throw new AirdeskError('forbidden');
  const caller = await identifyDesk(access, request);
  requireRead(caller);
  return caller;
}
