import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { ConnectionLimits } from './connection-limits.ts';
import type { ClientAddress, Exchange } from './exchange.ts';
import { HttpConnection } from './http-connection.ts';
import type { RequestHead } from './http-head.ts';
import type { Tally } from '../lib/tally.ts';
import { TlsHandshakes } from '../lib/limits/tls-handshakes.ts';
import { TLS_RULES, type TransportPolicy } from '../lib/transport-policy.ts';
import type { MediaAddress } from './media-address.ts';

/** A certificate and its key, in PEM form. */
export interface CertificateAndKey {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Source of the certificate of a listener with TLS. */
export interface CertificatePort {
  /** Current certificate. Throws if it cannot be used. */
  current(): CertificateAndKey;
  /** Calls back with each new certificate; returns the unsubscribe function. */
  onChange(listener: (certificate: CertificateAndKey) => void): () => void;
}

/** Receiver of requests for media. */
interface MediaReceiver {
  /** Parses an address; undefined if it is not a media address. */
  address(path: string): MediaAddress | undefined;
  /** Answers one request for a media address. */
  handle(exchange: Exchange, address: MediaAddress): void;
}

export interface HttpEdgeOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: MediaReceiver;
  /** Finds the client's address behind trusted proxies; default: the peer of the connection. */
  readonly clientAddress?: ClientAddress;
  /** Redirects to https and HSTS; without it neither. */
  readonly transport?: TransportPolicy;
  /** Certificate for TLS; plain TCP without it. */
  readonly tls?: CertificatePort;
  readonly now: () => number;
  /** Takes over connections with requests for anything but media. */
  readonly handOver: (socket: Socket, unread: Buffer) => void;
  /** Connection limits, shared by the listeners. Default: separate limits. */
  readonly limits?: ConnectionLimits;
  /** Counts requests refused before they were read, by status; default: not counted. */
  readonly refused?: Pick<Tally, 'add'>;
  /** Counts connections closed by a timeout, by activity: TLS handshake, sending a head, or reading a reply. */
  readonly cut?: Pick<Tally<'head' | 'reply' | 'handshake'>, 'add'>;
  /** Maximum time from the first to the last byte of a head, in milliseconds. Default 10 000. */
  readonly headMs?: number;
  /** Maximum idle time of a connection, in milliseconds. Default 75 000. */
  readonly idleMs?: number;
  /** Maximum time in which a client reads nothing of a reply, in milliseconds. Default 30 000. */
  readonly stallMs?: number;
}

const SWEEP_MS = 5000;
const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 } as const;
const BACKLOG = 4096;
/** Maximum time of a TLS handshake, in milliseconds. */
const HANDSHAKE_MS = 10_000;

