import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import type { Clock } from '../../lib/clock.ts';
import { TlsHandshakes } from '../../lib/limits/tls-handshakes.ts';
import { TLS_RULES } from '../../lib/transport-policy.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import { every } from '../../lib/timers.ts';
import { ByteBudget } from '../byte-budget.ts';
import type { InputEnd, PublisherPort } from '../input.ts';
import { peerOf, plainAddress } from '../../lib/network-address.ts';
import { ConnectionCount } from './connection-count.ts';
import { DEFAULT_RTMP_LIMITS, type RtmpLimits } from './limits.ts';
import { ReadTicks } from '../reads/read-ticks.ts';
import { RtmpConnection, type RtmpConnectionOptions } from './rtmp-connection.ts';

/** Certificate and its key in PEM form. */
export interface CertificatePem {
  readonly cert: string;
  readonly key: string;
}

export interface RtmpServerOptions {
  /** Port to listen on; 0 for any free one. */
  readonly port: number;
  /** Address to listen on; default: all of both families. */
  readonly host?: string;
  /** Whether other threads may listen on the same port, so that the kernel distributes connections; default false. */
  readonly reusePort?: boolean;
  /** Enables TLS (RTMPS); default: plain TCP. */
  readonly tls?: CertificatePem;
  /** Accepts or refuses publishers. */
  readonly gate: PublisherPort;
  /** Accepts or refuses players; default: refuses all. */
  readonly players?: NonNullable<RtmpConnectionOptions['players']>;
  readonly clock: Clock;
  /** Default: nothing is logged. */
  readonly log?: Log;
  /** Budget for incomplete data, shared by all inputs of the thread; default: one for this server alone. */
  readonly budget?: ByteBudget;
  /** Counts connections with those of other servers and threads; default: one for this server alone. */
  readonly count?: ConnectionCount;
  /** Combined reads of publishers of several servers of the thread; default: of this server alone. */
  readonly ticks?: ReadTicks;
  /** Limits that differ from `DEFAULT_RTMP_LIMITS`. */
  readonly limits?: Partial<RtmpLimits>;
}

/** Interval of time limit checks, and so the maximum time by which a limit is exceeded. */
const SWEEP_MS = 1000;

/** Counters of the server since its start. */
export interface RtmpServerCounters {
  /** Open connections. */
  readonly connections: number;
  /** Accepted connections. */
  readonly accepted: number;
  /** Connections refused because of a limit on their number. */
  readonly refused: number;
}

/** Server that encoders publish to and that players play from over RTMP. */
export class RtmpServer {
  readonly #options: RtmpServerOptions;
  readonly #limits: RtmpLimits;
  readonly #log: Log;
  readonly #server: Server;
  readonly #connections = new Set<RtmpConnection>();
  readonly #count: ConnectionCount;
  /** Sockets that carry TLS, before and after their handshake. */
  readonly #raw = new Set<Socket>();
  #handshakes: TlsHandshakes | undefined;
  readonly #budget: ByteBudget;
  readonly #ticks: ReadTicks;
  #accepted = 0;
  #refused = 0;
  #stopSweeps: (() => void) | undefined;
  #connectionLeft: () => void = () => {};

  constructor(options: RtmpServerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_RTMP_LIMITS, ...options.limits };
    this.#count = options.count ?? new ConnectionCount();
    this.#budget = options.budget ?? new ByteBudget();
    this.#ticks = options.ticks ?? new ReadTicks(options.clock);
    this.#log = options.log ?? silentLog;
    this.#server = options.tls
      ? this.#tlsServer(options.tls)
      : createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
          const leave = this.#enter(socket);
          if (leave) this.#accept(socket, leave);
        });
  }

  /** Sets another certificate for the next handshakes. */
  renew(certificate: CertificatePem): void {
    if (this.#server instanceof TlsServer) this.#server.setSecureContext({ ...TLS_RULES, ...certificate });
  }

  /** Listening port; 0 before `start()`. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  get counters(): RtmpServerCounters {
    return { connections: this.#connections.size, accepted: this.#accepted, refused: this.#refused };
  }

  /** Resolves when the server listens; rejects with the error of Node, such as `EADDRINUSE`. */
  async start(): Promise<void> {
    const { port, host, reusePort = false } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, reusePort, backlog: 1024, ...(host === undefined ? {} : { host }) }, () => {
        this.#server.removeListener('error', reject);
        this.#server.on('error', (error) => this.#log.error('RTMP server error', { error: error.message }));
        resolve();
      });
    });
    this.#stopSweeps = every(this.#options.clock, SWEEP_MS, () => {
      const nowMs = this.#options.clock.now();
      for (const connection of this.#connections) connection.sweep(nowMs);
      this.#handshakes?.sweep();
    });
  }

  /** Disconnects all encoders. Resolves when no socket is left. */
  async close(end: InputEnd = { code: 'publish_kicked', ...because('server_stops') }): Promise<void> {
    this.#stopSweeps?.();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections) {
      connection.close(end);
      // A second `close` does not wait for the encoder to close the connection.
      connection.close(end);
    }
    for (const socket of this.#raw) socket.destroy();
    await closed;
    // Node may report the server closed slightly before its sockets are.
    while (this.#connections.size > 0) {
      await new Promise<void>((resolve) => {
        this.#connectionLeft = resolve;
      });
    }
  }

  #tlsServer(certificate: CertificatePem): Server {
    const server = createTlsServer({ ...TLS_RULES, ...certificate, noDelay: true }, (socket) => {
      socket.disableRenegotiation();
      // The encoder may have disconnected during its handshake.
      if (socket.remoteAddress === undefined) socket.destroy();
      else this.#accept(socket);
    });
    const handshakes = new TlsHandshakes(server, this.#limits.handshakeTimeoutMs, () => this.#options.clock.now());
    this.#handshakes = handshakes;
    // Counted before the TLS handshake, which may be slow.
    server.on('connection', (socket: Socket) => {
      const leave = this.#enter(socket);
      if (!leave) return;
      this.#raw.add(socket);
      handshakes.begin(socket);
      socket.once('close', () => {
        this.#raw.delete(socket);
        leave();
      });
    });
    return server;
  }

  /** Counts a connection, and returns a function that releases it; closes it if there are too many. */
  #enter(socket: Socket): (() => void) | undefined {
    const address = plainAddress(socket.remoteAddress ?? '');
    const hasTls = this.#options.tls !== undefined;
    // Without an address the peer has already disconnected.
    if (address === '' || !this.#count.enter(address, hasTls)) {
      this.#refused += 1;
      socket.destroy();
      return undefined;
    }
    return () => this.#count.leave(address, hasTls);
  }

  #accept(socket: Socket, leave?: () => void): void {
    this.#accepted += 1;
    const connection = new RtmpConnection(socket, {
      gate: this.#options.gate,
      players: this.#options.players,
      limits: this.#limits,
      budget: this.#budget,
      ticks: this.#ticks,
      log: this.#log,
      peer: peerOf(plainAddress(socket.remoteAddress ?? ''), socket.remotePort ?? 0),
      nowMs: this.#options.clock.now(),
      closed: () => {
        leave?.();
        this.#forget(connection);
      },
    });
    this.#connections.add(connection);
  }

  #forget(connection: RtmpConnection): void {
    this.#connections.delete(connection);
    this.#connectionLeft();
  }
}
