import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OutgoingHosts } from '../../lib/outgoing-hosts.ts';

/** Schemes of targets by HTTP, and the schemes of their requests. */
const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['tshttp:', 'http:'],
  ['tshttps:', 'https:'],
  ['hls:', 'http:'],
  ['hlss:', 'https:'],
]);

/** Address of a target by HTTP. */
export interface HttpAddress {
  /** Address of the requests, without the login. */
  readonly url: URL;
  /** Login, `user:password`; absent without one. */
  readonly login?: string;
  /** Host and port, for messages. */
  readonly server: string;
  /** Whether the address is that of a playlist. */
  readonly isHls: boolean;
}

/** Dependencies of an HTTP target. */
export interface HttpTargetOptions {
  readonly address: HttpAddress;
  /** Rules of outgoing connections. */
  readonly hosts: OutgoingHosts;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/**
 * Reads the address of a target by HTTP. A path that ends with `/` is completed with the name of the stream, and `/mpegts`
 * (the address at which another Airdesk accepts the stream) or `/index.m3u8`. Another path of HLS that names no playlist
 * is a folder.
 * @returns reason if the address is invalid
 */
export function readHttpAddress(text: string, streamName: string): HttpAddress | Explained {
  const url = requestUrl(text);
  if (!url) return because('address_invalid');
  const { hostname, password, port, protocol, username } = url;
  url.username = '';
  url.password = '';
  url.hash = '';
  const isHls = /^hls/i.test(text);
  if (url.pathname.endsWith('/'))
    url.pathname += `${streamName.split('/').map(encodeURIComponent).join('/')}/${isHls ? 'index.m3u8' : 'mpegts'}`;
  else if (isHls && !/\.m3u8$/i.test(url.pathname)) url.pathname += '/index.m3u8';
  const login = `${decoded(username)}:${decoded(password)}`;
  return {
    url,
    ...(login === ':' ? {} : { login }),
    isHls,
    server: `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`,
  };
}

/** Reports whether a target takes requests of HTTP. */
export function isHttpUrl(text: string): boolean {
  return SCHEMES.has(schemeOf(text));
}

function schemeOf(text: string): string {
  return /^[a-z]+:/i.exec(text)?.[0].toLowerCase() ?? '';
}

/** Address of the requests; undefined if it is invalid. */
function requestUrl(text: string): URL | undefined {
  const scheme = schemeOf(text);
  const rest = text.slice(scheme.length);
  return (/^\/\/[^/]/.test(rest) && URL.parse(`${SCHEMES.get(scheme) ?? ''}${rest}`)) || undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
