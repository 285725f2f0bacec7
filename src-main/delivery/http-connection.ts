import type { Socket } from 'node:net';
import type { TransportPolicy } from '../lib/transport-policy.ts';
import type { BodyStream, ClientAddress, Exchange, Reply } from './exchange.ts';
import { dateLine, findHeader, findHeaderList, HeadReader, statusLine, type RequestHead } from './http-head.ts';
import { CLOSED, CORS } from './headers.ts';
import { errorText } from './media-error.ts';
import { ConnectionSession } from './connection-session.ts';

/** Longest request head in bytes; longer ones are answered with 431. */
const MAX_HEAD_BYTES = 16 * 1024;
/** A connection with more unread bytes of replies than this gets no new reply. */
const MAX_QUEUED_BYTES = 256 * 1024;

const CR = 0x0d;
const LF = 0x0a;

/** What a connection needs from the edge that owns it. */
export interface ConnectionHost {
  now(): number;
  /** Whether the media edge answers this request itself. */
  isMedia(head: RequestHead): boolean;
  handle(exchange: Exchange): void;
  readonly clientAddress: ClientAddress;
  /** Redirects to https, and headers of answers by https; neither without it. */
  readonly transport?: TransportPolicy;
  /** Whether its connections are ones of TLS. */
  readonly isEncrypted: boolean;
  /** Takes over a connection that asks for something else; `unread` are the bytes that came so far. */
  handOver(socket: Socket, unread: Buffer): void;
  closed(connection: HttpConnection): void;
  /** A request was refused before it was read. @param peer other side of the connection */
  refused(status: number, peer: string): void;
  /** A reader took nothing for too long, and is disconnected. */
  stalled(): void;
  /** A client that reads nothing for this long is disconnected, in milliseconds. */
  readonly stallMs: number;
}

/**
 * One keep-alive connection of the media edge: reads request heads, answers one request after the other. It speaks just
 * as much of HTTP/1.1 as players need for media: no request bodies, no upgrades; everything else is handed over.
 */
