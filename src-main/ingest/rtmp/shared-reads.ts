import { Socket } from 'node:net';
import type { Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { DeferrableReads } from '../reads/read-ticks.ts';
import { type ByteReceiver, sharedReadBuffer, SocketReads } from '../reads/socket-reads.ts';

/** Socket being read. */
export interface ReadSocket {
  /** Socket to use from now on: a new one if reads are shared, otherwise the accepted one. */
  readonly socket: Socket;
  /** Deferred reads of the socket; undefined if unsupported. */
  readonly reads?: DeferrableReads;
}

/** Internals of a Node socket that are not declared. */
interface SocketInside {
  _handle: object | null;
  _server: Server | null;
}

/**
 * Lets an accepted, paused socket read into a buffer shared by all sockets, which saves an allocation of 64 KiB, a
 * copy and a stream event per read. Node offers this (`onread`) only for new sockets, so the handle of the accepted
 * socket is moved to a new socket. If the internals of a socket are not as expected, the socket is read in the
 * ordinary way.
 */
export function readShared(accepted: Socket, receive: ByteReceiver): ReadSocket {
  // The raw bytes of a TLS socket are encrypted.
  if (accepted instanceof TLSSocket) return readPlain(accepted, receive);
  const inside = accepted as unknown as SocketInside;
  const { _handle: handle, _server: server } = inside;
  if (!handle || !server) return readPlain(accepted, receive);
  inside._handle = null;
  inside._server = null;
  const onread = { buffer: sharedReadBuffer, callback: (length: number, bytes: Uint8Array) => receive(bytes, length) };
  const socket = new Socket({ handle, onread, allowHalfOpen: false } as object);
  (socket as unknown as SocketInside)._server = server;
  return { socket, reads: new SocketReads(socket, receive) };
}

/** Reads a socket in the ordinary way: a buffer and an event per read. */
function readPlain(socket: Socket, receive: ByteReceiver): ReadSocket {
  socket.on('data', (bytes: Uint8Array) => {
    if (!receive(bytes, bytes.length)) socket.pause();
  });
  socket.resume();
  return { socket };
}
