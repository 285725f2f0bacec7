import { once } from 'node:events';
import { writevSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { messageOf } from '../../lib/error-message.ts';
import { FEED_HEADER_BYTES, FeedKind, writeFeedHeader } from '../../lib/feed/feed-record.ts';

/** Maximum number of buffered bytes. */
const MAX_BUFFERED_BYTES = 64 * 1024;
const CONNECT_MS = 5000;
/** Maximum number of buffers that every system accepts in one write (`IOV_MAX`). */
const MAX_BUFFERS = 1024;

/** Undeclared member of Node's socket: its file descriptor, which does not exist on Windows. */
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
    for (const buffer of buffered) {
      if (buffer.length > before) this.#socket.write(before > 0 ? buffer.subarray(before) : buffer);
      before = Math.max(0, before - buffer.length);
    }
    this.#socket.uncork();
  }

  /** Promise that resolves when the reader has taken enough bytes; undefined if it is not slow. */
  room(): Promise<unknown> | undefined {
    if (this.isClosed || !this.#socket.writableNeedDrain) return undefined;
    return Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')]).catch(() => undefined);
  }

  /** Writes the buffered records and closes the connection; resolves when everything was sent, or the reader has disconnected. */
  async close(): Promise<void> {
    this.flush();
    if (this.isClosed) return;
    const closed = once(this.#socket, 'close').catch(() => undefined);
    this.#socket.end();
    await closed;
  }

  /**
   * Writes the bytes that the system accepts without waiting, which is several times cheaper than a write of the socket; returns
   * their number.
   */
  #writeAtOnce(buffers: readonly Buffer[]): number {
    const fd = (this.#socket as unknown as SocketInside)._handle?.fd;
    if (fd === undefined || fd < 0 || this.#socket.writableLength > 0 || buffers.length > MAX_BUFFERS) return 0;
    try {
      return writevSync(fd, buffers);
    } catch {
      // The buffer is full, or the reader has disconnected; the socket reports the latter.
      return 0;
    }
  }

  #endStream(): void {
    if (this.#streamBytes === 0) return;
    const [buffers, bytes] = [this.#stream, this.#streamBytes];
    this.#stream = [];
    this.#streamBytes = 0;
    this.#buffer(FeedKind.bytes, 0, Number.NaN, Number.NaN, buffers, bytes);
  }

  #buffer(
    kind: FeedKind,
    streamIndex: number,
    dtsTicks: number,
    ptsTicks: number,
    buffers: readonly Buffer[],
    dataBytes: number,
  ): void {
    this.#endStream();
    if (this.isClosed) return;
    const header = Buffer.allocUnsafe(FEED_HEADER_BYTES);
    writeFeedHeader(header, { kind, streamIndex, dtsTicks, ptsTicks, dataBytes });
    this.#buffered.push(header, ...buffers);
    this.#bufferedBytes += header.length + dataBytes;
    if (this.#bufferedBytes >= MAX_BUFFERED_BYTES) this.flush();
  }
}
