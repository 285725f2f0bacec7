import { readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { DeferrableReads } from './read-ticks.ts';

/** Takes the bytes of a socket: `bytes` up to `length`, borrowed until the call returns. False stops the reading until `resume()`. */
export type ByteReceiver = (bytes: Uint8Array, length: number) => boolean;

/** The parts of a socket that Node has and does not declare. */
interface SocketInside {
  _handle: SocketHandle | null;
}

/** The handle of a socket, as Node has it and does not declare it. */
interface SocketHandle {
  /** The descriptor of the system, which has none on Windows. */
  readonly fd?: number;
  reading: boolean;
  readStop?(): number;
}

/** All sockets of a thread read into this one buffer: their bytes are used up before the next read. */
export const shared = new Uint8Array(64 * 1024);

/** The reads of a socket made at another time than its bytes come. The event loop does not look at it meanwhile. */
export class SocketReads implements DeferrableReads {
  readonly #socket: Socket;
  readonly #receive: ByteReceiver;

  /** @param receive takes what is read after `stop` */
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

/** The same for a socket that others read as a stream, such as the parser of an HTTP answer: what is read is pushed into the stream, which hands it on. */
class StreamReads extends SocketReads {
  readonly #stream: Socket;

  constructor(socket: Socket) {
    super(socket, (bytes, length) => {
      // What the stream hands on may be kept.
      socket.push(Buffer.from(bytes.subarray(0, length)));
      // Its time-out, which only the event loop renews otherwise.
      if (socket.timeout) socket.setTimeout(socket.timeout);
      return true;
    });
    this.#stream = socket;
  }

  override stop(): boolean {
    if (!super.stop()) return false;
    // A stream asks for more after each push.
    this.#stream._read = () => undefined;
    return true;
  }

  override start(): void {
    Reflect.deleteProperty(this.#stream, '_read');
    if (!this.#stream.destroyed) this.#stream._read(0);
  }
}

/** The reads of a socket that is read as a stream; undefined below TLS, where what comes is not what is to be read. */
export function streamReads(socket: Socket): DeferrableReads | undefined {
  return socket instanceof TLSSocket ? undefined : new StreamReads(socket);
}
