import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';

/** A token of the configuration. */
export type ApiToken = Config['apiTokens'] extends ReadonlyMap<string, infer T> ? T : never;

/** What stands before the name of a token where callers are named. */
export const TOKEN_CALLER = 'token ';

const FORM = /^bearer[ \t]+(airdesk_[\w-]{43})[ \t]*$/i;

/** A token that cannot be guessed: 256 random bits. */
export function newApiToken(): string {
  return `airdesk_${randomBytes(32).toString('base64url')}`;
}

/** The form of a token in the configuration. A plain hash is enough: 2^256 values cannot be tried. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The token in an `Authorization` header; undefined for logins. */
export function tokenIn(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : FORM.exec(authorization)?.[1];
}

/** The tokens of a configuration, found by what a request gives. */
export class ApiTokens {
  readonly #byHash: ReadonlyMap<string, ApiToken>;

  constructor(tokens: ReadonlyMap<string, ApiToken>) {
    this.#byHash = new Map([...tokens.values()].flatMap((token) => (token.hash === null ? [] : [[token.hash, token]])));
  }

  /** Looked up by its hash, which reveals nothing of the token: the time of the look-up is no secret. */
  find(secret: string): ApiToken | undefined {
    return this.#byHash.get(hashOfToken(secret));
  }
}
