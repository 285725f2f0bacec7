import type { Socket } from 'node:net';
import type { TransportPolicy } from '../lib/transport-policy.ts';
import type { BodyStream, ClientAddress, Exchange, Reply } from './exchange.ts';
import { dateLine, findHeader, findHeaderList, HeadReader, statusLine, type RequestHead } from './http-head.ts';
import type { MediaAddress } from './media-address.ts';
import { ERROR_HEADERS, CORS } from './headers.ts';
import { errorText } from './media-error.ts';
import { ConnectionSession } from './connection-session.ts';

/** Maximum size of a request head, in bytes; longer ones are answered with 431. */
const MAX_HEAD_BYTES = 16 * 1024;
/** Number of unread reply bytes above which a connection gets no new reply. */
const MAX_QUEUED_BYTES = 256 * 1024;

/** Maximum size of a body that is sent in one piece with its head, in bytes. */
const MAX_COPIED_BYTES = 4096;

const CR = 0x0d;
const LF = 0x0a;

/** Functions that a connection needs from its edge. */
export interface ConnectionHost {
  now(): number;
  /** Media address of a request; undefined for requests that the media edge does not answer. */
  media(head: RequestHead): MediaAddress | undefined;
  handle(exchange: Exchange, address: MediaAddress): void;
  readonly clientAddress: ClientAddress;
  /** Policy for redirects to https and for HSTS; absent if the server uses neither. */
  readonly transport?: TransportPolicy;
  /** True if its connections use TLS. */
  readonly isEncrypted: boolean;
  /** Takes over a connection with a request that is not for media; `unread` are the bytes received so far. */
  handOver(socket: Socket, unread: Buffer): void;
  closed(connection: HttpConnection): void;
  /** Called when a request is refused before it is read; `peer` is the address of the other side. */
  refused(status: number, peer: string): void;
  /** Called when a client read nothing for too long and is disconnected. */
  stalled(): void;
  /** Maximum time without reading by a client, in milliseconds. */
  readonly stallMs: number;
}

/**
 * One persistent connection of the media edge: reads request heads and answers one request after the other. It supports
 * as much of HTTP/1.1 as players need for media, without request bodies and upgrades; all other requests are handed
 * over.
 */
