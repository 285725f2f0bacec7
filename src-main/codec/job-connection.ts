import { connect, type Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { FEED_HEADER_BYTES, FeedKind, FeedReader, writeFeedHeader } from '../lib/feed/feed-record.ts';

/** Environment variables for the socket of a codec process's owner. */
export const JOB_SOCKET_ENV = { path: 'AIRDESK_JOBS_PATH', token: 'AIRDESK_JOBS_TOKEN' } as const;

/** Connection for jobs and their replies by a local socket, for a codec process that is not a child of its owner's thread. */
export class JobConnection {
  readonly #socket: Socket;

  /**
   * Uses a connected socket, and a reader with the bytes that were already received.
   * @param closed called once, after all messages
   */
  constructor(socket: Socket, reader: FeedReader, received: (message: unknown) => void, closed: () => void) {
    this.#socket = socket;
    const receive = (bytes: Buffer): void => {
      reader.push(bytes);
      for (let record = reader.next(); record; record = reader.next()) {
        const message = record.kind === FeedKind.message ? readMessage(record.data) : undefined;
        // The bytes after an invalid message cannot be trusted.
        if (message === undefined) return void socket.destroy();
        received(message);
      }
      if (reader.isBroken) socket.destroy();
    };
    socket.on('data', receive);
    socket.on('error', () => socket.destroy());
    socket.once('close', closed);
    receive(Buffer.alloc(0));
    socket.resume();
  }

  /** Connects to the owner and sends the token. */
  static connect(path: string, token: string, received: (message: unknown) => void, closed: () => void): JobConnection {
    const opened = new JobConnection(connect(path), new FeedReader(), received, closed);
    opened.#write(FeedKind.hello, Buffer.from(token));
    return opened;
  }

  /** Sends a plain value. */
  send(message: unknown): void {
    this.#write(FeedKind.message, serialize(message));
  }

  /** Closes the connection after all messages were sent. */
  close(): void {
    this.#socket.end();
  }

  #write(kind: FeedKind, data: Buffer): void {
    if (!this.#socket.writable) return;
    const header = Buffer.allocUnsafe(FEED_HEADER_BYTES);
    const [dtsTicks, ptsTicks] = [Number.NaN, Number.NaN];
    writeFeedHeader(header, { kind, streamIndex: 0, dtsTicks, ptsTicks, dataBytes: data.length });
    this.#socket.cork();
    this.#socket.write(header);
    this.#socket.write(data);
    this.#socket.uncork();
  }
}

/** Value of a message; undefined if the bytes are invalid. */
function readMessage(data: Buffer): unknown {
  try {
    // A copy, because parts of the value may share its memory.
    return deserialize(Buffer.from(data));
  } catch {
    return undefined;
  }
}