/** TCP server of an HTTP listener: answers media, and hands all other requests over. */
export class HttpEdge {
  readonly #options: HttpEdgeOptions;
  readonly #connections = new Set<HttpConnection>();
  readonly #limits: ConnectionLimits;
  /** Open reserved connections, by address and port of the peer. */
  readonly #reserved = new Set<string>();
  /** Sockets handed over to the control server. The listener closes them, too. */
  readonly #handedOver = new Set<Socket>();
  /** Raw sockets before TLS, and the raw sockets of TLS connections. */
  readonly #raw = new Set<Socket>();
  #handshakes: TlsHandshakes | undefined;
  #server: Server | undefined;
  #unsubscribeCertificates: (() => void) | undefined;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(options: HttpEdgeOptions) {
    this.#options = options;
    this.#limits = options.limits ?? new ConnectionLimits();
  }

  /** Number of open connections for media. */
  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Number of connections with an incomplete head. */
  get waitingHeads(): number {
    return [...this.#connections].filter(({ headSinceMs }) => headSinceMs !== undefined).length;
  }

  /** Number of reply bytes that wait for readers. */
  get queuedBytes(): number {
    let bytes = 0;
    for (const connection of this.#connections) bytes += connection.queuedBytes;
    return bytes;
  }

  /**
   * Resolves with the port once it listens. Rejects with the error of the socket, for example EADDRINUSE, or of the
   * certificate.
   */
  async start(): Promise<number> {
    const { host, port, handler, now, tls, transport } = this.#options;
    const edge = {
      now,
      isEncrypted: tls !== undefined,
      ...(transport ? { transport } : {}),
      media: ({ method, path, fields }: RequestHead) =>
        isMediaMethod(method) && !fields.hasBody ? handler.address(path) : undefined,
      stallMs: this.#options.stallMs ?? 30_000,
      clientAddress: this.#options.clientAddress ?? ((peer: string) => peer),
      handle: (exchange: Exchange, address: MediaAddress) => {
        handler.handle(exchange, address);
      },
      handOver: (socket: Socket, unread: Buffer) => {
        this.#handedOver.add(socket);
        socket.once('close', () => {
          this.#handedOver.delete(socket);
        });
        this.#options.handOver(socket, unread);
      },
      refused: (status: number, peer: string) => {
        this.#options.refused?.add(String(status));
        if (status === 503) this.#limits.refuse('reserve', peer);
      },
      stalled: () => this.#options.cut?.add('reply'),
      closed: (connection: HttpConnection) => {
        this.#connections.delete(connection);
      },
    };
    const accept = (socket: Socket): void => {
      this.#connections.add(new HttpConnection(socket, edge, this.#reserved.has(peerOf(socket))));
    };
    const server = tls
      ? this.#listenWithTls(tls, accept)
      : createServer(SOCKET_OPTIONS, (socket) => {
          if (this.#enter(socket)) accept(socket);
        });
    this.#server = server;
    this.#sweeper = setInterval(() => {
      this.sweep();
    }, SWEEP_MS);
    return await new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, backlog: BACKLOG }, () => {
        server.off('error', reject);
        // EMFILE and similar errors do not end the server: the next connection may succeed.
        server.on('error', (error) => this.#limits.refuse('system', error.message));
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /** Counts a connection; closes it if there are too many. */
  #enter(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const admission = this.#limits.enter(address);
    if (admission === 'refused') {
      socket.destroy();
      return false;
    }
    const peer = peerOf(socket);
    if (admission === 'reserve') this.#reserved.add(peer);
    socket.once('close', () => {
      this.#limits.leave(address);
      this.#reserved.delete(peer);
    });
    return true;
  }

  #listenWithTls(certificates: CertificatePort, accept: (socket: Socket) => void): Server {
    const server = createTlsServer(
      {
        ...SOCKET_OPTIONS,
        ...TLS_RULES,
        ...certificates.current(),
        ALPNProtocols: ['http/1.1'],
      },
      accept,
    );
    const handshakes = new TlsHandshakes(server, HANDSHAKE_MS, this.#options.now);
    this.#handshakes = handshakes;
    // Open connections stay; the next handshake uses the new certificate.
    this.#unsubscribeCertificates = certificates.onChange((certificate) => {
      server.setSecureContext({ ...TLS_RULES, ...certificate });
    });
    server.on('secureConnection', (socket) => {
      socket.disableRenegotiation();
    });
    server.on('connection', (socket: Socket) => {
      if (!this.#enter(socket)) return;
      this.#raw.add(socket);
      handshakes.begin(socket);
      socket.once('close', () => {
        this.#raw.delete(socket);
      });
    });
    return server;
  }

  /** Closes the port; open connections continue until `close`. */
  stopListening(): void {
    this.#server?.close();
  }

  /** Stops listening and closes every connection, including those handed over. */
  close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#unsubscribeCertificates?.();
    for (const connection of this.#connections) connection.destroy();
    for (const socket of this.#handedOver) socket.destroy();
    for (const socket of this.#raw) socket.destroy();
    const server = this.#server;
    if (!server) return Promise.resolve();
    return new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  }

  /**
   * Closes connections that were idle for too long, or whose handshake or head is too slow; called every few seconds.
   */
  sweep(): void {
    for (let closed = this.#handshakes?.sweep() ?? 0; closed > 0; closed--) this.#options.cut?.add('handshake');
    const now = this.#options.now();
    const { idleMs = 75_000, headMs = 10_000 } = this.#options;
    for (const connection of this.#connections) {
      if (connection.isBusy || connection.queuedBytes > 0) continue;
      const { headSinceMs = now } = connection;
      const isLate = now - headSinceMs > headMs;
      if (isLate) this.#options.cut?.add('head');
      if (isLate || now - connection.lastActiveMs > idleMs) connection.destroy();
    }
  }
}

/** Address and port of the peer, unique while it is connected. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function isMediaMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
