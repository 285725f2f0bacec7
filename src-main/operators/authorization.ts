/** Login and password of a request. */
export interface GivenLogin {
  readonly login: string;
  readonly password: string;
}

const FORM = /^(?:basic|bearer)[ \t]+([A-Za-z0-9+/_-]{1,2000}={0,2})[ \t]*$/i;

/**
 * Parses an `Authorization` header. `Basic` and `Bearer` both carry `login:password` in base64 (RFC 7617 section 2).
 *
 * @returns undefined for any other header
 */
export function parseAuthorization(header: string): GivenLogin | undefined {
  const match = FORM.exec(header);
  const text = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (!match || colon < 0) return undefined;
  return {
    login: text.slice(0, colon),
    password: text.slice(colon + 1),
  };
}
