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
 * Addresses for FFmpeg to open, one after the other: the checked addresses of the name, so that FFmpeg looks up none
 * itself. A name stays if the other side has to present a certificate for it.
 */
export function checkedUrls(
  { kind, url, options }: { readonly kind: UrlKind; readonly url: string; readonly options: UrlOptions },
  limits: ConnectionLimits | undefined,
): readonly OpenedUrl[] {
  const [, scheme = '', user = '', host = '', rest = ''] = PARTS.exec(url) ?? [];
  if (!limits || host === '' || (isOverTls(url) && options.isInsecure !== true)) return [{ url }];
  const tcUrl = kind === 'rtmp' ? { tcUrl: `${scheme}${host}${appOf(rest)}` } : {};
  return limits.checked.map((address) => ({
    url: `${scheme}${user}${isIPv6(address) ? `[${address}]` : address}${rest}`,
    ...tcUrl,
  }));
}

/**
 * Port and application of an RTMP address, separated from the playpath as FFmpeg does.
 * @param rest part after the host
 */
function appOf(rest: string): string {
  const [, port = '', path = ''] = /^(:\d*)?(.*)$/s.exec(rest) ?? [];
  const [first = '', second, third] = path.slice(1).split('/');
  const app = second === undefined ? '' : third === undefined || second.includes(':') ? first : `${first}/${second}`;
  return `${port}/${app}`;
}
