import { randomBytes } from 'node:crypto';
import { signatureOf, tokenOfSignature } from './signed-address.ts';

/** Longest token in characters; longer ones count as none. */
const MAX_TOKEN_LENGTH = 2000;

/** The value of a parameter of a query string, as it stands there; undefined where it is missing. */
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

/** The token in a query string; empty where there is none. @param name of the parameter */
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

/** What identifies a viewer: the token in a query string, or its signature where there is none. @param name of the parameter */
export function viewerTokenOf(query: string, name: string): string {
  const token = tokenOf(query, name);
  if (token !== '' || query === '') return token;
  const signature = signatureOf((parameter) => rawParameter(query, parameter));
  return signature ? tokenOfSignature(signature) : '';
}

/** A query string with a token in it. */
export function withToken(query: string, name: string, token: string): string {
  const rest = query.split('&').filter((pair) => pair !== '' && pair !== name && !pair.startsWith(`${name}=`));
  return [...rest, `${name}=${encodeURIComponent(token)}`].join('&');
}

/** A token that cannot be guessed. */
export function newToken(): string {
  return randomBytes(16).toString('hex');
}
