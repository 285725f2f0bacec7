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
 * What FFmpeg opens for an address, one after the other: the addresses that its name was found to have, so that it looks up none by itself. A name stays
 * where the other side has to show a certificate for it.
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

/** Port and application of an RTMP address, parted from the playpath as FFmpeg does it. @param rest what follows the host */
function appOf(rest: string): string {
  const [, port = '', path = ''] = /^(:\d*)?(.*)$/s.exec(rest) ?? [];
  const [first = '', second, third] = path.slice(1).split('/');
  const app = second === undefined ? '' : third === undefined || second.includes(':') ? first : `${first}/${second}`;
  return `${port}/${app}`;
}
