import { isIPv6 } from 'node:net';
import type { ConnectionLimits } from '../../lib/connection-limits.ts';
import { isOverTls, type UrlKind, type UrlOptions } from './url-options.ts';

/** An address as FFmpeg opens it. */
export interface OpenedUrl {
  readonly url: string;
  /** RTMP: the `tcUrl` sent to the server, with the configured name. */
  readonly tcUrl?: string;
}

const PARTS = /^([a-z]+:\/\/)([^/?#@\s]*@)?(\[[^\]]*\]|[^/?#:\s]*)(.*)$/is;

/**
 * Addresses for FFmpeg to try in order: the checked addresses of the host name, so that FFmpeg does not resolve the name itself.
 * The name stays if the peer must present a certificate for it.
 */
export function checkedUrls(
  { kind, url, options }: { readonly kind: UrlKind; readonly url: string; readonly options: UrlOptions },
  limits: ConnectionLimits | undefined,
): readonly OpenedUrl[] {
  const [, scheme = '', user = '', host = '', path = ''] = PARTS.exec(url) ?? [];
  if (!limits || host === '' || (isOverTls(url) && options.isInsecure !== true)) return [{ url }];
  const tcUrl = kind === 'rtmp' ? { tcUrl: `${scheme}${host}${appOf(path)}` } : {};
  return limits.hostAddresses.map((address) => ({
    url: `${scheme}${user}${isIPv6(address) ? `[${address}]` : address}${path}`,
    ...tcUrl,
  }));
}

/**
 * Port and application of an RTMP address, separated from the playpath as FFmpeg does.
 *
 * @param text part of the address after the host
 */
function appOf(text: string): string {
  const [, port = '', path = ''] = /^(:\d*)?(.*)$/s.exec(text) ?? [];
  const [first = '', second, third] = path.slice(1).split('/');
  const app = second === undefined ? '' : third === undefined || second.includes(':') ? first : `${first}/${second}`;
  return `${port}/${app}`;
}
