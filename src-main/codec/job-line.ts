import { connect, type Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { FEED_HEADER_BYTES, FeedKind, FeedReader, writeFeedHeader } from '../lib/feed/feed-record.ts';

/** Names under which a codec process finds the socket of its owner in its environment. */
export const JOB_LINE_ENV = { path: 'AIRDESK_JOBS_PATH', token: 'AIRDESK_JOBS_TOKEN' } as const;

/** Jobs and their answers on a local socket, where a codec process is not the child of the thread that owns it. */
export class JobLine {
  readonly #socket: Socket;

  /** Takes a connected socket, and a reader with what came before. @param closed comes once, last */
  constructor(socket: Socket, reader: FeedReader, heard: (message: unknown) => void, closed: () => void) {
    this.#socket = socket;
    const hear = (bytes: Buffer): void => {
      reader.push(bytes);
      for (let record = reader.next(); record; record = reader.next()) {
        const message = record.kind === FeedKind.message ? readMessage(record.data) : undefined;
        // What is behind bytes that are no message may be anything.
        if (message === undefined) return void socket.destroy();
        heard(message);
      }
      if (reader.isBroken) socket.destroy();
    };
    socket.on('data', hear);
    socket.on('error', () => socket.destroy());
    socket.once('close', closed);
    hear(Buffer.alloc(0));
    socket.resume();
  }

  /** Connects to the owner and shows it the token. */
  static connect(path: string, token: string, heard: (message: unknown) => void, closed: () => void): JobLine {
    const line = new JobLine(connect(path), new FeedReader(), heard, closed);
    line.#write(FeedKind.hello, Buffer.from(token));
    return line;
  }

  /** Sends a plain value. */
  send(message: unknown): void {
    this.#write(FeedKind.message, serialize(message));
  }

  /** Hangs up when all that was sent has left. */
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

/** The value of a message; undefined where the bytes are none. */
function readMessage(data: Buffer): unknown {
  try {
    // A copy, because parts of the value may share its memory.
    return deserialize(Buffer.from(data));
  } catch {
    return undefined;
  }
}
