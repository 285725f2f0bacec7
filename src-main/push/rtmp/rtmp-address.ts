import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { PublisherLogin } from './publish-login.ts';

const DEFAULT_PORT = { 'rtmp:': 1935, 'rtmps:': 443 } as const;

/** Address of an RTMP target. */
export interface RtmpAddress {
  /** Address without login and key, for the rules of outgoing connections. */
  readonly url: URL;
  readonly isTls: boolean;
  /** Host name, or IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Application: the path up to the last part. */
  readonly app: string;
  /** `tcUrl` of the command `connect`. */
  readonly tcUrl: string;
  /** Name under which the stream is published: the key, with its parameters. */
  readonly name: string;
  /** User name and password of the address, for servers that want a login. */
  readonly login?: PublisherLogin;
}

/**
 * Reads the address of an RTMP target: `rtmp://host[:port]/application/key`.
 * @param streamName name that is published if the address has no key
 * @returns reason if the address is invalid
 */
export function readRtmpAddress(text: string, streamName: string): RtmpAddress | Explained {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const { protocol = '' } = url ?? {};
  if (!url || (protocol !== 'rtmp:' && protocol !== 'rtmps:')) return because('address_invalid');
  if (url.hostname === '') return because('address_without_host');
  const [, app = '', key = ''] = /^\/*(.*?)(?:\/+([^/]*))?$/.exec(url.pathname) ?? [];
  if (app === '') return because('push_without_application');
  const { host, hostname } = url;
  const tcUrl = `${protocol}//${host}/${app}`;
  return {
    url: new URL(tcUrl),
    isTls: protocol === 'rtmps:',
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: url.port === '' ? DEFAULT_PORT[protocol] : Number(url.port),
    app,
    tcUrl,
    name: (key === '' ? streamName : key) + url.search + url.hash,
    ...(url.username === '' ? {} : { login: { user: decoded(url.username), password: decoded(url.password) } }),
  };
}

/** Address as shown to people: without login, key and parameters. The host and the application stay. */
export function shownRtmpUrl(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z]+:\/\/)(.*)$/is.exec(text) ?? [];
  const [authority = '', ...path] = (/^[^?#]*/.exec(rest)?.[0] ?? '').split('/');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const [app, ...key] = path.filter((part) => part !== '');
  return `${scheme}${host}${app === undefined ? '' : `/${[app, ...key.slice(0, -1)].join('/')}`}${key.length > 0 ? '/***' : ''}`;
}

/**
 * Text of the far side without key and password, which a server may repeat; at most 200 characters, without control
 * characters.
 */
export function withoutKey(text: string, { name, login }: Pick<RtmpAddress, 'name' | 'login'>): string {
  let masked = text;
  for (const secret of secretsOf([name, login?.password ?? ''])) masked = masked.replaceAll(secret, '***');
  return masked.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 200);
}

/** Names and passwords, the key of a name, and the values of its parameters; the longest first. Short values are no secrets. */
function secretsOf(names: readonly string[]): readonly string[] {
  const parts = names.flatMap((name) => [name, ...name.split(/[?&#=/]/)]).filter((part) => part.length >= 4);
  return [...new Set([...parts, ...parts.map(decoded)])].sort((a, b) => b.length - a.length);
}

/** Text without percent encoding; unchanged if its encoding is wrong. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
