import type { Server } from 'node:http';
import type { Config } from '../config/schema/config.ts';
import { ConnectionLimits, type ConnectionRefusal } from '../delivery/connection-limits.ts';
import { HttpEdge, type CertificatePort } from '../delivery/http-edge.ts';
import type { MediaHandler } from '../delivery/answers/media-handler.ts';
import type { Clock } from '../lib/clock.ts';
import { type Tally } from '../lib/tally.ts';
import { CountedReport } from '../lib/timers.ts';
import { TransportPolicy, type TransportSettings } from '../lib/transport-policy.ts';
import type { OpenListener, ListenerSpec } from '../lib/listener-set.ts';
import type { Log } from '../lib/log.ts';
import type { Operators } from '../operators/operators.ts';
import type { ListenerKind } from '../host/listeners.ts';

/** Dependencies of `HttpPorts`. */
export interface HttpPortsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly certificate: CertificatePort;
  readonly handler: MediaHandler;
  readonly access: Operators;
  readonly transport: TransportPolicy;
  /** Receives connections with requests for anything but media. */
  readonly control: Server;
  /** Counter of requests that were refused before they were read, by status. */
  readonly refused: Tally;
  /** Counter of connections that exceeded a deadline, by their state. */
  readonly cut: Tally<'handshake' | 'head' | 'body' | 'reply'>;
}

/** Time that connections of a removed port may continue, in milliseconds. */
const LINGER_MS = 5000;
/** Minimum interval between two reports of refused connections, in milliseconds. */
const REPORT_MS = 10_000;

/** HTTP ports, with and without TLS, and their common limits. */
export class HttpPorts {
  readonly #options: HttpPortsOptions;
  readonly #edges = new Set<HttpEdge>();
  readonly #limits: ConnectionLimits;

  constructor(options: HttpPortsOptions) {
    this.#options = options;
    const { clock, log, access } = options;
    const refusals = new CountedReport<ConnectionRefusal>(clock, REPORT_MS, (last, count) => {
      log.warn('connections were refused', { ...last, count });
    });
    this.#limits = new ConnectionLimits({
      isShared: (address) => access.isTrustedProxy(address),
      report: (refusal) => {
        refusals.add(refusal);
      },
    });
  }

  /** Open and refused connections, and their limit. */
  get limits(): Pick<ConnectionLimits, 'total' | 'limit' | 'isFull' | 'refused' | 'allow'> {
    return this.#limits;
  }

  /** Applies the limits of a configuration; open connections stay. */
  apply({
    httpConnections,
    httpConnectionsOfAddress,
    httpConnectionsReserve,
  }: Pick<Config, 'httpConnections' | 'httpConnectionsOfAddress' | 'httpConnectionsReserve'>): void {
    this.#limits.apply({
      maxConnections: httpConnections,
      maxPerAddress: httpConnectionsOfAddress,
      reserve: httpConnectionsReserve,
    });
  }

  /** Listens; rejects if the port is not available. */
  async listen({ kind, host, port }: ListenerSpec<ListenerKind>): Promise<OpenListener> {
    const { clock, certificate, handler, access, control, transport, refused, cut } = this.#options;
    const edge = new HttpEdge({
      host: host ?? '::',
      port,
      ...(kind === 'https' ? { tls: certificate } : {}),
      handler,
      transport,
      now: () => clock.now(),
      limits: this.#limits,
      refused,
      cut,
      clientAddress: (peer, header) => access.clientAddress(peer, header),
      handOver: (socket, unread) => {
        // Returns the bytes to the socket, so that the control server reads them as if it had accepted the connection itself.
        socket.pause();
        socket.unshift(unread);
        control.emit('connection', socket);
        socket.resume();
      },
    });
    const openPort = await edge.start();
    this.#edges.add(edge);
    return {
      port: openPort,
      close: () => {
        edge.stopListening();
        // Existing connections stay open for a short time: the request that removed the port gets its reply, and players can
        // reconnect.
        clock.after(LINGER_MS, () => {
          this.#edges.delete(edge);
          void edge.close();
        });
        return Promise.resolve();
      },
    };
  }

  /** Closes all connections; resolves when none is left. */
  async close(): Promise<void> {
    await Promise.all([...this.#edges].map((edge) => edge.close()));
  }
}

/** Creates the policy of redirects to the first TLS port, according to the configuration in force. */
export function transportPolicy(
  configuration: { readonly config: TransportSettings },
  access: Operators,
  listeners: () => readonly { readonly kind: ListenerKind; readonly openPort: number | null }[],
): TransportPolicy {
  return new TransportPolicy({
    settings: () => configuration.config,
    isTrustedProxy: (address) => access.isTrustedProxy(address),
    httpsPort: () =>
      listeners().find(({ kind, openPort }) => kind === 'https' && openPort !== null)?.openPort ?? undefined,
  });
}
