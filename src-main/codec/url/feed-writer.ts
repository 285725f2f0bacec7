import { once } from 'node:events';
import { writevSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { messageOf } from '../../lib/error-message.ts';
import { FEED_HEADER_BYTES, FeedKind, writeFeedHeader } from '../../lib/feed/feed-record.ts';

/** More is not held. */
const MOST_HELD_BYTES = 64 * 1024;
const CONNECT_MS = 5000;
/** The most that every system takes in one write (`IOV_MAX`). */
const MOST_PIECES = 1024;

/** The part of a socket that Node has and does not declare: its descriptor, of which there is none on Windows. */
interface SocketInside {
  readonly _handle: { readonly fd?: number } | null;
}

/** The writing end of a feed. What is written is held until `flush`, so that many packets are one write; `room` waits until the reader keeps up. */
export class FeedWriter {
  /** Whether the reader is gone. */
  isClosed = false;
  readonly #socket: Socket;
  /** Records, and parts of them. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Bytes of a transport stream, which become one record. */
  #stream: Buffer[] = [];
  #streamBytes = 0;

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

  /** Connects to the reader and shows it the token; rejects with `internal`. @param closed called once when the reader is gone */
  static async connect(path: string, token: string, closed: () => void): Promise<FeedWriter> {
    const socket = connect(path);
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) }).catch((error: unknown) => {
      throw new AirdeskError('internal', `The feed of the input cannot be opened: ${messageOf(error)}`);
    });
    const writer = new FeedWriter(socket, closed);
    writer.text(FeedKind.hello, Buffer.from(token));
    writer.flush();
    return writer;
  }

  /** Writes a record that belongs to no elementary stream. */
  text(kind: FeedKind, data: Buffer): void {
    this.#hold(kind, 0, Number.NaN, Number.NaN, [data], data.length);
  }

  /** Writes a packet. The data is not copied: it must stay as it is. */
  unit(streamIndex: number, dtsTicks: number, ptsTicks: number, data: Buffer): void {
    this.#hold(FeedKind.unit, streamIndex, dtsTicks, ptsTicks, [data], data.length);
  }

  /** Writes bytes of a transport stream. */
  bytes(data: Buffer): void {
    this.#stream.push(data);
    this.#streamBytes += data.length;
    if (this.#streamBytes >= MOST_HELD_BYTES) this.flush();
  }

  /** Sends what is held. */
  flush(): void {
    this.#endStream();
    const held = this.#held;
    if (held.length === 0) return;
    const heldBytes = this.#heldBytes;
    this.#held = [];
    this.#heldBytes = 0;
    if (this.isClosed) return;
    const written = this.#writeAtOnce(held);
    if (written === heldBytes) return;
    this.#socket.cork();
    let before = written;
    for (const piece of held) {
      if (piece.length > before) this.#socket.write(before > 0 ? piece.subarray(before) : piece);
      before = Math.max(0, before - piece.length);
    }
    this.#socket.uncork();
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

  /** Writes what the system takes at once, which is several times cheaper than a write of the socket; the bytes that it took. */
  #writeAtOnce(pieces: readonly Buffer[]): number {
    const fd = (this.#socket as unknown as SocketInside)._handle?.fd;
    if (fd === undefined || fd < 0 || this.#socket.writableLength > 0 || pieces.length > MOST_PIECES) return 0;
    try {
      return writevSync(fd, pieces);
    } catch {
      // It is full, or the reader is gone, which the socket finds by itself.
      return 0;
    }
  }

  #endStream(): void {
    if (this.#streamBytes === 0) return;
    const [pieces, bytes] = [this.#stream, this.#streamBytes];
    this.#stream = [];
    this.#streamBytes = 0;
    this.#hold(FeedKind.bytes, 0, Number.NaN, Number.NaN, pieces, bytes);
  }

  #hold(
    kind: FeedKind,
    streamIndex: number,
    dtsTicks: number,
    ptsTicks: number,
    pieces: readonly Buffer[],
    dataBytes: number,
  ): void {
    this.#endStream();
    if (this.isClosed) return;
    const header = Buffer.allocUnsafe(FEED_HEADER_BYTES);
    writeFeedHeader(header, { kind, streamIndex, dtsTicks, ptsTicks, dataBytes });
    this.#held.push(header, ...pieces);
    this.#heldBytes += header.length + dataBytes;
    if (this.#heldBytes >= MOST_HELD_BYTES) this.flush();
  }
}
