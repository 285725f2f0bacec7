import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/** What every such cookie says (RFC 6265 section 4.1): scripts do not see it, pages of other sites do not send it, and HTTP APIs do not get it. */
const ATTRIBUTES = 'Path=/-/; HttpOnly; SameSite=Strict';

/** The secret of the session of a desk, as its browser sends it; undefined without one. */
export function deskSecret(request: IncomingMessage): string | undefined {
  const start = `${nameOf(request)}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

/** The `Set-Cookie` with which a browser keeps a session until it is closed. */
export function deskCookie(request: IncomingMessage, secret: string): string {
  // Who says so falsely harms only themselves.
  const isSecure =
    request.socket instanceof TLSSocket ||
    String(request.headers['x-forwarded-proto']).split(',').at(-1)?.trim() === 'https';
  return `${nameOf(request)}=${secret}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`;
}

/** The `Set-Cookie` with which a browser forgets it. */
export function noDeskCookie(request: IncomingMessage): string {
  return `${nameOf(request)}=; ${ATTRIBUTES}; Max-Age=0`;
}

/** Cookies of a host are the same on all of its ports: a server on another port has its own. */
function nameOf({ headers }: IncomingMessage): string {
  return `airdesk_desk_${/:(\d{1,5})$/.exec(headers.host ?? '')?.[1] ?? ''}`;
}
