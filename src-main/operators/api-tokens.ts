import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../config/schema/config.ts';

export type ApiToken = Config['apiTokens'] extends ReadonlyMap<string, infer T> ? T : never;

/** Prefix of the caller's name for a caller with a token. The name of the token follows. */
export const TOKEN_CALLER = 'token ';

const FORM = /^bearer[ \t]+(airdesk_[\w-]{43})[ \t]*$/i;

/** Generates a token of 256 random bits. */
export function newApiToken(): string {
  return `airdesk_${randomBytes(32).toString('base64url')}`;
}

/** Hash of a token as the configuration stores it. A plain hash suffices: 2^256 values cannot be tried. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Token in an `Authorization` header; undefined for a login. */
export function tokenIn(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : FORM.exec(authorization)?.[1];
}

/** Index of the configured tokens by secret. */
export class ApiTokens {
  readonly #byHash: ReadonlyMap<string, ApiToken>;

  constructor(tokens: ReadonlyMap<string, ApiToken>) {
    this.#byHash = new Map([...tokens.values()].flatMap((token) => (token.hash === null ? [] : [[token.hash, token]])));
  }

  /** Finds a token by its secret. Only hashes are compared, so the duration of the search reveals nothing about the secret. */
  find(secret: string): ApiToken | undefined {
    return this.#byHash.get(hashOfToken(secret));
  }
}
