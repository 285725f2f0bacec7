import { randomBytes } from 'node:crypto';
import { signatureOf, tokenOfSignature } from './signed-address.ts';

/** Maximum length of a token, in characters; longer texts do not count as a token. */
const MAX_TOKEN_LENGTH = 2000;

/** Raw value of a parameter of a query string; undefined if it is missing. */
export function rawParameter(query: string, name: string): string | undefined {
  let from = 0;
  while (from <= query.length) {
    const next = query.indexOf('&', from);
    const end = next < 0 ? query.length : next;
    if (query.startsWith(name, from) && query.charCodeAt(from + name.length) === 0x3d)
      return query.slice(from + name.length + 1, end);
    from = end + 1;
  }
  return undefined;
}

/**
 * Token in a query string; empty without one.
 * @param name name of the parameter
 */
export function tokenOf(query: string, name: string): string {
  const raw = query === '' ? undefined : rawParameter(query, name);
  if (raw === undefined || raw.length > MAX_TOKEN_LENGTH) return '';
  if (!raw.includes('%') && !raw.includes('+')) return raw;
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

/**
 * Token of a viewer in a query string, or its signature if there is none.
 * @param name name of the parameter
 */
export function viewerTokenOf(query: string, name: string): string {
  const token = tokenOf(query, name);
  if (token !== '' || query === '') return token;
  const signature = signatureOf((parameter) => rawParameter(query, parameter));
  return signature ? tokenOfSignature(signature) : '';
}

/** Query string with a token added. */
export function withToken(query: string, name: string, token: string): string {
  const rest = query.split('&').filter((pair) => pair !== '' && pair !== name && !pair.startsWith(`${name}=`));
  return [...rest, `${name}=${encodeURIComponent(token)}`].join('&');
}

/** Creates an unguessable token. */
export function newToken(): string {
  return randomBytes(16).toString('hex');
}
