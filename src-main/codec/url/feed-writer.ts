import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FEED_HEADER_BYTES, FeedKind, writeFeedHeader } from '../../lib/feed/feed-record.ts';

/** Bytes of a transport stream are held for this long at most, so that a datagram is not a write. */
const HOLD_MS = 10;
const MOST_HELD_BYTES = 16 * 1024;
const CONNECT_MS = 5000;

/** The writing end of a feed. Writes leave at once as long as the reader keeps up; `room` waits until it does. */
export class FeedWriter {
  /** Whether the reader is gone. */
  isClosed = false;
  readonly #socket: Socket;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #holdTimer: NodeJS.Timeout | undefined;

  private constructor(socket: Socket, closed: () => void) {
    this.#socket = socket;
    const end = (): void => {
      if (this.isClosed) return;
      this.isClosed = true;
      closed();
    };
    socket.on('error', end);
    socket.once('close', end);
    // The reader says nothing; to read is how its end is noticed.
    socket.resume();
  }

  /** Connects to the reader and shows it the token. @param closed called once when the reader is gone */
  static async connect(path: string, token: string, closed: () => void): Promise<FeedWriter> {
    const socket = connect(path);
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    const writer = new FeedWriter(socket, closed);
    writer.text(FeedKind.hello, Buffer.from(token));
    return writer;
  }

  /** Writes a record that belongs to no elementary stream. */
  text(kind: FeedKind, data: Buffer): void {
    this.#write(kind, 0, Number.NaN, Number.NaN, data);
  }

  /** Writes a packet. The data is not copied: it must stay as it is. */
  unit(streamIndex: number, dtsTicks: number, ptsTicks: number, data: Buffer): void {
    this.#write(FeedKind.unit, streamIndex, dtsTicks, ptsTicks, data);
  }

  /** Writes bytes of a transport stream, some datagrams at a time. */
  bytes(data: Buffer): void {
    this.#held.push(data);
    this.#heldBytes += data.length;
    if (this.#heldBytes >= MOST_HELD_BYTES) this.flush();
    else
      this.#holdTimer ??= setTimeout(() => {
        this.flush();
      }, HOLD_MS);
  }

  /** Writes what is held. */
  flush(): void {
    clearTimeout(this.#holdTimer);
    this.#holdTimer = undefined;
    if (this.#heldBytes === 0) return;
    const data = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held, this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
    this.#write(FeedKind.bytes, 0, Number.NaN, Number.NaN, data);
  }

  /** A promise where the reader is behind; undefined where it keeps up. */
  room(): Promise<unknown> | undefined {
    if (this.isClosed || !this.#socket.writableNeedDrain) return undefined;
    return Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')]).catch(() => undefined);
  }

  /** Writes what is held and hangs up; resolves when all was sent, or the reader is gone. */
  async close(): Promise<void> {
    this.flush();
    if (this.isClosed) return;
    const gone = once(this.#socket, 'close').catch(() => undefined);
    this.#socket.end();
    await gone;
  }

  #write(kind: FeedKind, streamIndex: number, dtsTicks: number, ptsTicks: number, data: Buffer): void {
    if (this.isClosed) return;
    const header = Buffer.allocUnsafe(FEED_HEADER_BYTES);
    writeFeedHeader(header, { kind, streamIndex, dtsTicks, ptsTicks, dataBytes: data.length });
    this.#socket.cork();
    this.#socket.write(header);
    this.#socket.write(data);
    this.#socket.uncork();
  }
}
