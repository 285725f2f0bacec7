import type { Config } from '../config/schema/config.ts';
import type { Listener } from '../config/schema/value-schema.ts';
import type { ListenerSpec } from '../lib/listener-set.ts';

/** Protocols that the server listens for. */
export type ListenerKind = 'http' | 'https' | 'rtmp' | 'rtmps';

/** Configured listeners. Plain HTTP comes first, because connections from this machine use the first listener. */
export function listenersOf({ http, https, rtmp, rtmps }: Config): ListenerSpec<ListenerKind>[] {
  const of = (kind: ListenerKind, listeners: readonly Listener[]): ListenerSpec<ListenerKind>[] =>
    listeners.map((listener) => ({ kind, ...listener }));
  return [...of('http', http), ...of('https', https), ...of('rtmp', rtmp), ...of('rtmps', rtmps)];
}

/** Host with which programs on this machine connect to a listener. */
export function localHostOf(listener: Listener): string {
  const host = listener.host ?? '127.0.0.1';
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
