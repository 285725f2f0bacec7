import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { acceptsGzip } from '../lib/http-semantics.ts';
import type { BodyStream, ClientAddress, Exchange, Reply } from './exchange.ts';
import { ConnectionSession } from './connection-session.ts';

const connectionSessions = new WeakMap<Socket, ConnectionSession>();

function connectionSessionOf(socket: Socket): ConnectionSession {
  const existing = connectionSessions.get(socket);
  if (existing) return existing;
  const connectionSession = new ConnectionSession();
  connectionSessions.set(socket, connectionSession);
  return connectionSession;
}

/**
 * Wraps a request of `node:http` as an exchange, for media requests on a connection that has already carried other
 * requests: the desk in a browser loads its page and its media over the same connections.
 */
export function nodeExchange(
  request: IncomingMessage,
  response: ServerResponse,
  clientAddress: ClientAddress = (peer) => peer,
): Exchange {
  const target = request.url ?? '/';
  const question = target.indexOf('?');
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const peer = clientAddress(request.socket.remoteAddress ?? '', header);
  let closeCallbacks: (() => void)[] = [];
  response.on('close', () => {
    for (const callback of closeCallbacks.splice(0)) callback();
  });
  const setHeaders = (lines: string): void => {
    for (const line of lines.split('\r\n')) {
      const colon = line.indexOf(':');
      if (colon > 0) response.setHeader(line.slice(0, colon), line.slice(colon + 1).trim());
    }
  };
  return {
    method: request.method ?? 'GET',
    path: question < 0 ? target : target.slice(0, question),
    query: question < 0 ? '' : target.slice(question + 1),
    peer,
    isEncrypted: 'encrypted' in request.socket,
    connectionSession: connectionSessionOf(request.socket),
    get acceptsGzip() {
      return acceptsGzip(header('accept-encoding'));
    },
    header,
    onClose(callback) {
      closeCallbacks.push(callback);
    },
    reply(reply: Reply) {
      closeCallbacks = [];
      setHeaders(reply.headers);
      response.statusCode = reply.status;
      if (reply.status !== 304 && reply.status !== 204) response.setHeader('Content-Length', reply.bodyBytes);
      const { sent } = reply;
      if (sent) response.once('close', sent);
      if (request.method !== 'HEAD') for (const bytes of reply.body) response.write(bytes);
      response.end();
    },
    stream(status, headers, bodyBytes): BodyStream {
      setHeaders(headers);
      if (bodyBytes !== undefined) response.setHeader('Content-Length', bodyBytes);
      response.writeHead(status);
      return {
        get queuedBytes() {
          return response.writableLength;
        },
        write(bytes, sent) {
          if (request.method === 'HEAD') sent?.();
          else response.write(bytes, sent);
        },
        end() {
          closeCallbacks = [];
          response.end();
        },
        abort() {
          closeCallbacks = [];
          response.destroy();
        },
      };
    },
  };
}