export class HttpConnection {
  /** Time of the last activity, epoch milliseconds. */
  lastActiveMs: number;
  /** When the first byte of a head came whose end is missing; undefined for none. */
  headSinceMs: number | undefined;
  /** Whether it is one of those that are kept for this machine and for publishers. */
  readonly #isReserve: boolean;
  readonly #socket: Socket;
  readonly #host: ConnectionHost;
  #unread: Buffer | undefined;
  #exchange: HttpExchange | undefined;
  #isReading = false;
  #isDraining = false;
  /** Whether the last answer was given: what still comes is not read. */
  #isEnding = false;
  readonly #connectionSession = new ConnectionSession();
  readonly #heads = new HeadReader();
  readonly #onData = (chunk: Buffer): void => {
    if (this.#isEnding) return;
    this.#unread = this.#unread ? Buffer.concat([this.#unread, chunk]) : chunk;
    if (this.#exchange || this.#isDraining) {
      // A player that sends more before it has its answer waits in the socket, not in our memory.
      if (this.#unread.length > MAX_HEAD_BYTES) this.#socket.pause();
      return;
    }
    this.#readRequests();
  };
  readonly #onClose = (): void => {
    this.#exchange?.gone();
    this.#exchange = undefined;
    this.#host.closed(this);
  };
  readonly #onError = (): void => {
    this.#socket.destroy();
  };
  readonly #onTimeout = (): void => {
    // The system counts what the client reads of a single large write, which 'drain' does not report.
    if (this.#socket.writableLength === 0) return;
    this.#host.stalled();
    this.#socket.destroy();
  };
  readonly #onDrain = (): void => {
    this.lastActiveMs = this.#host.now();
    if (!this.#isDraining) return;
    this.#isDraining = false;
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#unread) this.#readRequests();
  };

  constructor(socket: Socket, host: ConnectionHost, isReserve = false) {
    this.#isReserve = isReserve;
    this.#socket = socket;
    this.#host = host;
    this.lastActiveMs = host.now();
    socket.on('data', this.#onData);
    socket.on('close', this.#onClose);
    socket.on('error', this.#onError);
    socket.on('drain', this.#onDrain);
    socket.on('timeout', this.#onTimeout);
    socket.setTimeout(host.stallMs);
  }

  /** Whether a request is being answered. */
  get isBusy(): boolean {
    return this.#exchange !== undefined;
  }

  /** Bytes that wait for the other side to read them. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #readRequests(): void {
    // A reply that is made at once comes back here; the loop goes on instead of going deeper.
    if (this.#isReading) return;
    this.#isReading = true;
    while (
      this.#unread &&
      !this.#exchange &&
      !this.#isDraining &&
      !this.#isEnding &&
      !this.#socket.destroyed &&
      this.#readOne(this.#unread)
    );
    this.#isReading = false;
  }

  #readOne(all: Buffer): boolean {
    // An empty line before a request is let pass (RFC 9112 section 2.2).
    const bytes = all[0] === CR && all[1] === LF ? all.subarray(2) : all;
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) {
      if (bytes.length > MAX_HEAD_BYTES) this.#refuse(431, 'request_too_large', 'The head is longer than 16 KiB');
      // Lines that end without CR would be waited for in vain.
      else if (bytes.includes('\n\n')) this.#refuse(400, 'bad_request', 'A line does not end as HTTP has it');
      else if (bytes.length > 0) this.headSinceMs ??= this.#host.now();
      return false;
    }
    this.headSinceMs = undefined;
    const head = this.#heads.read(bytes.toString('latin1', 0, end));
    if (!head) {
      this.#refuse(400, 'bad_request', 'The head is not one of HTTP/1.1 (RFC 9112)');
      return false;
    }
    if (this.#isReserve && head.method !== 'POST' && head.method !== 'PUT') {
      this.#refuse(503, 'unavailable', 'Too many connections are open');
      return false;
    }
    if (!this.#host.isMedia(head)) {
      this.#handOver(bytes);
      return false;
    }
    this.lastActiveMs = this.#host.now();
    this.#unread = end + 4 === bytes.length ? undefined : bytes.subarray(end + 4);
    const socketAddress = this.#socket.remoteAddress ?? '';
    const peer = this.#host.clientAddress(socketAddress, (name) => findHeaderList(head.text, name));
    const { transport, isEncrypted } = this.#host;
    const header = (name: string): string | undefined => findHeaderList(head.text, name);
    const strict = transport?.strictTransport({ peer: socketAddress, isEncrypted, header });
    const extra = strict === undefined ? '' : `Strict-Transport-Security: ${strict}\r\n`;
    const exchange = new HttpExchange(
      this.#socket,
      head,
      peer,
      this.#connectionSession,
      extra,
      this.#host.now,
      (keepsOpen) => {
        this.#finished(keepsOpen);
      },
    );
    this.#exchange = exchange;
    const target = head.query === '' ? head.path : `${head.path}?${head.query}`;
    const location = transport?.redirect({ method: head.method, target, peer: socketAddress, isEncrypted, header });
    if (location === undefined) this.#host.handle(exchange);
    else exchange.reply({ status: 308, headers: `Location: ${location}\r\n${CORS}`, body: [], bodyBytes: 0 });
    return true;
  }

  #finished(keepsOpen: boolean): void {
    this.#exchange = undefined;
    if (!keepsOpen) {
      this.#isEnding = true;
      this.#unread = undefined;
      this.#socket.end();
      return;
    }
    if (this.#socket.writableLength > MAX_QUEUED_BYTES) {
      // The next request waits until this player has read what it asked for: one reply a connection is all we hold.
      this.#isDraining = true;
      return;
    }
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#unread) this.#readRequests();
  }

  #handOver(bytes: Buffer): void {
    const socket = this.#socket;
    socket.off('data', this.#onData);
    socket.off('close', this.#onClose);
    socket.off('error', this.#onError);
    socket.off('drain', this.#onDrain);
    socket.off('timeout', this.#onTimeout);
    socket.setTimeout(0);
    this.#host.closed(this);
    this.#unread = undefined;
    this.#host.handOver(socket, bytes);
  }

  #refuse(status: number, code: string, title: string): void {
    this.#isEnding = true;
    this.#unread = undefined;
    this.#host.refused(status, this.#socket.remoteAddress ?? '');
    const body = errorText(code, status, title);
    const lines = `Content-Type: application/json\r\n${CLOSED}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    this.#socket.end(`${statusLine(status)}${dateLine(this.#host.now())}${lines}${body}`);
  }
}

/** One request on a connection of the media edge. */
class HttpExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly peer: string;
  readonly connectionSession: ConnectionSession;
  readonly #socket: Socket;
  /** Header lines of every answer. */
  readonly #extra: string;
  readonly #head: RequestHead;
  readonly #now: () => number;
  readonly #finished: (keepsOpen: boolean) => void;
  #onClose: (() => void) | undefined;

  constructor(
    socket: Socket,
    head: RequestHead,
    peer: string,
    connectionSession: ConnectionSession,
    extra: string,
    now: () => number,
    finished: (keepsOpen: boolean) => void,
  ) {
    this.method = head.method;
    this.path = head.path;
    this.query = head.query;
    this.#socket = socket;
    this.#head = head;
    this.#extra = extra;
    this.peer = peer;
    this.connectionSession = connectionSession;
    this.#now = now;
    this.#finished = finished;
  }

  header(name: string): string | undefined {
    return findHeader(this.#head.text, name);
  }

  onClose(callback: () => void): void {
    this.#onClose = callback;
  }

  /** The socket closed under the request. */
  gone(): void {
    this.#onClose?.();
    this.#onClose = undefined;
  }

  reply(reply: Reply): void {
    this.#onClose = undefined;
    const socket = this.#socket;
    const keepsAlive = this.#head.keepsAlive;
    if (reply.whole && this.#extra === '' && keepsAlive && this.#head.isHttp11 && this.method === 'GET') {
      socket.write(reply.whole);
    } else {
      const length = reply.status === 304 || reply.status === 204 ? '' : `Content-Length: ${reply.bodyBytes}\r\n`;
      const connection = !keepsAlive
        ? 'Connection: close\r\n'
        : this.#head.isHttp11
          ? ''
          : 'Connection: keep-alive\r\n';
      const head = `${statusLine(reply.status)}${dateLine(this.#now())}${this.#extra}${reply.headers}${length}${connection}\r\n`;
      socket.cork();
      socket.write(head, 'latin1');
      const last = reply.body.length - 1;
      if (this.method === 'HEAD' || last < 0) reply.sent?.();
      else
        for (let index = 0; index <= last; index++)
          socket.write(reply.body[index] as Uint8Array, index === last ? reply.sent : undefined);
      socket.uncork();
    }
    this.#finished(keepsAlive);
  }

  stream(status: number, headers: string, bodyBytes?: number): BodyStream {
    const socket = this.#socket;
    const { isHttp11, keepsAlive } = this.#head;
    const hasLength = bodyBytes !== undefined;
    const isChunked = isHttp11 && !hasLength;
    const keepsOpen = keepsAlive && (isHttp11 || hasLength);
    const length = hasLength ? `Content-Length: ${bodyBytes}\r\n` : isChunked ? 'Transfer-Encoding: chunked\r\n' : '';
    const connection = !keepsOpen ? 'Connection: close\r\n' : isHttp11 ? '' : 'Connection: keep-alive\r\n';
    const framing = `${length}${connection}`;
    socket.write(`${statusLine(status)}${dateLine(this.#now())}${this.#extra}${headers}${framing}\r\n`, 'latin1');
    const hasBody = this.method !== 'HEAD';
    return {
      get queuedBytes() {
        return socket.writableLength;
      },
      write: (bytes, sent) => {
        if (!hasBody || bytes.length === 0) {
          sent?.();
          return;
        }
        socket.cork();
        if (isChunked) socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
        socket.write(bytes, sent);
        if (isChunked) socket.write('\r\n', 'latin1');
        socket.uncork();
      },
      end: () => {
        this.#onClose = undefined;
        if (isChunked && hasBody) socket.write('0\r\n\r\n', 'latin1');
        this.#finished(keepsOpen);
      },
      abort: () => {
        this.#onClose = undefined;
        socket.destroy();
      },
    };
  }
}
