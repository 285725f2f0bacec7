import type { Config } from '../config/config.ts';
import type { Listener } from '../config/schema/value-schema.ts';
import type { WantedListener } from '../lib/listener-set.ts';

/** What the server listens for. */
export type ListenerKind = 'http' | 'https' | 'rtmp' | 'rtmps';

/** Where the server is to listen; HTTP in the clear first: the first is what this machine itself uses. */
export function listenersOf({ http, https, rtmp, rtmps }: Config): WantedListener<ListenerKind>[] {
  const of = (kind: ListenerKind, listeners: readonly Listener[]): WantedListener<ListenerKind>[] =>
    listeners.map((listener) => ({ kind, ...listener }));
  return [...of('http', http), ...of('https', https), ...of('rtmp', rtmp), ...of('rtmps', rtmps)];
}

/** How this machine itself reaches a listener. */
export function visibleHost(listener: Listener): string {
  const host = listener.host ?? '127.0.0.1';
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
