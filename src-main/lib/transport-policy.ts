import { isLoopback, plainAddress } from './network-address.ts';
import { isProxied, type HeaderLookup } from './trusted-proxies.ts';
import type { SecureContextOptions } from 'node:tls';

/** Settings for the redirection of requests without TLS, and for HSTS. */
export interface TransportSettings {
  /** GET and HEAD requests without TLS that are redirected to https: none (`off`), requests of other machines (`on`), or all. */
  readonly httpsRedirect: 'off' | 'on' | 'all';
  /** Lifetime of HSTS in browsers, in milliseconds; null for no such header. */
  readonly hstsMs: number | null;
}

/** Properties of a request that the policy needs. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Address of the other side of the connection. */
  readonly peer: string;
  /** True if the connection to this server uses TLS. */
  readonly isEncrypted: boolean;
  readonly header: HeaderLookup;
}

export interface TransportPolicyOptions {
  readonly settings: () => TransportSettings;
  readonly isTrustedProxy: (address: string) => boolean;
  /** TLS port of this server; undefined for none. */
  readonly httpsPort: () => number | undefined;
}

/**
 * Addresses of segments, which are not redirected: a playlist that was requested by https already refers to its segments by
 * https.
 */
const SEGMENT = /\.(?:m4s|mp4|ts)(?:\?|$)/;
const PROBE = /\/monitoring\/(?:liveness|readiness)(?:\?|$)/;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i;

/** Redirects from http to https, and answers with HSTS (RFC 6797). */
export class TransportPolicy {
  readonly #options: TransportPolicyOptions;

  constructor(options: TransportPolicyOptions) {
    this.#options = options;
  }

  /** True if the settings affect any request. */
  get isInUse(): boolean {
    const { httpsRedirect, hstsMs } = this.#options.settings();
    return httpsRedirect !== 'off' || hstsMs !== null;
  }

  /** Value of `Strict-Transport-Security` for an answer; undefined for none. */
  strictTransport(request: Pick<TransportRequest, 'peer' | 'isEncrypted' | 'header'>): string | undefined {
    const { hstsMs } = this.#options.settings();
    if (hstsMs === null || !(request.isEncrypted || this.#proxied(request) === 'https')) return undefined;
    return `max-age=${Math.floor(hstsMs / 1000)}`;
  }

  /** Redirect target of a request without TLS; undefined if the request is answered without a redirect. */
  redirect(request: TransportRequest): string | undefined {
    const { httpsRedirect } = this.#options.settings();
    if (httpsRedirect === 'off' || request.isEncrypted) return undefined;
    const { method, target, peer, header } = request;
    if ((method !== 'GET' && method !== 'HEAD') || SEGMENT.test(target)) return undefined;
    if (httpsRedirect === 'on' && (PROBE.test(target) || (isLoopback(peer) && !isProxied(header)))) return undefined;
    const proto = this.#proxied(request);
    // If the proxy does not send the scheme, the client may have used https.
    if (proto !== undefined && proto !== 'http') return undefined;
    // The TLS port of a proxy is 443.
    const port = proto === 'http' ? 443 : this.#options.httpsPort();
    const forwarded = proto === 'http' ? header('x-forwarded-host')?.split(',').at(-1)?.trim() : undefined;
    const host = HOST.exec(forwarded ?? header('host') ?? '')?.[1];
    return port === undefined || host === undefined
      ? undefined
      : `https://${host}${port === 443 ? '' : `:${port}`}${target}`;
  }

  /** Scheme of the request to a trusted proxy; empty if the proxy does not send it, undefined without a proxy. */
  #proxied({ peer, header }: Pick<TransportRequest, 'peer' | 'header'>): string | undefined {
    if (!this.#options.isTrustedProxy(plainAddress(peer))) return undefined;
    return header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase() ?? '';
  }
}

/** TLS settings of every listener: ephemeral keys and authenticated encryption (RFC 9325 section 4.2). */
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
