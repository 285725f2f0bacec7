import type { Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import type { ListenerFacts } from '../api/endpoints/api-context.ts';
import type { Config } from '../config/schema/config.ts';
import type { EventEmitter } from '../events/event-bus.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { listenersOf, localHostOf, type ListenerKind } from '../host/listeners.ts';
import { HandleShares, type ConnectionPort, type ConnectionCounts } from '../host/handle-shares.ts';
import { OpenFilesWatch, type OpenFiles } from '../host/open-files.ts';
import { ListenerSet, type OpenListener, type ListenerSpec } from '../lib/listener-set.ts';
import { OwnPorts } from '../lib/own-ports.ts';
import type { ServerOptions } from './server-options.ts';

/** Opens one listener of a protocol, with or without TLS. */
export type ListenOn = (listener: ListenerSpec<ListenerKind>) => Promise<OpenListener>;

/** Ports of the server. */
export interface Listeners {
  /** Open ports, readable in every thread. */
  readonly ownPorts: SharedArrayBuffer;
  /** Address of the first open HTTP port, as seen from this machine; empty before a port is open. */
  readonly baseUrl: string;
  /** Address for encoders, as seen from this machine; null without an RTMP port. */
  readonly rtmpUrl: string | null;
  /** Actual addresses. */
  facts(): ListenerFacts[];
  /** Alerts about ports that cannot be opened, with the reasons, and about refused connections. */
  alerts(): Record<string, Fault>;
  /** Files and connections of the process; undefined if the system does not report them. */
  readonly openFiles: OpenFiles | undefined;
  /** Opens and closes ports according to a configuration. Failures are in `alerts`. */
  apply(config: Config): Promise<void>;
  /** Throws `port_in_use` if no HTTP port is open. If one is open, the operator can repair the other ports on the desk. */
  requireHttp(): void;
  close(): Promise<void>;
}

/** Creates the ports of the server. They are opened by `apply`. */
export function openListeners(
  { clock, log }: Pick<ServerOptions, 'clock' | 'log'>,
  events: EventEmitter,
  listen: {
    readonly http: ListenOn;
    readonly rtmp: ListenOn;
    /** Connections to the ports, limited by file handles. */
    readonly connections: () => { readonly http: ConnectionPort; readonly rtmp: ConnectionPort };
  },
): Listeners {
  const ownPorts = new OwnPorts();
  const shares = new HandleShares(log, listen.connections);
  const files = new OpenFilesWatch({ clock, log, events, measured: (figures) => shares.measured(figures) });
  let checked: Promise<void> | undefined;
  const ports = new ListenerSet<ListenerKind>({
    clock,
    log,
    open: async (listener) => {
      const isRtmp = listener.kind === 'rtmp' || listener.kind === 'rtmps';
      return ownPorts.during(await (isRtmp ? listen.rtmp(listener) : listen.http(listener)));
    },
  });
  const urlOf = (kinds: readonly ListenerKind[]): string | null => {
    const first = ports.list().find(({ kind, openPort }) => openPort !== null && kinds.includes(kind));
    return first ? `${first.kind}://${localHostOf(first)}:${first.openPort}` : null;
  };
  return {
    ownPorts: ownPorts.shared,
    get baseUrl() {
      return urlOf(['http', 'https']) ?? '';
    },
    get rtmpUrl() {
      return urlOf(['rtmp']);
    },
    facts: () =>
      ports
        .list()
        .flatMap(({ kind, host, openPort }) => (openPort === null ? [] : [{ protocol: kind, host, port: openPort }])),
    alerts: () => ({
      ...(files.fault === null
        ? {}
        : { open_files: { fault: 'few_open_files', facts: { explanation: files.fault } } as const }),
      ...fullPorts(listen.connections()),
      ...Object.fromEntries(
        ports.list().flatMap(({ kind, host, port, error }) => {
          const place = `${kind} ${host === null ? '' : `${host}:`}${port}`;
          return error === null
            ? []
            : [[place, { fault: 'port_closed', facts: { place, explanation: error } } as const]];
        }),
      ),
    }),
    get openFiles() {
      return files.figures;
    },
    async apply(config) {
      const listeners = listenersOf(config);
      shares.apply(connectionsNeeded(config, listeners));
      await (checked ??= files.start());
      await ports.apply(listeners);
    },
    requireHttp() {
      const http = ports.list().filter(({ kind }) => kind === 'http' || kind === 'https');
      if (http.length === 0) log.warn('no HTTP port is configured; streams cannot be played');
      if (http[0] && http.every(({ openPort }) => openPort === null))
        throw new AirdeskError('port_in_use', `HTTP cannot be served on port ${http[0].port}: ${http[0].error ?? ''}`);
    },
    close() {
      files.close();
      return ports.close();
    },
  };
}

/** Ports that refuse connections, because there are too many. */
function fullPorts(connections: Readonly<Record<'http' | 'rtmp', ConnectionPort>>): Record<string, Fault> {
  const full = Object.entries(connections).filter(([, { total, isFull }]) => total > 0 && isFull);
  return Object.fromEntries(
    full.map(([kind, { total }]) => [
      `${kind}_connections`,
      { fault: 'connections_full', facts: { place: kind === 'http' ? 'HTTP' : 'RTMP', count: total } },
    ]),
  );
}

function connectionsNeeded(
  { httpConnections, rtmpConnections }: Config,
  listeners: readonly ListenerSpec<ListenerKind>[],
): ConnectionCounts {
  const hasRtmp = listeners.some(({ kind }) => kind === 'rtmp' || kind === 'rtmps');
  return { http: httpConnections, rtmp: hasRtmp ? rtmpConnections : 0 };
}
