import { isIP } from 'node:net';
import { isLoopback, plainAddress } from '../lib/network-address.ts';
import { isProxied, type HeaderLookup, type TrustedProxies } from '../lib/trusted-proxies.ts';

export interface RequestFacts {
  /** Remote address of the connection. */
  readonly peer: string;
  readonly header: HeaderLookup;
}

/** Origin of a request. */
export interface RequestOrigin {
  readonly address: string;
  /** Whether the request was sent deliberately on this machine. */
  readonly isLocal: boolean;
  /** Whether a page of another server made a browser send the request; false for pages of allowed origins. */
  readonly isCrossSitePage: boolean;
  /** Whether a browser sent the request to a host name that is not of this server. Any name may resolve to this machine. */
  readonly isOtherHost: boolean;
  /**
   * Whether the browser attests that a page of this server, a page of an allowed origin or the user sent it. Other pages cannot
   * forge this.
   */
  readonly isOwnPage: boolean;
}

/** Names and addresses of this machine. */
export interface OwnNames {
  readonly hostname: string;
  /** Names in lower case. */
  readonly names: readonly string[];
  /** Origins whose pages count as pages of this server, as browsers write them: `https://dash.example.org`. */
  readonly origins: readonly string[];
}

export function originOf({ peer, header }: RequestFacts, proxies: TrustedProxies, own: OwnNames): RequestOrigin {
  const isFromProxy = proxies.isTrusted(plainAddress(peer));
  const host = (isFromProxy ? header('x-forwarded-host')?.split(',').at(-1)?.trim() : undefined) ?? header('host');
  const origin = header('origin');
  const isOrigin = origin !== undefined && (own.origins.includes(origin) || isOriginOf(origin, host));
  const isCrossSitePage = isExternal(header, own.origins) || (origin !== undefined && !isOrigin);
  const site = header('sec-fetch-site');
  // Headers never give a request the rights of this machine, because clients of a proxy are remote.
  const isLocal = isLoopback(peer) && !isProxied(header) && !isCrossSitePage && isOwnHost(host, own);
  return {
    address: proxies.clientAddress(peer, header),
    isLocal,
    isCrossSitePage,
    isOtherHost: (origin !== undefined || site !== undefined) && !isOwnHost(host, own),
    isOwnPage: !isCrossSitePage && (isOrigin || site === 'same-origin' || site === 'none'),
  };
}

/**
 * Whether a `Host` header names this machine. A page of `evil.example` may resolve its name to 127.0.0.1 and then call this
 * server from the operator's browser, but the header still has that name. A request without the header does not come from a
 * browser, so it counts as addressed to this machine.
 */
export function isOwnHost(host: string | undefined, { hostname, names }: Omit<OwnNames, 'origins'>): boolean {
  if (host === undefined) return true;
  const name = (/^\[([^\]]*)\](:\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '')).toLowerCase().replace(/\.$/, '');
  if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')) return true;
  return name !== '' && (name === hostname.toLowerCase() || names.includes(name));
}

/** Whether the browser reports that a page of another origin sends the request (Fetch Metadata). */
function isExternal(header: HeaderLookup, origins: readonly string[]): boolean {
  const site = header('sec-fetch-site');
  return (site === 'cross-site' || site === 'same-site') && !origins.includes(header('origin') ?? '');
}

function isOriginOf(origin: string, host: string | undefined): boolean {
  return (
    host !== undefined &&
    URL.canParse(origin) &&
    new URL(origin).host === withoutDefaultPort(host.toLowerCase(), origin)
  );
}

function withoutDefaultPort(host: string, origin: string): string {
  return origin.startsWith('https:') ? host.replace(/:443$/, '') : host.replace(/:80$/, '');
}
