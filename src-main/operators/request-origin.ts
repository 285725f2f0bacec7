import { isIP } from 'node:net';
import { isLoopback, plainAddress } from '../lib/network-address.ts';
import { isProxied, type HeaderLookup, type TrustedProxies } from '../lib/trusted-proxies.ts';

/** Facts about where a request comes from. */
export interface RequestFacts {
  /** The other side of the connection. */
  readonly peer: string;
  readonly header: HeaderLookup;
}

/** Where a request comes from. */
export interface RequestOrigin {
  readonly address: string;
  /** Whether it was sent on this machine, and deliberately. */
  readonly isLocal: boolean;
  /** Whether a page of another server made a browser send it; pages of the allowed origins are none. */
  readonly isCrossSitePage: boolean;
  /** Whether a browser sent it to a name that is none of this server: any name may lead here. */
  readonly isOtherHost: boolean;
  /** Whether a browser says that a page of this server, of an allowed origin or the person at it sends it: no other page can say that. */
  readonly isOwnPage: boolean;
}

/** How this machine may be called in an address. */
export interface OwnNames {
  readonly hostname: string;
  /** Lower case. */
  readonly names: readonly string[];
  /** Origins whose pages count as pages of this server, as browsers write them: `https://dash.example.org`. */
  readonly origins: readonly string[];
}

/** Finds out where a request comes from. */
export function originOf({ peer, header }: RequestFacts, proxies: TrustedProxies, own: OwnNames): RequestOrigin {
  const isFromProxy = proxies.isTrusted(plainAddress(peer));
  const host = (isFromProxy ? header('x-forwarded-host')?.split(',').at(-1)?.trim() : undefined) ?? header('host');
  const origin = header('origin');
  const isOrigin = origin !== undefined && (own.origins.includes(origin) || isOriginOf(origin, host));
  const isCrossSitePage = isExternal(header, own.origins) || (origin !== undefined && !isOrigin);
  const site = header('sec-fetch-site');
  // A header never gives the rights of this machine: a client behind a proxy is elsewhere.
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
 * Whether the name in a `Host` header is one of this machine. A page of `evil.example` may have its name lead to 127.0.0.1 and then speak to this
 * server from the operator's browser; its name is still there. Requests without a name come from no browser.
 */
export function isOwnHost(host: string | undefined, { hostname, names }: Omit<OwnNames, 'origins'>): boolean {
  if (host === undefined) return true;
  const name = (/^\[([^\]]*)\](:\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '')).toLowerCase().replace(/\.$/, '');
  if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')) return true;
  return name !== '' && (name === hostname.toLowerCase() || names.includes(name));
}

/** Whether a browser says that a page of another origin sends this (Fetch Metadata). */
function isExternal(header: HeaderLookup, origins: readonly string[]): boolean {
  const site = header('sec-fetch-site');
  return (site === 'cross-site' || site === 'same-site') && !origins.includes(header('origin') ?? '');
}

/** Whether an `Origin` header names a host. */
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
