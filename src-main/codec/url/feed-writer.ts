import { once } from 'node:events';
import { writevSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { messageOf } from '../../lib/error-message.ts';
import { FEED_HEADER_BYTES, FeedKind, writeFeedHeader } from '../../lib/feed/feed-record.ts';

/** Maximum number of buffered bytes. */
const MAX_BUFFERED_BYTES = 64 * 1024;
const CONNECT_MS = 5000;
/** Maximum number of pieces that every system accepts in one write (`IOV_MAX`). */
const MAX_PIECES = 1024;

/** Undeclared part of Node's socket: its file descriptor, which does not exist on Windows. */
interface SocketInside {
  readonly _handle: { readonly fd?: number } | null;
}

/**
 * Writing end of a feed. Records are buffered until `flush`, so that many packets are one write; `room` waits for a
 * slow reader.
 */
export class FeedWriter {
  /** True if the reader has disconnected. */
  isClosed = false;
  readonly #socket: Socket;
  /** Buffered records, and parts of them. */
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  /** Buffered bytes of a transport stream, which become one record. */
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
    // The reader sends nothing; reading detects its end.
    socket.resume();
  }

  /**
   * Connects to the reader and sends the token; rejects with `internal`.
   *
   * @param closed called once when the reader has disconnected
   */
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
    this.#buffer(kind, 0, Number.NaN, Number.NaN, [data], data.length);
  }

  /** Writes a packet. The data is not copied and must not change. */
  unit(streamIndex: number, dtsTicks: number, ptsTicks: number, data: Buffer): void {
    this.#buffer(FeedKind.unit, streamIndex, dtsTicks, ptsTicks, [data], data.length);
  }

  /** Writes bytes of a transport stream. */
  bytes(data: Buffer): void {
    this.#stream.push(data);
    this.#streamBytes += data.length;
    if (this.#streamBytes >= MAX_BUFFERED_BYTES) this.flush();
  }

  /** Sends the buffered records. */
  flush(): void {
    this.#endStream();
    const buffered = this.#buffered;
    if (buffered.length === 0) return;
    const bufferedBytes = this.#bufferedBytes;
    this.#buffered = [];
    this.#bufferedBytes = 0;
    if (this.isClosed) return;
    const written = this.#writeAtOnce(buffered);
    if (written === bufferedBytes) return;
    this.#socket.cork();
    let before = written;
    for (const piece of buffered) {
      if (piece.length > before) this.#socket.write(before > 0 ? piece.subarray(before) : piece);
      before = Math.max(0, before - piece.length);
    }
    this.#socket.uncork();
  }

  /** Promise of room if the reader is slow; undefined if it keeps up. */
  room(): Promise<unknown> | undefined {
    if (this.isClosed || !this.#socket.writableNeedDrain) return undefined;
    return Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')]).catch(() => undefined);
  }

  /** Writes the buffered records and closes the connection; resolves when all was sent, or the reader has disconnected. */
  async close(): Promise<void> {
    this.flush();
    if (this.isClosed) return;
    const gone = once(this.#socket, 'close').catch(() => undefined);
    this.#socket.end();
    await gone;
  }

  /**
   * Writes as many bytes as the system takes at once, which is several times cheaper than a write of the socket;
   * returns their number.
   */
  #writeAtOnce(pieces: readonly Buffer[]): number {
    const fd = (this.#socket as unknown as SocketInside)._handle?.fd;
    if (fd === undefined || fd < 0 || this.#socket.writableLength > 0 || pieces.length > MAX_PIECES) return 0;
    try {
      return writevSync(fd, pieces);
    } catch {
      // The buffer is full, or the reader has disconnected, which the socket notices itself.
      return 0;
    }
  }

  #endStream(): void {
    if (this.#streamBytes === 0) return;
    const [pieces, bytes] = [this.#stream, this.#streamBytes];
    this.#stream = [];
    this.#streamBytes = 0;
    this.#buffer(FeedKind.bytes, 0, Number.NaN, Number.NaN, pieces, bytes);
  }

  #buffer(
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
    this.#buffered.push(header, ...pieces);
    this.#bufferedBytes += header.length + dataBytes;
    if (this.#bufferedBytes >= MAX_BUFFERED_BYTES) this.flush();
  }
}
