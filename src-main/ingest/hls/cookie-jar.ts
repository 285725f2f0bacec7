import { MAX_COOKIE_CHARACTERS, MAX_COOKIES } from './limits.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  /** Whether the cookie applies to the host only, not to its subdomains. */
  readonly isHostOnly: boolean;
  readonly path: string;
  readonly isSecure: boolean;
}

/** Cookies set by the servers of one input (RFC 6265), stored until the input is closed. */
export class CookieJar {
  #cookies: readonly Cookie[] = [];

  /** Stores the `Set-Cookie` lines of an answer. */
  take(url: URL, lines: readonly string[] | undefined, nowMs: number): void {
    for (const line of lines ?? []) {
      if (line.length > MAX_COOKIE_CHARACTERS) continue;
      const parts = line.split(';');
      const equals = parts[0]?.indexOf('=') ?? -1;
      if (equals < 1) continue;
      const attributes = attributesOf(parts.slice(1));
      const cookie = cookieOf(url, parts[0]!.slice(0, equals).trim(), parts[0]!.slice(equals + 1).trim(), attributes);
      if (!cookie) continue;
      const others = this.#cookies.filter(
        (other) => other.name !== cookie.name || other.host !== cookie.host || other.path !== cookie.path,
      );
      this.#cookies = isOver(attributes, nowMs) ? others : [...others, cookie].slice(-MAX_COOKIES);
    }
  }

  /** Value of the `Cookie` header for an address; undefined if there are none. */
  header(url: URL): string | undefined {
    const fitting = this.#cookies.filter(
      (cookie) =>
        (url.hostname === cookie.host || (!cookie.isHostOnly && isBelow(url.hostname, cookie.host))) &&
        isUnder(url.pathname, cookie.path) &&
        (!cookie.isSecure || url.protocol === 'https:'),
    );
    return fitting.length === 0 ? undefined : fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
  }
}

function attributesOf(parts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    parts.map((part) => {
      const equals = part.indexOf('=');
      return equals < 0
        ? [part.trim().toLowerCase(), '']
        : [part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim()];
    }),
  );
}

function cookieOf(url: URL, name: string, value: string, attributes: ReadonlyMap<string, string>): Cookie | undefined {
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? '';
  // A cookie for a name without a dot would apply to a whole top level domain.
  if (domain !== '' && domain !== url.hostname && (!isBelow(url.hostname, domain) || !domain.includes('.')))
    return undefined;
  const path = attributes.get('path') ?? '';
  const folder = url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')));
  return {
    name,
    value,
    host: domain === '' ? url.hostname : domain,
    isHostOnly: domain === '',
    path: path.startsWith('/') ? path : folder,
    isSecure: attributes.has('secure'),
  };
}

function isOver(attributes: ReadonlyMap<string, string>, nowMs: number): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = attributes.get('expires');
  return expires !== undefined && Date.parse(expires) <= nowMs;
}

function isBelow(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`);
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
