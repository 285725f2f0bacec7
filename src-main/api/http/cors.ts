/**
 * Header lines that let pages of an origin read answers and send preflight requests (Fetch standard, CORS protocol; Private
 * Network Access).
 *
 * @param origin `*` for all
 */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, PUT, POST, DELETE, OPTIONS',
    'access-control-allow-headers':
      'authorization, content-type, accept, idempotency-key, if-match, if-none-match, x-auth-token, x-manager-email, x-originator, x-trace-id',
    'access-control-expose-headers': 'allow, etag, location, idempotent-replayed, x-config-version',
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
    ...(origin === '*' ? {} : { vary: 'origin' }),
  };
}