export class HttpConnection {
  /** Time of the last activity, in epoch milliseconds. */
  lastActiveMs: number;
  /** Time of the first byte of an incomplete head; undefined for none. */
  headSinceMs: number | undefined;
  /** Whether the connection is one of the reserved ones, and may only publish. */
  readonly #isReserve: boolean;
  readonly #socket: Socket;
  readonly #host: ConnectionHost;
  #unread: Buffer | undefined;
  #exchange: HttpExchange | undefined;
  #isReading = false;
  #isDraining = false;
  /** True after the last answer: further bytes are not read. */
  #isEnding = false;
  /** True while the socket's timeout is active, that is, while bytes are queued. */
  #isWatched = false;
  readonly session = new ConnectionSession();
  readonly #heads = new HeadReader();
  readonly #onData = (chunk: Buffer): void => {
    if (this.#isEnding) return;
    this.#unread = this.#unread ? Buffer.concat([this.#unread, chunk]) : chunk;
    if (this.#exchange || this.#isDraining) {
      // Data of a player that does not wait for its answer stays in the socket buffer.
      if (this.#unread.length > MAX_HEAD_BYTES) this.#socket.pause();
      return;
    }
    this.#readRequests();
  };
  readonly #onClose = (): void => {
    this.#exchange?.closed();
    this.#exchange = undefined;
    this.#host.closed(this);
  };
  readonly #onError = (): void => {
    this.#socket.destroy();
  };
  readonly #onTimeout = (): void => {
    // `writableLength` shows what the client has read of a single large write, which 'drain' does not report.
    if (this.#socket.writableLength === 0) {
      this.#unwatch();
      return;
    }
    this.#host.stalled();
    this.#socket.destroy();
  };
  readonly #onDrain = (): void => {
    this.lastActiveMs = this.#host.now();
    this.#unwatch();
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
  }

  /** True while a request is being answered. */
  get isBusy(): boolean {
    return this.#exchange !== undefined;
  }

  /** Number of bytes that the client has not read. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Starts the timeout after a write, only if bytes are still queued: most small answers need no timer. */
  written(): void {
    if (this.#isWatched || this.#socket.writableLength === 0) return;
    this.#isWatched = true;
    this.#socket.setTimeout(this.#host.stallMs);
  }

  #unwatch(): void {
    if (!this.#isWatched) return;
    this.#isWatched = false;
    this.#socket.setTimeout(0);
  }

  #readRequests(): void {
    // An immediate reply returns here; the loop continues instead of recursing.
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
    const again = this.#heads.readAgain(all);
    if (again) return this.#take(again, all, all.length);
    // An empty line before a request is allowed (RFC 9112 section 2.2).
    const bytes = all[0] === CR && all[1] === LF ? all.subarray(2) : all;
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) {
      if (bytes.length > MAX_HEAD_BYTES) this.#refuse(431, 'request_too_large', 'The head is longer than 16 KiB');
      // Lines without CR would never form a complete head.
      else if (bytes.includes('\n\n')) this.#refuse(400, 'bad_request', 'Every line must end with CR LF');
      else if (bytes.length > 0) this.headSinceMs ??= this.#host.now();
      return false;
    }
    const head = this.#heads.read(bytes.toString('latin1', 0, end));
    if (!head) {
      this.headSinceMs = undefined;
      this.#refuse(400, 'bad_request', 'The head is not valid HTTP/1.1 (RFC 9112)');
      return false;
    }
    return this.#take(head, bytes, end + 4);
  }

  /**
   * @param bytes received bytes, starting with the head
   * @param headBytes length of the head with its blank line
   */
  #take(head: RequestHead, bytes: Buffer, headBytes: number): boolean {
    this.headSinceMs = undefined;
    const host = this.#host;
    if (this.#isReserve && head.method !== 'POST' && head.method !== 'PUT') {
      this.#refuse(503, 'unavailable', 'Too many connections are open');
      return false;
    }
    const address = host.media(head);
    if (!address) {
      this.#handOver(bytes);
      return false;
    }
    this.lastActiveMs = host.now();
    this.#unread = headBytes === bytes.length ? undefined : bytes.subarray(headBytes);
    const socketAddress = this.#socket.remoteAddress ?? '';
    const header = (name: string): string | undefined => findHeaderList(head.fields.text, name);
    const peer = host.clientAddress(socketAddress, header);
    const { transport } = host;
    if (!transport?.isInUse) {
      this.#exchange = new HttpExchange(this, this.#socket, head, peer, '');
      host.handle(this.#exchange, address);
      return true;
    }
    const target = head.query === '' ? head.path : `${head.path}?${head.query}`;
    const facts = { method: head.method, target, peer: socketAddress, isEncrypted: host.isEncrypted, header };
    const strict = transport.strictTransport(facts);
    const extra = strict === undefined ? '' : `Strict-Transport-Security: ${strict}\r\n`;
    const exchange = new HttpExchange(this, this.#socket, head, peer, extra);
    this.#exchange = exchange;
    const location = transport.redirect(facts);
    if (location === undefined) host.handle(exchange, address);
    else exchange.reply({ status: 308, headers: `Location: ${location}\r\n${CORS}`, body: [], bodyBytes: 0 });
    return true;
  }

  get isEncrypted(): boolean {
    return this.#host.isEncrypted;
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#host.now();
  }

  /** Handles the end of a reply. */
  finished(keepsOpen: boolean): void {
    this.#exchange = undefined;
    this.written();
    if (!keepsOpen) {
      this.#isEnding = true;
      this.#unread = undefined;
      this.#socket.end();
      return;
    }
    if (this.#socket.writableLength > MAX_QUEUED_BYTES) {
      // The next request waits until this player has read the previous reply: a connection holds one reply only.
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
    const lines = `Content-Type: application/json\r\n${ERROR_HEADERS}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    this.#socket.end(`${statusLine(status)}${dateLine(this.#host.now())}${lines}${body}`);
    this.written();
  }
}

/** One request on a connection of the media edge. */
class HttpExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly peer: string;
  readonly connectionSession: ConnectionSession;
  readonly #connection: HttpConnection;
  readonly #socket: Socket;
  /** Header lines of every answer. */
  readonly #extra: string;
  readonly #head: RequestHead;
  #closeCallbacks: (() => void)[] = [];

  constructor(connection: HttpConnection, socket: Socket, head: RequestHead, peer: string, extra: string) {
    this.method = head.method;
    this.path = head.path;
    this.query = head.query;
    this.peer = peer;
    this.connectionSession = connection.session;
    this.#connection = connection;
    this.#socket = socket;
    this.#extra = extra;
    this.#head = head;
  }

  get isEncrypted(): boolean {
    return this.#connection.isEncrypted;
  }

  get acceptsGzip(): boolean {
    return this.#head.fields.acceptsGzip;
  }

  header(name: string): string | undefined {
    const { fields } = this.#head;
    if (name === 'if-none-match') return fields.ifNoneMatch;
    return name === 'range' ? fields.range : findHeader(fields.text, name);
  }

  onClose(callback: () => void): void {
    this.#closeCallbacks.push(callback);
  }

  /** Handles the end of the connection during the request. */
  closed(): void {
    for (const callback of this.#closeCallbacks.splice(0)) callback();
  }

  reply(reply: Reply): void {
    this.#closeCallbacks = [];
    const socket = this.#socket;
    const { keepsAlive } = this.#head.fields;
    if (reply.withHead && this.#extra === '' && keepsAlive && this.#head.isHttp11 && this.method === 'GET') {
      socket.write(reply.withHead);
    } else {
      const length = reply.status === 304 || reply.status === 204 ? '' : `Content-Length: ${reply.bodyBytes}\r\n`;
      const connection = !keepsAlive
        ? 'Connection: close\r\n'
        : this.#head.isHttp11
          ? ''
          : 'Connection: keep-alive\r\n';
      const head = `${statusLine(reply.status)}${dateLine(this.#connection.now())}${this.#extra}${reply.headers}${length}${connection}\r\n`;
      this.#write(head, reply);
    }
    this.#connection.finished(keepsAlive);
  }

  #write(head: string, { body, bodyBytes, sent }: Reply): void {
    const socket = this.#socket;
    const last = body.length - 1;
    if (this.method === 'HEAD' || last < 0) {
      socket.write(head, 'latin1');
      sent?.();
      return;
    }
    if (bodyBytes <= MAX_COPIED_BYTES) {
      // Copying a small body costs less than sending two pieces.
      socket.write(Buffer.concat([Buffer.from(head, 'latin1'), ...body]));
      sent?.();
      return;
    }
    socket.cork();
    socket.write(head, 'latin1');
    for (let index = 0; index <= last; index++)
      socket.write(body[index] as Uint8Array, index === last ? sent : undefined);
    socket.uncork();
  }

  stream(status: number, headers: string, bodyBytes?: number): BodyStream {
    const socket = this.#socket;
    const connection = this.#connection;
    const { isHttp11, fields } = this.#head;
    const { keepsAlive } = fields;
    const hasLength = bodyBytes !== undefined;
    const isChunked = isHttp11 && !hasLength;
    const keepsOpen = keepsAlive && (isHttp11 || hasLength);
    const length = hasLength ? `Content-Length: ${bodyBytes}\r\n` : isChunked ? 'Transfer-Encoding: chunked\r\n' : '';
    const persistence = !keepsOpen ? 'Connection: close\r\n' : isHttp11 ? '' : 'Connection: keep-alive\r\n';
    const framing = `${length}${persistence}`;
    socket.write(`${statusLine(status)}${dateLine(connection.now())}${this.#extra}${headers}${framing}\r\n`, 'latin1');
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
        connection.written();
      },
      end: () => {
        this.#closeCallbacks = [];
        if (isChunked && hasBody) socket.write('0\r\n\r\n', 'latin1');
        connection.finished(keepsOpen);
      },
      abort: () => {
        this.#closeCallbacks = [];
        socket.destroy();
      },
    };
  }
}
