import { isLoopback, plainAddress } from './network-address.ts';
import { isProxied, type HeaderLookup } from './trusted-proxies.ts';
import type { SecureContextOptions } from 'node:tls';

/** What the configuration says of requests with and without TLS. */
export interface TransportSettings {
  /** Which GET and HEAD requests in the clear are sent to https: none; those of other machines; all. */
  readonly httpsRedirect: 'off' | 'on' | 'all';
  /** How long browsers use https only, in milliseconds; null for no such header. */
  readonly hstsMs: number | null;
}

/** What the policy looks at. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The other side of the connection. */
  readonly peer: string;
  /** Whether the connection to this server is one of TLS. */
  readonly isEncrypted: boolean;
  readonly header: HeaderLookup;
}

/** What the policy works with. */
export interface TransportPolicyOptions {
  readonly settings: () => TransportSettings;
  readonly isTrustedProxy: (address: string) => boolean;
  /** The port of this server that speaks TLS; undefined for none. */
  readonly httpsPort: () => number | undefined;
}

/** Segments: a playlist by https has addresses by https. */
const SEGMENT = /\.(?:m4s|mp4|ts)(?:\?|$)/;
const PROBE = /\/monitoring\/(?:liveness|readiness)(?:\?|$)/;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i;

/** Which requests are redirected from http to https, and which answers carry HSTS (RFC 6797). */
export class TransportPolicy {
  readonly #options: TransportPolicyOptions;

  constructor(options: TransportPolicyOptions) {
    this.#options = options;
  }

  /** Whether it has anything to say of any request. */
  get isInUse(): boolean {
    const { httpsRedirect, hstsMs } = this.#options.settings();
    return httpsRedirect !== 'off' || hstsMs !== null;
  }

  /** Value of `Strict-Transport-Security` of the answer; undefined for none. */
  strictTransport(request: Pick<TransportRequest, 'peer' | 'isEncrypted' | 'header'>): string | undefined {
    const { hstsMs } = this.#options.settings();
    if (hstsMs === null || !(request.isEncrypted || this.#proxied(request) === 'https')) return undefined;
    return `max-age=${Math.floor(hstsMs / 1000)}`;
  }

  /** Where a request in the clear is sent; undefined where it is answered. */
  redirect(request: TransportRequest): string | undefined {
    const { httpsRedirect } = this.#options.settings();
    if (httpsRedirect === 'off' || request.isEncrypted) return undefined;
    const { method, target, peer, header } = request;
    if ((method !== 'GET' && method !== 'HEAD') || SEGMENT.test(target)) return undefined;
    if (httpsRedirect === 'on' && (PROBE.test(target) || (isLoopback(peer) && !isProxied(header)))) return undefined;
    const proto = this.#proxied(request);
    // A proxy that does not say how it was asked may have been asked by https.
    if (proto !== undefined && proto !== 'http') return undefined;
    // The port of TLS of a proxy is the usual one.
    const port = proto === 'http' ? 443 : this.#options.httpsPort();
    const forwarded = proto === 'http' ? header('x-forwarded-host')?.split(',').at(-1)?.trim() : undefined;
    const host = HOST.exec(forwarded ?? header('host') ?? '')?.[1];
    return port === undefined || host === undefined
      ? undefined
      : `https://${host}${port === 443 ? '' : `:${port}`}${target}`;
  }

  /** How a trusted proxy was asked, by its own word; empty where it does not say, undefined where there is none. */
  #proxied({ peer, header }: Pick<TransportRequest, 'peer' | 'header'>): string | undefined {
    if (!this.#options.isTrustedProxy(plainAddress(peer))) return undefined;
    return header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase() ?? '';
  }
}

/** What every listener with TLS offers: keys that are made for each connection, and ciphers that authenticate what they encrypt (RFC 9325 section 4.2). */
export const TLS_RULES: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
};
