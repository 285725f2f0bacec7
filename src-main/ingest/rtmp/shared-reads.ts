import { Socket } from 'node:net';
import type { Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { DeferrableReads } from '../reads/read-ticks.ts';
import { type ByteReceiver, shared, SocketReads } from '../reads/socket-reads.ts';

/** A socket that is being read. */
export interface ReadSocket {
  /** The socket to go on with. */
  readonly socket: Socket;
  /** How its reads can be put off; undefined where they cannot. */
  readonly reads?: DeferrableReads;
}

/** The parts of a socket that Node has and does not declare. */
interface SocketInside {
  _handle: object | null;
  _server: Server | null;
}

/**
 * Lets an accepted, paused socket read into a buffer that all sockets share.
 *
 * Node offers this (`onread`) only to sockets that it connects; an accepted one is wrapped anew around its handle. It saves
 * an allocation of 64 KiB, a copy and a stream event for each read. Where the inside of a socket is not as expected, the socket
 * reads in the ordinary way.
 */
export function readShared(accepted: Socket, receive: ByteReceiver): ReadSocket {
  // What lies below TLS is not what is to be read.
  if (accepted instanceof TLSSocket) return readPlain(accepted, receive);
  const inside = accepted as unknown as SocketInside;
  const { _handle: handle, _server: server } = inside;
  if (!handle || !server) return readPlain(accepted, receive);
  inside._handle = null;
  inside._server = null;
  const onread = { buffer: shared, callback: (length: number, bytes: Uint8Array) => receive(bytes, length) };
  const socket = new Socket({ handle, onread, allowHalfOpen: false } as object);
  (socket as unknown as SocketInside)._server = server;
  return { socket, reads: new SocketReads(socket, receive) };
}

/** The ordinary way: a buffer and an event for each read. */
function readPlain(socket: Socket, receive: ByteReceiver): ReadSocket {
  socket.on('data', (bytes: Uint8Array) => {
    if (!receive(bytes, bytes.length)) socket.pause();
  });
  socket.resume();
  return { socket };
}
