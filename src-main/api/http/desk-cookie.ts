import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/**
 * Attributes of the cookie (RFC 6265 section 4.1): hidden from scripts, not sent by pages of other sites, not sent to HTTP APIs.
 */
const ATTRIBUTES = 'Path=/-/; HttpOnly; SameSite=Strict';

/** Secret of the desk's session, as its browser sends it; undefined without one. */
export function deskSecret(request: IncomingMessage): string | undefined {
  const start = `${nameOf(request)}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

/** `Set-Cookie` header that lasts until the browser is closed. */
export function deskCookie(request: IncomingMessage, secret: string): string {
  // A client that sends a false header affects only itself.
  const isSecure =
    request.socket instanceof TLSSocket ||
    String(request.headers['x-forwarded-proto']).split(',').at(-1)?.trim() === 'https';
  return `${nameOf(request)}=${secret}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`;
}

/** `Set-Cookie` header that deletes the cookie. */
export function expiredDeskCookie(request: IncomingMessage): string {
  return `${nameOf(request)}=; ${ATTRIBUTES}; Max-Age=0`;
}

/** Name of the cookie. It contains the port of this server, because all ports of a host share their cookies. */
function nameOf({ headers }: IncomingMessage): string {
  return `airdesk_desk_${/:(\d{1,5})$/.exec(headers.host ?? '')?.[1] ?? ''}`;
}
