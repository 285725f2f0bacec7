import { readSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { DeferrableReads } from './read-ticks.ts';

/** Takes the bytes of a socket: `bytes` up to `length`, borrowed until the call returns. False stops the reading until `resume()`. */
export type ByteReceiver = (bytes: Uint8Array, length: number) => boolean;

/** A socket that is being read. */
export interface ReadSocket {
  /** The socket to go on with. */
  readonly socket: Socket;
  /** How its reads can be put off; undefined where they cannot. */
  readonly reads?: DeferrableReads;
}

/** The handle of a socket, as Node has it and does not declare it. */
interface SocketHandle {
  /** The descriptor of the system, which has none on Windows. */
  readonly fd?: number;
  reading: boolean;
  readStop?(): number;
}

/** The parts of a socket that Node has and does not declare. */
interface SocketInside {
  _handle: SocketHandle | null;
  _server: Server | null;
}

/** All sockets of a thread read into this one buffer: their bytes are used up before the next read. */
const shared = new Uint8Array(64 * 1024);

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

/** The reads of a socket made at another time than its bytes come. The event loop does not look at it meanwhile. */
class SocketReads implements DeferrableReads {
  readonly #socket: Socket;
  readonly #receive: ByteReceiver;

  constructor(socket: Socket, receive: ByteReceiver) {
    this.#socket = socket;
    this.#receive = receive;
  }

  stop(): boolean {
    const handle = this.#handle;
    if (handle?.fd === undefined || handle.fd < 0 || !handle.reading || handle.readStop?.() !== 0) return false;
    handle.reading = false;
    return true;
  }

  start(): void {
    if (!this.#socket.destroyed) this.#socket.resume();
  }

  read(): 'full' | 'some' | 'nothing' {
    const length = this.#take();
    if (length === 0 || !this.#receive(shared, length)) return 'nothing';
    return length === shared.length ? 'full' : 'some';
  }

  get #handle(): SocketHandle | null {
    return (this.#socket as unknown as SocketInside)._handle;
  }

  /** The descriptor of a socket never waits: 0 where there is nothing, and where the connection has ended, which the event loop finds by itself. */
  #take(): number {
    const fd = this.#handle?.fd;
    if (fd === undefined || fd < 0 || this.#socket.destroyed) return 0;
    try {
      return readSync(fd, shared, 0, shared.length, null);
    } catch {
      return 0;
    }
  }
}
