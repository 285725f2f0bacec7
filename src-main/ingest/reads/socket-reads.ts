import { readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { DeferrableReads } from './read-ticks.ts';

/**
 * Receives bytes of a socket: `bytes` up to `length`, borrowed until the call returns. Returning false stops reading until
 * `resume()`.
 */
export type ByteReceiver = (bytes: Uint8Array, length: number) => boolean;

/** Internals of a Node socket that are not declared. */
interface SocketInside {
  _handle: SocketHandle | null;
}

/** Handle of a Node socket, which is not declared. */
interface SocketHandle {
  /** File descriptor; absent on Windows. */
  readonly fd?: number;
  reading: boolean;
  readStop?(): number;
}

/** Shared read buffer of all sockets of a thread: bytes are processed before the next read. */
export const sharedReadBuffer = new Uint8Array(64 * 1024);

/** Reads a socket at other times than the arrival of its bytes. Meanwhile the event loop does not watch the socket. */
export class SocketReads implements DeferrableReads {
  readonly #socket: Socket;
  readonly #receive: ByteReceiver;

  /** @param receive gets the bytes read after `stop` */
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
    if (length === 0 || !this.#receive(sharedReadBuffer, length)) return 'nothing';
    return length === sharedReadBuffer.length ? 'full' : 'some';
  }

  get #handle(): SocketHandle | null {
    return (this.#socket as unknown as SocketInside)._handle;
  }

  /**
   * Reads from the file descriptor, which never blocks. Returns 0 without data, and at the end of the connection,
   * which the event loop detects.
   */
  #take(): number {
    const fd = this.#handle?.fd;
    if (fd === undefined || fd < 0 || this.#socket.destroyed) return 0;
    try {
      return readSync(fd, sharedReadBuffer, 0, sharedReadBuffer.length, null);
    } catch {
      return 0;
    }
  }
}

/**
 * `SocketReads` of a socket that is read as a stream, such as by the parser of an HTTP response: bytes are pushed into the
 * stream.
 */
class StreamReads extends SocketReads {
  readonly #stream: Socket;

  constructor(socket: Socket) {
    super(socket, (bytes, length) => {
      // The consumer of the stream may keep the bytes.
      socket.push(Buffer.from(bytes.subarray(0, length)));
      // Renews the time-out of the socket, as the event loop would.
      if (socket.timeout) socket.setTimeout(socket.timeout);
      return true;
    });
    this.#stream = socket;
  }

  override stop(): boolean {
    if (!super.stop()) return false;
    // The stream would request more bytes after each push.
    this.#stream._read = () => undefined;
    return true;
  }

  override start(): void {
    Reflect.deleteProperty(this.#stream, '_read');
    if (!this.#stream.destroyed) this.#stream._read(0);
  }
}

/** Reads of a socket that is read as a stream; undefined for TLS, because the bytes of the descriptor are encrypted. */
export function streamReads(socket: Socket): DeferrableReads | undefined {
  return socket instanceof TLSSocket ? undefined : new StreamReads(socket);
}
