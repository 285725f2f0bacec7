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
import type { MediaHandler } from './media-handler.ts';

/** A certificate and its key, in PEM form. */
export interface CertificateAndKey {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Where a listener with TLS takes its certificate from. */
export interface CertificatePort {
  /** The one that counts now. Raises what keeps it from being used. */
  current(): CertificateAndKey;
  /** Calls back with each new one; returns the end of it. */
  onChange(listener: (certificate: CertificateAndKey) => void): () => void;
}

/** How the media edge listens. */
export interface HttpEdgeOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: MediaHandler;
  /** Finds the client's address where proxies are trusted; the other side of the connection without it. */
  readonly clientAddress?: ClientAddress;
  /** Redirects to https, and headers of answers by https; neither without it. */
  readonly transport?: TransportPolicy;
  /** Makes it speak TLS; plain TCP without it. */
  readonly tls?: CertificatePort;
  readonly now: () => number;
  /** Takes over connections that ask for something that is not media. */
  readonly handOver: (socket: Socket, unread: Buffer) => void;
  /** How many connections there may be; shared by the listeners. Its defaults without it. */
  readonly limits?: ConnectionLimits;
  /** Counts requests that were refused before they were read, by the status of the answer; nothing is counted without it. */
  readonly refused?: Pick<Tally, 'add'>;
  /** Counts connections whose time was over, by what they were at: TLS, sending a head, or taking an answer. */
  readonly cut?: Pick<Tally<'head' | 'reply' | 'handshake'>, 'add'>;
  /** From the first byte of a head to its last one. Default 10 000. */
  readonly headMs?: number;
  /** Idle connections are closed after this long. Default 75 000. */
  readonly idleMs?: number;
  /** Connections whose client reads nothing for this long are closed. Default 30 000. */
  readonly stallMs?: number;
}

const SWEEP_MS = 5000;
const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 } as const;
const BACKLOG = 4096;
/** How long a client may take for the handshake of TLS, in milliseconds. */
const HANDSHAKE_MS = 10_000;

/** The TCP server in front of everything that speaks HTTP: answers media itself, hands the rest over. */
export class HttpEdge {
  readonly #options: HttpEdgeOptions;
  readonly #connections = new Set<HttpConnection>();
  readonly #limits: ConnectionLimits;
  /** Connections that are for this machine and for publishers, by both of their addresses. */
  readonly #reserved = new Set<string>();
  /** Sockets that the control server holds now. They came from here, so the listener is not closed before they are. */
  readonly #handedOver = new Set<Socket>();
  /** Sockets before their handshake and below TLS. */
  readonly #raw = new Set<Socket>();
  #handshakes: TlsHandshakes | undefined;
  #server: Server | undefined;
  #endOfCertificates: (() => void) | undefined;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(options: HttpEdgeOptions) {
    this.#options = options;
    this.#limits = options.limits ?? new ConnectionLimits();
  }

  /** Open connections that ask for media. */
  get connectionCount(): number {
    return this.#connections.size;
  }

  /** Connections that have sent a part of a head. */
  get waitingHeads(): number {
    return [...this.#connections].filter(({ headSinceMs }) => headSinceMs !== undefined).length;
  }

  /** Bytes of replies that wait for readers. */
  get queuedBytes(): number {
    let bytes = 0;
    for (const connection of this.#connections) bytes += connection.queuedBytes;
    return bytes;
  }

  /** Resolves with the port once it listens. Rejects with the error of the socket, for example EADDRINUSE, or that of the certificate. */
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
        // EMFILE and its like end no server: the next connection may be taken.
        server.on('error', (error) => this.#limits.refuse('system', error.message));
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /** Counts a connection; closes it where there are too many. */
  #enter(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const place = this.#limits.enter(address);
    if (place === 'refused') {
      socket.destroy();
      return false;
    }
    const peer = peerOf(socket);
    if (place === 'reserve') this.#reserved.add(peer);
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
    // Open connections stay; the next handshake has the new certificate.
    this.#endOfCertificates = certificates.onChange((certificate) => {
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

  /** Takes no new connections and gives the port back; those that are open go on until `close`. */
  stopListening(): void {
    this.#server?.close();
  }

  /** Stops listening and closes every connection, handed over or not. */
  close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#endOfCertificates?.();
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

  /** Closes connections that were idle for too long, or whose handshake or head drips; called every few seconds. */
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

/** Both addresses of the other side, which are its own as long as it is connected. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function isMediaMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
